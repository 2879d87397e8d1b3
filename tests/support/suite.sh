# Programs of tests/spmd across hosts; for scripts, which source hosts.sh and this file and call hosts_up before.
#
#   suite_run UNITS PROGRAM...   runs each once, in every mode of progress; says what fails, with its output
#   suite_all                    the same with all programs, on the numbers of units that each asks for; cases run in their groups
#   suite_counted UNITS PROGRAM...   runs each once with statistics: what they count as bytes to other nodes went over the network
#   suite_end                    checks that in each mode a known number of bytes goes over the network, and ends the script
#
# SUITE_MODES lists values of TESSERA_PROGRESS; "default" leaves it alone, "ucx" too, and takes the wire over UCX. SUITE_SECONDS
# is how long a run may take. SUITE_VERBOSE=1 names every run as it begins. SUITE_FROM=PROGRAM begins suite_all at that program: a
# run of hours that was interrupted goes on there.
suite_modes=${SUITE_MODES:-default}
suite_programs=$TESSERA_BUILD_DIR/tests/spmd
suite_sources=$(dirname "$0")/../spmd
suite_runs=0
suite_skipped=0
suite_at="no program"

suite_fail() { hosts_fail "$hosts_n hosts: $suite_at: $1"; }

# Ranks for this many units in this mode: each host has its agents besides.
suite_ranks() {
  case $2 in
  process:*) echo $(($1 + hosts_n * ${2#process:})) ;;
  *) echo "$1" ;;
  esac
}

suite_begin() {
  suite_at=$1
  [ "${SUITE_VERBOSE:-0}" = 0 ] || echo "$hosts_n hosts: $suite_at"
}

# Even the shortest program forms its nodes over the network. Those that say 77 have found nothing to do.
suite_judge() {
  suite_runs=$((suite_runs + 1))
  if [ "$1" -eq 77 ]; then suite_skipped=$((suite_skipped + 1)); fi
  if [ "$1" -ne 0 ] && [ "$1" -ne 77 ]; then suite_fail "ended with $1"; fi
  if [ "$1" -eq 0 ] && [ "$2" -lt 10000 ]; then suite_fail "only $2 bytes went over the network"; fi
}

suite_run_in() {
  mode=$1
  units=$2
  shift 2
  suite_begin "$(basename "$1") on $units units, progress $mode"
  case $mode in
  default) ;;
  ucx) export TESSERA_NET=ucx TESSERA_UCX_KEEPALIVE_INTERVAL=inf ;; # so that a lost wake-up is a hang
  *) export TESSERA_PROGRESS="$mode" ;;
  esac
  # Between nodes a call with wrong arguments on one unit fails on all units only with TESSERA_CHECK=1.
  if [ "$(basename "$1")" = dart_coll_error ]; then export TESSERA_CHECK=1; fi
  suite_bytes=$(hosts_bytes)
  TESSERA_ERRORS=all TESSERA_WATCHDOG=60 RUN_TIMEOUT=${SUITE_SECONDS:-150} \
    hosts_run "$(suite_ranks "$units" "$mode")" "$@" >"$hosts_dir/output" 2>&1
  code=$?
  suite_bytes=$(($(hosts_bytes) - suite_bytes))
  unset TESSERA_PROGRESS TESSERA_NET TESSERA_UCX_KEEPALIVE_INTERVAL TESSERA_CHECK
  suite_judge $code $suite_bytes
}

# Whether a program is about the wire over MPI (see tests/CMakeLists.txt).
suite_needs_mpi() { cat "$suite_sources/$1".c* 2>/dev/null | grep -q '^[/ ]\**\* Wire: mpi'; }

# Whether a program says in its first comment that its jobs are too small for more than two hosts.
suite_takes_two_hosts() { cat "$suite_sources/$1".c* 2>/dev/null | grep -q '^[/ ]\**\* Hosts: at most 2'; }

# Whether a program says in its first comment that its jobs leave no process for an agent on some hosts.
suite_has_no_agents() { cat "$suite_sources/$1".c* 2>/dev/null | grep -q '^[/ ]\**\* Hosts: no agents'; }

suite_run() {
  suite_units=$1
  shift
  for suite_mode in $suite_modes; do
    for suite_program in "$@"; do
      if [ "$suite_mode" = ucx ] && suite_needs_mpi "$suite_program"; then continue; fi
      if [ "$hosts_n" -gt 2 ] && suite_takes_two_hosts "$suite_program"; then continue; fi
      case $suite_mode in process:*) if suite_has_no_agents "$suite_program"; then continue; fi ;; esac
      suite_run_in "$suite_mode" "$suite_units" "$suite_programs/$suite_program"
    done
  done
}

# On two hosts: all that crosses is on the counters of the first one.
suite_counted() {
  suite_units=$1
  shift
  export TESSERA_STATS=1
  for suite_program in "$@"; do
    suite_run_in default "$suite_units" "$suite_programs/$suite_program"
    suite_known=$(awk '$1 == "[tessera]" && $2 ~ /^(put|get|accumulate)$/ { sum += $5 } END { printf "%.0f\n", sum }' \
      "$hosts_dir/output")
    [ "$suite_known" -gt 0 ] || suite_fail "the statistics count no bytes to other nodes"
    [ $suite_bytes -ge "$suite_known" ] || suite_fail "only $suite_bytes of $suite_known bytes went over the network"
  done
  unset TESSERA_STATS
}

# The cases of a group; nothing for a program of its own.
suite_cases() {
  if [ -e "$suite_programs/$1.cases" ]; then sed 's/CASE(\(.*\))/\1/' "$suite_programs/$1.cases"; fi
}

# Programs of their own, and groups; not programs whose source lies elsewhere, as these run on one node only.
suite_list() {
  cases=" $(cat "$suite_programs"/*.cases | sed 's/CASE(\(.*\))/\1/' | tr '\n' ' ')"
  for suite_name in $(ls "$suite_programs"); do
    case $suite_name in *.cases) continue ;; esac
    case $cases in *" $suite_name "*) continue ;; esac
    if [ -e "$suite_programs/$suite_name.cases" ] || ls "$suite_sources/$suite_name".c* >/dev/null 2>&1; then echo "$suite_name"; fi
  done
}

# Four and seven units; a program that takes only others says so in its first comment, a group in that of its first case (see
# tests/CMakeLists.txt).
suite_counts() {
  first=$(suite_cases "$1" | head -n 1)
  wanted=$(sed -n 's/^[/ ]\**\* Units: \([0-9 ]*\).*/\1/p' "$suite_sources/${first:-$1}".c* | head -n 1)
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
  for suite_name in $(suite_list | sed -n "\\,^${SUITE_FROM:-.*}\$,,\$p"); do
    # Open MPI makes no window between hosts as it is started here: tests/nodes/window.sh.
    if [ "$suite_name $TESSERA_MPI" = "window openmpi" ]; then continue; fi
    # It starts no job.
    if [ "$suite_name" = gasnet_tools_alone ]; then continue; fi
    for suite_count in $(suite_counts "$suite_name"); do suite_run "$suite_count" "$suite_name"; done
  done
}

# How the processes reach each other is decided by the hosts, the MPI and the mode, not by the program.
suite_carry() {
  suite_begin "a known number of bytes, progress $1"
  set -- "$1" "$(suite_ranks $((2 * hosts_n)) "$1")"
  case $1 in
  default) set -- "$2" ;;
  ucx) set -- "$2" TESSERA_NET=ucx ;;
  *) set -- "$2" TESSERA_PROGRESS="$1" ;;
  esac
  RUN_TIMEOUT=100 hosts_carry "$@" || suite_fail "failed, or did not go over the network"
}

suite_end() {
  for suite_mode in $suite_modes; do suite_carry "$suite_mode"; done
  suite_bytes=$(($(hosts_bytes) - suite_bytes_before))
  echo "$hosts_n hosts: $suite_runs runs, $suite_skipped of them skipped, $suite_bytes bytes over the network," \
    "$failures failures"
  exit $((failures > 0))
}

trap 'echo "$hosts_n hosts: $suite_at: stopped"; exit 1' INT TERM
suite_bytes_before=$(hosts_bytes)
