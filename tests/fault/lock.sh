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
  says "TSR-0337 $last"
  says "TSR-0339 $last 1"
  says "TSR-0342 0 lock [0-9]+"
done
dies holder 4 2
says "TSR-0337 3"
says "TSR-0339 3 1"
dies waiter 4 1
says "TSR-0337 3"
check "a unit that waited is said to have held a lock" [ "$(count TSR-0339)" -eq 0 ]
finish
