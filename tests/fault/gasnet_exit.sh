#!/bin/sh
# Whoever ends a job of GASNet's, from wherever, ends all of it, with its exit code; nothing stays behind. One that ends well
# alone is waited for a while before.
set -u
. "$(dirname "$0")/../support/fault.sh"

# ends UNITS HOW CODE [VARIABLE=VALUE...]: the job ends by itself, with this code.
ends() {
  units=$1 how=$2 wanted=$3
  shift 3
  for program in gasnet_exit gasnet_exit_par; do
    job "$units" "$@" GASNET_EXITTIMEOUT=1 "$TESSERA_BUILD_DIR/tests/fault/$program" "$how" "$wanted"
    check "exit code $code, not $wanted" [ $code -eq "$wanted" ]
  done
}

left() { pgrep -cf "$TESSERA_BUILD_DIR/tests/fault/gasnet_exit"; }

before=$(ls /dev/shm 2>/dev/null | grep -c tessera)
ends 1 together 5
ends 1 loopback 6
for nodes in 1 2; do
  v=TESSERA_VIRTUAL_NODES=$nodes
  ends 3 together 0 $v
  ends 3 together 1 $v
  ends 3 return 2 $v
  ends 2 exit 3 $v
  ends 2 handlers 10 $v
  ends 3 alone_barrier 3 $v
  ends 2 alone_barrier 0 $v
  ends 3 alone_spin 5 $v
  ends 3 alone_handler 11 $v
  ends 2 loopback 12 $v
  ends 2 thread 15 $v
done
ends 2 before 4
ends 3 unattached 7
ends 2 signal 4
ends 3 alone_return 8
job 3 "$TESSERA_BUILD_DIR/tests/fault/gasnet_exit" fatal 1
fails
says "unit 2 @[^ ]*\] error: the test wants it so"
after=$(ls /dev/shm 2>/dev/null | grep -c tessera)
check "something of ours is left in /dev/shm" [ "$before" = "$after" ]
check "a process is left" [ "$(left)" -eq 0 ]
finish
