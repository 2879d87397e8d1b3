#!/bin/sh
# A wait for room in the ring of a unit that makes no progress is reported: by the watchdog while it lasts, and by the
# monitor when the other unit dies. The messages arrive when the unit makes progress. Without the watchdog (0), which also
# wakes sleepers, only the receiver wakes the sender.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/room
job_seconds=25

for units in 2 4; do
  job $units TESSERA_WATCHDOG=1 TESSERA_ERRORS=all "$program" named "$output"
  succeeds
  job $units TESSERA_WATCHDOG=0 "$program" asleep
  succeeds
done
job 2 TESSERA_WATCHDOG=0 "$program" dies
fails
says "TSR-0342 0 room 1 [0-9]+"
finish
