#!/bin/sh
# An idle job takes no time: 30 s after its last message, all its processes together use less than 3 % of one core (the
# goal is 1 %; the value is printed), whether its units wait in the library or sleep outside it.
set -u
program=$TESSERA_BUILD_DIR/tests/fault/die
dir=$(mktemp -d)
jobs=
trap 'end_jobs; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
failures=0

end_jobs() {
  for job in $jobs; do kill "${job%%,*}" 2>/dev/null; done
  for job in $jobs; do wait "${job%%,*}" 2>/dev/null; done
  jobs=
}

# start HOW PROGRESS NODES
start() {
  name=$1,$2,$3
  units=4
  [ "$2" != process:1 ] || units=$((4 + $3))
  RUN_TIMEOUT=300 TESSERA_PROGRESS=$2 TESSERA_VIRTUAL_NODES=$3 "$TESSERA_MPIEXEC" -n $units "$program" "$1" "$dir/$name" \
    >"$dir/$name" 2>&1 &
  pid=$!
  jobs="$jobs $pid,$name"
  while kill -0 $pid 2>/dev/null && ! grep -q "all wait" "$dir/$name"; do sleep 0.1; done
}

processes() {
  for pid in $(pgrep -f "fault/die .*$dir/$1"); do
    [ "$(readlink "/proc/$pid/exe")" != "$program" ] || echo "$pid"
  done
}

# Microseconds that a job's threads have run.
used_us() {
  for pid in $(processes "$1"); do cat "/proc/$pid/task/"*/schedstat; done | awk '{ sum += $1 } END { printf "%.0f\n", sum / 1000 }'
}
now_us() { awk '{ printf "%.0f\n", $1 * 1000000 }' /proc/uptime; }

# The time that each job has used so far, and the current time.
look() {
  for job in $jobs; do
    name=${job#*,}
    echo "$name $(processes "$name" | wc -l) $(now_us) $(used_us "$name")"
  done
}

check_jobs() {
  sleep 30
  look >"$dir/first"
  sleep 10
  look >"$dir/second"
  join "$dir/first" "$dir/second" | awk '{
    percent = 100 * ($7 - $4) / ($6 - $3)
    bad = percent >= 3 || $2 != $5 || $5 < 5 # four units, and the monitor of a node
    printf "idle, %s: %d processes, %.2f %% of a core%s\n", $1, $5, percent, bad ? ": wrong" : ""
    worst = worst || bad
    n++
  } END { exit worst || n != '"$1"' }' && return
  failures=$((failures + 1))
  tail -n 5 "$dir/"*,*
}

[ -r /proc/self/schedstat ] || { echo "skipped: this kernel does not count the time of threads"; exit 77; }
for nodes in 1 2; do
  for how in wait asleep; do
    for progress in none process:1 thread; do start $how $progress $nodes; done
  done
  check_jobs 6
  end_jobs
done
exit $((failures > 0))
