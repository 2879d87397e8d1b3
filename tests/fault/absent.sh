#!/bin/sh
# If a unit is late for a collective or for a message, the watchdog of the waiting unit names it. When it arrives, the
# job continues.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/absent

# stays_away UNITS NODES WORDS WHAT...: the report has these words in this order.
seconds=1
stays_away() {
  units=$1 nodes=$2 words=$3
  shift 3
  for what; do
    job "$units" TESSERA_WATCHDOG=$seconds TESSERA_ERRORS=all TESSERA_VIRTUAL_NODES="$nodes" "$program" "$what" "$output" "$words"
    succeeds
  done
}

stays_away 3 1 "missing unit 2 not inside" barrier bcast
stays_away 6 1 "missing unit 5 not inside" barrier
is_full && stays_away 6 1 "missing unit 5 not inside" bcast
stays_away 4 2 "missing unit 3 not inside" barrier
stays_away 4 2 "missing unit 0 waits unit 2 node" barrier
stays_away 2 2 "unit 1 node barrier team 0 TESSERA_CHECK=1" barrier bcast
for what in barrier_nb allreduce_nb; do
  choose_nodes
  for nodes in $nodes_wanted; do
    stays_away 4 $nodes "team 0 non-blocking collective 1 unit 3 not inside TESSERA_CHECK=1" $what
  done
done

# What a unit of another node does. A report waits for the answer for three quarters of the watchdog's time.
seconds=8
stays_away 4 2 "missing unit 0 waits unit 2 node unit 2 waits team 0 barrier missing unit 3 not inside" barrier
job 4 TESSERA_WATCHDOG=$seconds TESSERA_VIRTUAL_NODES=2 "$program" cycle "$output" "unit waits unit cycle unit waits unit which waits unit which waits unit"
fails
says "TSR-0007 8 5 a cycle"
seconds=1
job 2 TESSERA_WATCHDOG=1 TESSERA_VIRTUAL_NODES=2 TESSERA_PROGRESS=none "$program" barrier "$output" "unit 1 not answer not inside"
succeeds

stays_away 4 1 "team 0 split-phase barrier 1 missing unit 3 not inside" named
stays_away 4 2 "non-blocking collective 1 team 0 unit 3 not inside TESSERA_CHECK=1" named

# exchange NODES WHAT: each unit waits for unit 7 in another way.
exchange() {
  job 8 TESSERA_WATCHDOG=1 TESSERA_ERRORS=all TESSERA_VIRTUAL_NODES="$1" "$program" "$2" "$output" \
    "message any unit tag 10 1 other non-blocking" "message unit 7 tag 11" "unit 7 receive tag 12" "unit 7 receive tag 13" \
    "unit 7 receive tag 14 unit 7 not inside" "message any unit any tag" "unit 7 team unit 7 not inside"
}

exchange 2 messages
succeeds

# Without TESSERA_ERRORS=all one unit of a node reports, on the first node and where a unit does not wait.
job 4 TESSERA_WATCHDOG=1 "$program" barrier "$output" "missing unit 3 not inside"
succeeds
says_once "TSR-0007 1 0 missing unit 3"
if PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -q 'libdw\.so\.1 '; then
  check "no line says where the program calls" grep -Eq '\] called (at|in) ' "$output"
fi
job 6 TESSERA_WATCHDOG=1 TESSERA_VIRTUAL_NODES=3 "$program" barrier "$output" "[tessera unit 4 @ warning missing unit 5 not inside"
succeeds
check "not one report of the last node" [ "$(count "unit [45] TSR-0007")" -eq 1 ]
check "a report of the second node" [ "$(count "unit [23] TSR-0007")" -eq 0 ]
job 4 TESSERA_WATCHDOG=1 "$program" cycle "$output" "a cycle unit waits for unit which waits for unit which waits for unit"
fails
says "TSR-0007 1 5 a cycle"

# SIGUSR1 asks one unit.
job 3 TESSERA_WATCHDOG=0 "$program" asked "$output" "TSR-0008 SIGUSR1 team 0 missing unit 2 not inside" "TSR-0402 SIGUSR1 not inside"
succeeds
says "unit 0 TSR-0008"
says "unit 2 TSR-0402"
check "another unit reports" [ "$(count "unit 1 TSR-0008")" -eq 0 ]
job 4 TESSERA_WATCHDOG=0 TESSERA_VIRTUAL_NODES=2 "$program" asked-remote "$output" "TSR-0008 unit 0 tag 6 unit 0 waits unit 3 tag 6"
succeeds
says "unit 2 TSR-0008 0 6 0 3 6"
exit_barrier on
exchange 1 death
fails
says "TSR-0342 0 message 10"
says "TSR-0342 2 7 receive 12"
says "TSR-0342 6 7 team"
finish
