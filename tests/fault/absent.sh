#!/bin/sh
# If a unit is late for a collective or for a message, the watchdog of the waiting unit names it. When it arrives, the
# job continues.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/absent

# stays_away UNITS NODES TEXT WHAT...
stays_away() {
  units=$1 nodes=$2 text=$3
  shift 3
  for what; do
    job "$units" TESSERA_WATCHDOG=1 TESSERA_VIRTUAL_NODES="$nodes" "$program" "$what" "$output" "$text"
    succeeds
  done
}

stays_away 3 1 "missing: unit 2, which is not inside a Tessera call" barrier bcast
stays_away 6 1 "missing: unit 5, which is not inside a Tessera call" barrier bcast
stays_away 4 2 "missing: unit 3, which is not inside a Tessera call" barrier
stays_away 4 2 "missing: unit 0, which waits for unit 2, on another node" barrier
stays_away 2 2 "unit 1, on another node, in a barrier or collective of team 0, or some call it differently" barrier bcast
for nodes in 1 2; do
  stays_away 4 $nodes "members of team 0 in non-blocking collective 1, which waits for unit 3, which is not inside a Tessera call, or some call it differently" barrier_nb allreduce_nb
done
stays_away 4 1 "members of team 0 in split-phase barrier 1; missing: unit 3, which is not inside a Tessera call" named
stays_away 4 2 "non-blocking collective 1 of team 0 waits for unit 3, which is not inside a Tessera call, or some call it differently" named

# exchange NODES WHAT
exchange() {
  job 8 TESSERA_WATCHDOG=1 TESSERA_VIRTUAL_NODES="$1" "$program" "$2" "$output" \
    "for a message from any unit with tag 10; 1 other non-blocking operation of this unit is under way" \
    "for a message from unit 7 with tag 11" "for unit 7 to receive a message with tag 12" \
    "for unit 7 to receive a message with tag 13" "for unit 7 to receive a message with tag 14; unit 7 is not inside a Tessera call" \
    "for a message from any unit with any tag" "for unit 7 in the creation of a team; unit 7 is not inside a Tessera call"
}

exchange 2 messages
succeeds
exit_barrier on
exchange 1 death
fails
says "TSR-0342 0 message 10"
says "TSR-0342 2 7 receive 12"
says "TSR-0342 6 7 team"
finish
