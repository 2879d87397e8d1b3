#!/bin/sh
# A process that ends a GASNet job, at any place, ends the whole job with its exit code, and nothing is left behind. If
# a process ends alone with code 0, the job waits for the others for a while.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start

# ends UNITS HOW CODE [VARIABLE=VALUE...]: the job ends with this code. The program is gasnet_exit$mode.
mode=
ends() {
  units=$1 how=$2 wanted=$3
  shift 3
  job "$units" "$@" GASNET_EXITTIMEOUT=1 "$TESSERA_BUILD_DIR/tests/fault/gasnet_exit$mode" "$how" "$wanted"
  check "exit code $code, not $wanted" [ $code -eq "$wanted" ]
}

# The monitor of a node ends a moment after its last unit.
nothing_left() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    pgrep -f "$TESSERA_BUILD_DIR/tests/fault/gasnet_exit" >/dev/null || return 0
    sleep 0.2
  done
  return 1
}

before=$(ls /dev/shm 2>/dev/null | grep -c tessera)
ends 1 together 5
ends 1 loopback 6
choose_nodes
for nodes in $nodes_wanted; do
  v=TESSERA_VIRTUAL_NODES=$nodes
  mode=
  ends 3 together 0 $v
  ends 3 return 2 $v
  ends 2 handlers 10 $v
  ends 3 alone_barrier 3 $v
  ends 2 alone_barrier 0 $v
  ends 3 alone_spin 5 $v
  ends 3 alone_handler 11 $v
  mode=_par
  ends 3 together 1 $v
  ends 2 exit 3 $v
  ends 2 alone_barrier 13 $v
  ends 2 loopback 12 $v
  ends 2 thread 15 $v
  ends 2 SIGTERM 23 $v
  mode=
  ends 3 SIGINT 21 $v
  ends 2 SIGTERM 22 $v
  ends 1 SIGTERM 24
  ends 2 SIGPIPE 25 $v
  ends 2 SIGHUP 28 $v # although an MPI's UCX catches it
  ends 2 SIGTERM 0 $v
  ends 2 heard 29 $v
  for how in late late_return; do
    for wanted in 0 31; do
      ends 2 $how $wanted $v
      says "polls late"
      check "a call of GASNet after its end came back" [ "$(count "comes back")" -eq 0 ]
    done
  done
  mode=_par
  ends 2 late_return 0 $v
  says "polls late"
  mode=
done
ends 2 alone_return 9

# What units have counted comes before their end, also where threads of the program go on until then.
file=$(mktemp)
trap 'rm -f "$output" "$ended" "$file"' EXIT
for nodes in 1 2; do
  for mode in "" _par; do
    : >"$file"
    ends 2 counted 7 TESSERA_VIRTUAL_NODES=$nodes TESSERA_STATS=1 TESSERA_STATS_FILE="$file"
    for unit in 0 1; do says "^\[tessera unit $unit @.* 2 more of this kind were not printed: TSR-4024"; done
    says_once "^\[tessera\] bcast +2 "
    check "the file has no table" grep -Eq "^\[tessera\] bcast +2 " "$file"
  done
done
mode=
ends 2 before 4
ends 3 unattached 7
ends 2 signal 4
ends 3 alone_return 8
job 3 "$TESSERA_BUILD_DIR/tests/fault/gasnet_exit" fatal 1
fails
says "unit 2 TSR-4190"
job 2 "$TESSERA_BUILD_DIR/tests/fault/gasnet_exit" unheard 1
fails
says "TSR-0337 1 SIGTERM"
job 2 "$TESSERA_BUILD_DIR/tests/fault/gasnet_exit" second 1
fails
says "TSR-0337 1 SIGTERM"
job 2 TESSERA_VIRTUAL_NODES=2 "$TESSERA_BUILD_DIR/tests/fault/gasnet_exit" SIGTERM 30
says "TSR-4094 unit 1 code 30 in a handler"
job 2 GASNET_NO_CATCH_SIGNAL=SIGINT,SIGTERM "$TESSERA_BUILD_DIR/tests/fault/gasnet_exit" SIGTERM 26
fails
check "the client heard of a signal that it wants to have itself" [ $code -ne 26 ]

# A signal to the launcher ends the job, after the clients have received it.
"$TESSERA_MPIEXEC" -n 2 "$TESSERA_BUILD_DIR/tests/fault/gasnet_exit" launcher 27 >"$output" 2>&1 &
launcher=$!
job="launcher on 2 units"
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  ! grep -q "all are up" "$output" || break
  sleep 0.5
done
kill -TERM $launcher
code=0
wait $launcher || code=$?
fails
says "a unit hears SIGQUIT"
after=$(ls /dev/shm 2>/dev/null | grep -c tessera)
check "something of ours is left in /dev/shm" [ "$before" = "$after" ]
check "a process is left" nothing_left
finish
