#!/bin/sh
# Non-blocking collectives that differ, or that one unit refuses, end the job with a message that says who and what.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/mismatch_nb

for nodes in 1 2; do
  for what in root size none operation call; do
    job 3 TESSERA_CHECK=1 TESSERA_VIRTUAL_NODES=$nodes "$program" $what
    fails
    says "non-blocking collective 3 of team 0: unit [0-2] calls .* unit [0-2] calls "
  done
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

# The sizes pick different algorithms.
job 2 TESSERA_VIRTUAL_NODES=2 "$program" algorithm
fails
says "broadcast, non-blocking collective 3 of team 0: unit 1 expects 8 bytes from unit 0, which sends [0-9]{5}"
finish
