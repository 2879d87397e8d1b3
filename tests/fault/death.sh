#!/bin/sh
# A unit that dies is named, whatever it dies of; the others end soon, with an exit code that is not zero; nothing of
# ours is left behind.
set -u
. "$(dirname "$0")/../support/fault.sh"

# die HOW UNITS PATTERN: the job fails, and one line matches the pattern. Nobody says more than once that the job ends.
die() {
  job "$2" "$TESSERA_BUILD_DIR/tests/fault/die" "$1"
  fails
  says_once "$3"
  check "several lines say that the job ends" [ "$(grep -c "the job ends" "$output")" -le 1 ]
}

before=$(ls /dev/shm 2>/dev/null | grep -c tessera)
for units in 2 4; do
  last=$((units - 1))
  die kill $units "unit $last \(process .*was killed"
  die segv $units "unit $last @[^ ]*\] .*dies of signal SIGSEGV"
  die abort $units "unit $last @[^ ]*\] .*dies of signal SIGABRT"
  die exit $units "unit $last @[^ ]*\] .*ended without ending Tessera"
  die computing $units "unit $last \(process .*was killed"
  die leak $units "unit $last \(process .*was killed"
done
die exit3 1 "unit 0 @[^ ]*\] .*ended without ending Tessera, with exit code 3"
after=$(ls /dev/shm 2>/dev/null | grep -c tessera)
check "something of ours is left in /dev/shm" [ "$before" = "$after" ]
finish
