#!/bin/sh
# Non-blocking collectives that differ, or fail on one unit, end the job with a message that names the unit and the
# call.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/mismatch_nb
collective="non-blocking collective 3 of team 0"

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
    says "unit 2 left non-blocking collective call 3 of team 0 with an error"
    says "is NULL; pass the buffer"
  done
  job 3 TESSERA_VIRTUAL_NODES=$nodes "$program" size
  fails
  says "expects .* bytes from unit"
done

# A message of the same size says of which call it is.
another="non-blocking collective 3 of team 0: unit [0-2] makes it, and unit [0-2] another call"
for nodes in 1 2; do
  for what in type operation; do
    job 3 TESSERA_VIRTUAL_NODES=$nodes "$program" $what
    fails
    says "allreduce, $another"
  done
  for what in kind kind-long; do
    job 2 TESSERA_VIRTUAL_NODES=$nodes "$program" $what
    fails
    says "(allgather|broadcast), $another"
  done
done

# The sizes pick different algorithms.
job 2 TESSERA_VIRTUAL_NODES=2 "$program" algorithm
fails
says "broadcast, non-blocking collective 3 of team 0: unit 1 expects 8 bytes from unit 0, which sends [0-9]{5}"
finish
