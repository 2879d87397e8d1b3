# Programs of tests/spmd across hosts; for scripts, which source hosts.sh and this file and call hosts_up before.
#
#   suite_run UNITS PROGRAM...   runs each once, in every mode of progress; says what fails, with its output
#   suite_all PROGRAM...         the same, on the numbers of units that each asks for
#   suite_end                    checks that what was said went over the network, and ends the script
#
# SUITE_MODES lists values of TESSERA_PROGRESS; "default" leaves it alone. SUITE_SECONDS is how long a run may take.
suite_modes=${SUITE_MODES:-default}
suite_programs=$TESSERA_BUILD_DIR/tests/spmd
suite_sources=$(dirname "$0")/../spmd
suite_failures=0
suite_runs=0

# Says what is wrong and shows the output of the last program.
suite_fail() {
  echo "$hosts_n hosts: $1:"
  tail -n 40 "$hosts_dir/output" | sed 's/^/  /'
  suite_failures=$((suite_failures + 1))
}

# Ranks for this many units in this mode: each host has its agents besides.
suite_ranks() {
  case $2 in
  process:*) echo $(($1 + hosts_n * ${2#process:})) ;;
  *) echo "$1" ;;
  esac
}

suite_run_in() {
  mode=$1
  units=$2
  shift 2
  if [ "$mode" != default ]; then export TESSERA_PROGRESS="$mode"; fi
  # Between nodes a call that one unit refuses fails on all only when it is checked.
  if [ "$(basename "$1")" = dart_refuse ]; then export TESSERA_CHECK=1; fi
  TESSERA_WATCHDOG=60 RUN_TIMEOUT=${SUITE_SECONDS:-150} hosts_run "$(suite_ranks "$units" "$mode")" "$@" >"$hosts_dir/output" 2>&1
  code=$?
  unset TESSERA_PROGRESS TESSERA_CHECK
  suite_runs=$((suite_runs + 1))
  [ $code -eq 0 ] || [ $code -eq 77 ] || suite_fail "$(basename "$1") on $units units, progress $mode, ended with $code"
}

suite_run() {
  suite_units=$1
  shift
  for suite_mode in $suite_modes; do
    for suite_program in "$@"; do suite_run_in "$suite_mode" "$suite_units" "$suite_programs/$suite_program"; done
  done
}

# Four and seven units; a program that takes only others says so in its first comment (see tests/CMakeLists.txt).
suite_counts() {
  wanted=$(sed -n 's/^[/ ]\**\* Units: \([0-9 ]*\).*/\1/p' "$suite_sources/$1".c* | head -n 1)
  counts=
  for n in ${wanted:-4 7}; do
    case $n in 4 | 7) counts="$counts $n" ;; esac
  done
  if [ -z "$counts" ]; then
    for n in $wanted; do [ "$n" -lt "$hosts_n" ] || counts="$counts $n"; done
  fi
  echo "$counts"
}

suite_all() {
  for suite_name in "$@"; do
    # Open MPI makes no window between hosts as it is started here: tests/nodes/window.sh.
    if [ "$suite_name $TESSERA_MPI" = "window openmpi" ]; then continue; fi
    for suite_count in $(suite_counts "$suite_name"); do suite_run "$suite_count" "$suite_name"; done
  done
}

# A program says at least hello.
suite_end() {
  bytes=$(($(hosts_bytes) - suite_bytes_before))
  [ $bytes -gt $((suite_runs * 10000)) ] || suite_fail "only $bytes bytes went over the network in $suite_runs runs"
  echo "$hosts_n hosts: $suite_runs runs, $bytes bytes over the network, $suite_failures failures"
  exit $((suite_failures > 0))
}

suite_bytes_before=$(hosts_bytes)
