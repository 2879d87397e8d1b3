# Golden files of messages. For scripts of tests/fault, which source this file after fault.sh; support/golden.h is for their
# programs.
#
#   golden NAME       from here on the program is tests/fault/NAME; beside the script lies the golden file NAME.expect
#   together UNITS [VARIABLE=VALUE...] [NUMBER...]   one job makes all the wrong calls that return and need no job of their own,
#                     or the calls of these messages
#   ends UNITS [VARIABLE=VALUE...] NUMBER...   a job for each message, which the wrong call ends
#   returns UNITS [VARIABLE=VALUE...] NUMBER...   the same for calls that return, but need a job of their own
#   compare           compares what the jobs since `golden` have said with the golden file, in which each case must be
#
# A golden file has each message once, in the order of numbers, as printed but without the unit. Addresses become ADDRESS, and the
# name of this host HOST; scripts may set `golden_edits`, after `golden`, to more commands of sed -E. From a job for one message no
# other is taken. GOLDEN_UPDATE=1 in the environment writes the golden files anew.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:allocator_may_return_null=1" TSAN_OPTIONS="${TSAN_OPTIONS:-}:allocator_may_return_null=1"
golden_said=$output.said
trap 'rm -f "$output" "$ended" "$golden_said"' EXIT

golden() {
  golden_name=$1
  program=$TESSERA_BUILD_DIR/tests/fault/$1
  golden_edits=
  : >"$golden_said"
}

# golden_take PATTERN: keeps the messages of the last job whose number matches; it may be inside another message, as the reason.
golden_take() { sed -nE "s/^.*\[tessera[^]]*\] (error|warning): (.*\<TSR-$1 .*)/\1: \2/p" "$output" >>"$golden_said"; }

together() {
  golden_units=$1 golden_variables= golden_numbers=
  shift
  for word; do
    case $word in
      *=*) golden_variables="$golden_variables $word" ;;
      *) golden_numbers="$golden_numbers $word" ;;
    esac
  done
  # shellcheck disable=SC2086 # their words
  job "$golden_units" TESSERA_ERRORS=all $golden_variables "$program" ${golden_numbers:-together}
  succeeds
  golden_take '[0-9]{4}'
}

# One unit runs without the launcher: MPICH's may drop the output of a program that ends before MPI starts (docs/mpi-notes.md).
golden_job() {
  if [ "$1" -gt 1 ]; then
    job "$@"
    return
  fi
  shift
  job="$* alone" code=0
  timeout -k 5 $job_seconds env "$@" >"$output" 2>&1 || code=$?
}

# golden_alone HOW UNITS [VARIABLE=VALUE...] NUMBER...
golden_alone() {
  golden_how=$1 golden_units=$2 golden_variables=
  shift 2
  for word; do
    case $word in
      *=*) golden_variables="$golden_variables $word" ;;
      *)
        # shellcheck disable=SC2086 # its words
        golden_job "$golden_units" $golden_variables "$program" "$word"
        "$golden_how"
        check "no line has TSR-$word" grep -q "TSR-$word " "$output"
        golden_take "$word"
        ;;
    esac
  done
}

ends() { golden_alone fails "$@"; }
returns() { golden_alone succeeds "$@"; }

golden_normalise() {
  sed -E -e 's/0x[0-9a-f]{6,}/ADDRESS/g' -e "s/\<host $(uname -n)\>/host HOST/g" -e "$golden_edits" "$golden_said" |
    LC_ALL=C sort -u -k2
}

# golden_missing: the cases whose message no job has said.
golden_missing() {
  "$program" list | sort -u | while read -r number; do grep -q " TSR-$number " "$golden_said" || echo "$number"; done
}

compare() {
  golden_file=$(dirname "$0")/$golden_name.expect
  job="$golden_name"
  : >"$output"
  [ -z "${GOLDEN_UPDATE:-}" ] || [ $failures -gt 0 ] || golden_normalise >"$golden_file"
  golden_normalise | diff -u --label "$golden_name.expect" --label "$golden_name" "$golden_file" - >"$output"
  check "messages differ from the golden file" [ ! -s "$output" ]
  golden_left=$(golden_missing | tr "\n" " ")
  : >"$output"
  check "no job said the messages of these cases: $golden_left" [ -z "$golden_left" ]
}
