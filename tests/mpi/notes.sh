#!/bin/sh
# What the MPI at hand does where docs/mpi-notes.md says that MPIs differ. Each row has an answer for each MPI version that the
# page is about, and fails when this one gives another: then the page is wrong, or what Tessera does about it. Of a version
# that is not known the answers are only printed.
set -u
. "$(dirname "$0")/../support/hosts.sh"
programs=$TESSERA_BUILD_DIR/tests/mpi
output=$(mktemp)
failures=0

# The version's name; the rows' answers are given for mpich-4.0.2 and openmpi-4.1.4.
version=$TESSERA_MPI-$("$TESSERA_MPIEXEC" --version 2>&1 | grep -Eo '[0-9]+(\.[0-9]+)+' | head -n 1)
echo "this is $version"

# answers MPICH OPENMPI: the last output has a line like the pattern of this version, which is printed behind $title. "-": the
# row is not run with that MPI.
answers() {
  case $version in
  mpich-4.0.2) wanted=$1 ;;
  openmpi-4.1.4) wanted=$2 ;;
  *) wanted=. ;;
  esac
  grep -E -e "$wanted" "$output" | sed "s|^|$title: |"
  grep -Eq -e "$wanted" "$output" && return
  echo "$title: no line is like '$wanted', the answer of $version by docs/mpi-notes.md:"
  sed 's/^/  /' "$output"
  failures=$((failures + 1))
}

# here PROGRAM [ARGUMENT...]: on two ranks of this host.
here() {
  title="one host, $*"
  name=$1
  shift
  RUN_TIMEOUT=60 "$TESSERA_MPIEXEC" -n 2 "$programs/$name" "$@" >"$output" 2>&1
}

# An end by MPI_Abort that meets MPI_Finalize, several times: the launcher's exit codes. A stop from outside may be needed: after
# so many seconds.
abort_in_finalize() {
  title="one host, abort_finalize"
  codes=
  for _ in 1 2 3 4 5; do
    timeout -s KILL "$1" "$TESSERA_MPIEXEC" -n 3 "$programs/abort_finalize" >/dev/null 2>&1
    codes="$codes $?"
  done
  case $codes in *137*) echo "the launcher hung" ;; *139*) echo "the launcher crashed" ;; *) echo "ended" ;; esac >"$output"
}

# there PROGRAM [ARGUMENT...]: on four ranks of two hosts. MPICH's jobs hang at the end in some runs; that is awaited in vain.
there_seconds=60
case $version in mpich-4.0.2) there_seconds=15 ;; esac
there() {
  title="two hosts, $*"
  name=$1
  shift
  RUN_TIMEOUT=$there_seconds hosts_run 4 "$programs/$name" "$@" >"$output" 2>&1
}

# Whether the job that runs in the background ends within so many seconds.
ends_within() {
  for _ in $(seq $(($1 * 10))); do
    kill -0 $job 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}

# cut_link SECONDS [OPTION...]: the link to the second host goes down; unless the launcher ends within so many seconds all ranks
# die; then the link is up again: when the launcher ends.
cut_link() {
  seconds=$1
  shift
  title="two hosts, cut_link $*"
  mark=$hosts_dir/cut
  rm -f "$mark"
  : >"$output"
  RUN_TIMEOUT=60 hosts_run 4 "$@" "$programs/cut_link" "$mark" >"$output" 2>&1 &
  job=$!
  while kill -0 $job 2>/dev/null && ! grep -q "all are there" "$output"; do sleep 0.1; done
  hosts_link h2 down
  answer="ends when the link is cut"
  ends_within "$seconds" || {
    touch "$mark"
    answer="ends when all ranks have died"
    ends_within 8 || answer="ends once the link is back"
  }
  hosts_link h2 up
  wait $job
  [ $? -ne 124 ] || answer="stays, also when the link is back"
  echo "the launcher $answer" >"$output"
}

made="^what was put there arrived"
refused="^MPI_Win_create fails"
needs_call="ends when the target calls MPI"

here thread_level
answers "gives less" "gives less"
here window 44 multiple
answers "no pages are touched" "no pages are touched"
answers "$made" "$made"
here window_parts 1208
answers "arrives somewhere else" "arrives where it should"
here window_parts 1216
answers "arrives where it should" "arrives where it should"
here flush_all
answers "MPI_Win_flush_all gets are not all complete|Segmentation" "MPI_Win_flush_all gets are complete"
here passive_target
answers "$needs_call" "ends meanwhile"
here truncation
answers "goes to the handler of MPI_COMM_WORLD" "the error returns"
# Open MPI's launcher hangs, crashes or ends; a hang is awaited in vain.
case $version in openmpi-4.1.4) abort_in_finalize 5 ;; *) abort_in_finalize 30 ;; esac 2>/dev/null
answers "^ended" .

hosts_up 2
there window 44 multiple
answers "$made" "$refused"
there passive_target
answers "$needs_call" "$refused"
there finalize && echo "ended in order" >"$output" || echo "did not end" >"$output"
answers "^ended in order|^did not end" "^ended in order"
cut_link 8
answers "ends when all ranks have died" "ends once the link is back"
if [ "$TESSERA_MPI" = openmpi ]; then
  cut_link 20 --mca oob_tcp_keepalive_time 1 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3
  answers - "ends when the link is cut"
  export OMPI_MCA_osc=sm,pt2pt
  pt2pt() {
    there "$@"
    title="$title, osc/pt2pt"
  }
  pt2pt window 44
  answers - "$made"
  pt2pt window 44 multiple
  answers - "$refused"
  pt2pt passive_target
  answers - "$needs_call"
fi
rm -f "$output"
exit $((failures > 0))
