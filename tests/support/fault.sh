# Jobs that are meant to go wrong, and what they say of it. For scripts of tests/fault, which source this file and end
# with `finish`. A failed check shows the job and its output, and the script goes on.
#
#   job UNITS [VARIABLE=VALUE...] PROGRAM [ARGUMENT...]   runs a program; sets `code` and fills the file "$output"
#   succeeds, fails       how the job ended: a failed one did so by itself, with an exit code that is not zero
#   says PATTERN          a line of the output matches; says_once: just one. For an error or a warning of the library a pattern is
#                         "[unit N] TSR-0123 VALUE...", see message.sh
#   says_alone PATTERN    a line of the output matches, and no unit says anything else that went wrong; monitors may
#   says_each PATTERN     the same where several units do it wrong: no unit says more than one
#   wrong_on_nodes HOW WHAT PATTERN   on one node and on two, "$program" WHAT of two units fails, and the output is as HOW wants it:
#                         says, says_alone or says_each
#   differs WHAT FIRST LAST   with TESSERA_CHECK=1, on one node and on two, "$program" WHAT of three units fails: one message
#                         on a unit, "$collective", names FIRST, which the others call, and LAST, which the last one does
#   is_full               this is not a run of `make check`, where a script with many like jobs takes some of them (spmd/check.h)
#   choose_nodes          sets `nodes_wanted` to the numbers of nodes that a mistake is made on: 1 and 2, in `make check` one of
#                         them, in turns
#   check WHAT COMMAND... the command succeeds; else WHAT is wrong
#   at_once               from here on Open MPI's launcher kills the remaining units of a failed job at once, instead of
#                         after a second: for tests that check only the output of the failed unit; and what quick_start does
#   quick_start           from here on MPI starts sooner, with one transport. For scripts of many jobs
#   exit_barrier on|off   on: from here on the launcher sees no unit end before all have ended. Otherwise it may kill units
#                         before the monitor of another node runs, or drop output of units that end before MPI starts:
#                         for tests whose monitors have to agree which unit died first
output=$(mktemp)
ended=$output.ended
export OMPI_MCA_orte_tmpdir_base=$output.folder # as in scripts/mpirun; removed by finish
mkdir "$output.folder"
trap 'rm -f "$output" "$ended"' EXIT
support=$(dirname "$0")/../support
. "$support/message.sh"
failures=0
has_exit_barrier=
job_seconds=50

check() {
  what=$1
  shift
  "$@" && return
  echo "$(basename "$0"): $job: $what"
  sed 's/^/  /' "$output"
  failures=$((failures + 1))
}

job() {
  units=$1
  shift
  job="$* on $units units"
  code=0
  barrier=$has_exit_barrier
  # A program that does it "early" ends before MPI starts.
  case $job in *" early"*) barrier=yes ;; esac
  : >"$ended"
  timeout -k 5 $job_seconds "$TESSERA_MPIEXEC" -n "$units" ${barrier:+sh "$support/exit_barrier.sh" "$units" "$ended"} env "$@" \
    >"$output" 2>&1 || code=$?
  # MPICH's launcher may lose the code, or replace that of MPI_Abort by 1 (docs/mpi-notes.md).
  [ $code -ne 0 ] || code=$(grep -vx -m1 0 "$ended" || echo 0)
  [ $code -ne 1 ] || code=$(sed -n 's/^Abort(\([0-9]*\)) on node.*/\1/p' "$output" | grep -m1 . || echo 1)
}

exit_barrier() { [ "$1" = off ] && has_exit_barrier= || has_exit_barrier=yes; }
at_once() {
  export OMPI_MCA_odls_base_sigkill_timeout=0
  quick_start
}
# MPICH's processes of a node otherwise spin at the start until all have mapped their shared memory.
quick_start() { export UCX_TLS=self,tcp UCX_NET_DEVICES=lo MPIR_CVAR_NOLOCAL=1; }
succeeds() { check "exit code $code" [ $code -eq 0 ]; }
fails() {
  check "exit code 0" [ $code -ne 0 ]
  check "still running after $job_seconds s" [ $code -ne 124 ]
}
count() { grep -Ec "$(message "$1")" "$output"; }
says() { check "no line matches '$1'" [ "$(count "$1")" -gt 0 ]; }
says_once() {
  says "$1"
  check "$(count "$1") lines match '$1'" [ "$(count "$1")" -le 1 ]
}
errors() { grep -Eo '\[tessera unit [^]]*\] error:' "$output"; }
is_alone() { [ "$(errors | wc -l)" -eq 1 ]; }
is_alone_each() { [ -z "$(errors | sort | uniq -d)" ]; }
says_alone() {
  says "$1"
  check "$(errors | wc -l) lines are errors" is_alone
}
says_each() {
  says "$1"
  check "a unit says more than one error" is_alone_each
}
is_full() { [ -z "${CHECK_BRIEF:-}" ]; }
nodes_next=2 # the other MPI begins with the other
[ "${TESSERA_MPI:-mpich}" = mpich ] || nodes_next=1
choose_nodes() {
  nodes_wanted="1 2"
  is_full && return
  nodes_wanted=$nodes_next
  nodes_next=$((3 - nodes_next))
}
wrong_on_nodes() {
  choose_nodes
  for nodes in $nodes_wanted; do
    job 2 TESSERA_VIRTUAL_NODES=$nodes "$program" "$2"
    fails
    "$1" "$3"
  done
}
differs() {
  choose_nodes
  for nodes in $nodes_wanted; do
    job 3 TESSERA_CHECK=1 TESSERA_VIRTUAL_NODES=$nodes "$program" "$1"
    fails
    message=$(message "$collective")
    says "$message.*(unit [01] calls $2, unit 2 calls $3|unit 2 calls $3, unit [01] calls $2)"
    check "a unit says it twice" [ -z "$(grep -E "$message" "$output" | grep -o '^\[tessera unit [^]]*\]' | sort | uniq -d)" ]
  done
}
finish() {
  rm -rf "$output.folder"
  exit $((failures > 0))
}
