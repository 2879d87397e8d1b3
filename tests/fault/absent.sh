#!/bin/sh
# A unit that does not come to a collective is named by the watchdog of who waits for it; when it comes the job goes on.
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

stays_away 3 1 "missing: unit 2, which is in no wait of ours" barrier bcast
stays_away 6 1 "missing: unit 5, which is in no wait of ours" barrier bcast
stays_away 4 2 "missing: unit 3, which is in no wait of ours" barrier
stays_away 4 2 "missing: unit 0, which waits for unit 2, on another node" barrier
stays_away 2 2 "unit 1, on another node, in a barrier or collective of team 0" barrier bcast
for nodes in 1 2; do
  stays_away 4 $nodes "of team 0 that goes on in steps waits for unit 3" barrier_nb allreduce_nb named
done
finish
