#!/bin/sh
# Non-blocking collectives that differ, or fail on one unit, end the job with a message that names the unit and the
# call.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start
program=$TESSERA_BUILD_DIR/tests/fault/mismatch_nb
collective="TSR-0900 3 0"

first="broadcast \(8 bytes, root 0\)"
differs root "$first" "broadcast \(8 bytes, root 1\)"
differs none "$first" "broadcast \(0 bytes, root 0\)"
first="allreduce \(8 bytes: SUM of I64\)"
differs size "$first" "allreduce \(16 bytes: SUM of I64\)"
differs operation "$first" "allreduce \(8 bytes: MAX of I64\)"
differs type "$first" "allreduce \(8 bytes: SUM of F64\)"
differs call "allgather \(8 bytes\)" barrier
differs counts "reduce_scatter \(24 bytes: SUM of I64, counts of digest [0-9a-f]+\)" \
  "reduce_scatter \(24 bytes: SUM of I64, counts of digest [0-9a-f]+\)"
for nodes in 1 2; do
  for what in refuse refuse-bcast; do
    job 3 TESSERA_VIRTUAL_NODES=$nodes "$program" $what
    fails
    says "TSR-0309 unit 2 3 0"
    says "TSR-2017 NULL"
  done
done

# Members on a node compare what they start.
same_node() {
  job $1 TESSERA_VIRTUAL_NODES=1 "$program" $2
  fails
  says "TSR-0378 [0-$(($1 - 1))] 0 [0-$(($1 - 1))]"
}
for what in root size operation type kind kind-long; do same_node 2 $what; done
for units in 2 3 6; do
  same_node $units call
  same_node $units call-turned
done

# Between nodes a message carries its size, and if that is the same, the number of its call.
job 2 TESSERA_VIRTUAL_NODES=2 "$program" size
fails
says "TSR-0902"
another="3 0 [01] [01]" # the third call of team 0, and the units
for what in type operation; do
  job 2 TESSERA_VIRTUAL_NODES=2 "$program" $what
  fails
  says "TSR-0901 allreduce $another"
done
for what in kind kind-long; do
  job 2 TESSERA_VIRTUAL_NODES=2 "$program" $what
  fails
  says "TSR-0901 (allgather|broadcast) $another"
done

# The sizes select different algorithms.
job 2 TESSERA_VIRTUAL_NODES=2 "$program" algorithm
fails
says "TSR-0902 broadcast 3 0 1 8 0 [0-9]{5,}"
finish
