#!/bin/sh
# The death of a unit is reported, whatever its cause. The other units soon end with an exit code other than 0, and the
# library leaves nothing behind.
set -u
. "$(dirname "$0")/../support/fault.sh"

# die HOW UNITS PATTERN: the job fails, one line matches the pattern, and at most one monitor reports the end of the job.
die() {
  job "$2" "$TESSERA_BUILD_DIR/tests/fault/die" "$1"
  fails
  says_once "$3"
  check "several reports of monitors" [ "$(count "(TSR-0337|TSR-0338|TSR-0340|TSR-0341)")" -le 1 ]
}

before=$(ls /dev/shm 2>/dev/null | grep -c tessera)
for units in 2 4; do
  last=$((units - 1))
  die kill $units "TSR-0337 $last"
  die segv $units "unit $last TSR-0399 SIGSEGV"
  die abort $units "unit $last TSR-0399 SIGABRT"
  die exit $units "unit $last (TSR-0312|TSR-0314)"
  die computing $units "TSR-0337 $last"
  die leak $units "TSR-0337 $last"
done
die exit3 1 "unit 0 TSR-0314 3"
after=$(ls /dev/shm 2>/dev/null | grep -c tessera)
check "something of ours is left in /dev/shm" [ "$before" = "$after" ]
finish
