#!/bin/sh
# What the MPI at hand does where docs/mpi-notes.md says that MPIs differ: prints it; any known answer passes.
set -u
. "$(dirname "$0")/../support/hosts.sh"
programs=$TESSERA_BUILD_DIR/tests/mpi
output=$(mktemp)
failures=0

# says PATTERN: the last output has a line like it; that is printed, behind $title.
says() {
  grep -E "$1" "$output" | sed "s|^|$title: |"
  grep -Eq "$1" "$output" && return
  echo "$title: none of the known answers:"
  sed 's/^/  /' "$output"
  failures=$((failures + 1))
}

# here PROGRAM [ARGUMENT...]: on two ranks of this host.
here() {
  title="one host, $*"
  name=$1
  shift
  RUN_TIMEOUT=30 "$TESSERA_MPIEXEC" -n 2 "$programs/$name" "$@" >"$output" 2>&1
}

# An end by MPI_Abort that meets MPI_Finalize, several times: the launcher's exit codes. A stop from outside may be needed.
abort_in_finalize() {
  title="one host, abort_finalize"
  codes=
  for _ in 1 2 3 4 5; do
    timeout -s KILL 5 "$TESSERA_MPIEXEC" -n 3 "$programs/abort_finalize" >/dev/null 2>&1
    codes="$codes $?"
  done
  case $codes in *137*) echo "the launcher hung" ;; *139*) echo "the launcher crashed" ;; *) echo "ended" ;; esac >"$output"
  says "."
}

# there PROGRAM [ARGUMENT...]: on four ranks of two hosts.
there() {
  title="two hosts, $*"
  name=$1
  shift
  RUN_TIMEOUT=15 hosts_run 4 "$programs/$name" "$@" >"$output" 2>&1
}

# Whether the job that runs in the background ends within so many seconds.
ends_within() {
  for _ in $(seq $(($1 * 10))); do
    kill -0 $job 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}

# cut_link [OPTION...]: the link to the second host goes down, then all ranks die, then it is up again: when the launcher ends.
cut_link() {
  title="two hosts, cut_link $*"
  mark=$hosts_dir/cut
  rm -f "$mark"
  : >"$output"
  RUN_TIMEOUT=40 hosts_run 4 "$@" "$programs/cut_link" "$mark" >"$output" 2>&1 &
  job=$!
  while kill -0 $job 2>/dev/null && ! grep -q "all are there" "$output"; do sleep 0.1; done
  hosts_link h2 down
  answer="ends when the link is cut"
  ends_within 8 || {
    touch "$mark"
    answer="ends when all ranks have died"
    ends_within 5 || answer="ends once the link is back"
  }
  hosts_link h2 up
  wait $job
  [ $? -ne 124 ] || answer="stays, also when the link is back"
  echo "the launcher $answer" >"$output"
  says "^the launcher"
}

window="^MPI_Win_create fails|^a window of|^what was put there arrived"
here thread_level
says "^a plain MPI_Init gives"
here window 44 multiple
says "$window"
here window_parts 1208
says "^parts of 1208 bytes: a put arrives"
here window_parts 1216
says "^parts of 1216 bytes: a put arrives where it should"
here passive_target
says "^a put to a target|^MPI_Win_create fails"
here truncation
says "^the error (returns|goes)"
abort_in_finalize 2>/dev/null

hosts_up 2
there window 44 multiple
says "$window"
there passive_target
says "^a put to a target|^MPI_Win_create fails"
there finalize && echo "ended in order" >"$output" || echo "did not end" >>"$output"
says "^ended in order|^did not end"
cut_link
if [ "$TESSERA_MPI" = openmpi ]; then
  cut_link --mca oob_tcp_keepalive_time 1 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3
  export OMPI_MCA_osc=sm,pt2pt
  there window 44
  title="$title, osc/pt2pt"
  says "$window"
  there window 44 multiple
  title="$title, osc/pt2pt"
  says "$window"
  there passive_target
  title="$title, osc/pt2pt"
  says "^a put to a target"
fi
rm -f "$output"
exit $((failures > 0))
