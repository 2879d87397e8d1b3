#!/bin/sh
# The time until a job ends after a unit was killed during transfers, on one host and between two, with each mode of
# progress. The goal is 5 s; only more than 30 s are a failure, as the machine may be busy. The times are printed.
set -u
. "$(dirname "$0")/../support/hosts.sh"
. "$(dirname "$0")/../support/message.sh"
program=$TESSERA_BUILD_DIR/tests/fault/die
late=0

fail() { hosts_fail "death, $title: $1"; }

# The remaining processes of a job; the mark in their command lines identifies it.
left_behind() {
  for pid in $(pgrep -f "fault/die transfer $mark"); do
    [ "$(readlink "/proc/$pid/exe")" != "$program" ] || echo "$pid"
  done
}

# After the launcher has ended, processes and shared memory go, too.
check_gone() {
  while [ -n "$(left_behind)" ] && [ $(($(date +%s%N) - died_ns)) -lt 60000000000 ]; do sleep 0.05; done
  [ -z "$(left_behind)" ] || fail "left behind: $(left_behind)"
}

check_words() {
  [ "$(grep -Ec "$(message "TSR-0337 $dead")" "$output")" -eq 1 ] || fail "not one line names the unit that died"
  grep -Eq "$(message "host $1 TSR-0337 $dead")" "$output" || fail "no line names its host, $1"
  grep -Eq "$(message "TSR-0342 [0-2]")|TSR-0204 .*\<$dead\>" "$output" || fail "no unit reports its wait"
}

# die HOST COMMAND...: a job whose last unit, on that host, is killed.
die() {
  host=$1
  shift
  mark=$output.died
  rm -f "$mark"
  RUN_TIMEOUT=120 "$@" "$program" transfer "$mark" >"$output" 2>&1
  code=$?
  if [ ! -e "$mark" ]; then
    fail "no unit died"
    return
  fi
  died_ns=$(date -r "$mark" +%s%N)
  check_gone
  ms=$((($(date +%s%N) - died_ns) / 1000000))
  [ $code -ne 0 ] || fail "exit code 0"
  check_words "$host"
  echo "death, $title: over after $ms ms"
  [ $ms -le 5000 ] || late=$((late + 1))
  [ $ms -le 30000 ] || fail "30 s are too long"
}

hosts_up 2
output=$hosts_dir/output
for progress in thread none process:1; do
  export TESSERA_PROGRESS=$progress
  dead=3
  agents=0
  [ $progress != process:1 ] || agents=1
  title="one host, $progress"
  die "$(hostname)" "$TESSERA_MPIEXEC" -n $((4 + agents))
  title="two hosts, $progress"
  die h2 hosts_run $((4 + 2 * agents))
done
echo "death: $late of 6 were over later than after 5 s"
exit $((failures > 0))
