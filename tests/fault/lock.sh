#!/bin/sh
# If the holder of a lock dies, a message names it, its lock, and the units that waited for the lock; the job ends with
# a non-zero exit code. A unit that dies while it waits for a lock is not reported as a holder.
set -u
. "$(dirname "$0")/../support/fault.sh"
exit_barrier on

# dies WHO UNITS NODES
dies() {
  job "$2" TESSERA_VIRTUAL_NODES="$3" "$TESSERA_BUILD_DIR/tests/fault/lock" "$1"
  fails
}

for units in 2 4; do
  last=$((units - 1))
  dies holder $units 1
  says "unit $last \(process .*was killed"
  says "unit $last held 1 of the program's locks"
  says "unit 0 was waiting for a lock that unit [0-9]+ holds or waits for"
done
dies holder 4 2
says "unit 3 \(process .*was killed"
says "unit 3 held 1 of the program's locks"
dies waiter 4 1
says "unit 3 \(process .*was killed"
check "a unit that waited is said to have held a lock" [ "$(grep -c held "$output")" -eq 0 ]
finish
