#!/bin/sh
# An access to registered memory that its owner, on another node, has deregistered: the job ends, the owner reports why,
# and nothing is written. If the memory is of a heap, the access is not detected.
set -u
. "$(dirname "$0")/../support/fault.sh"
for how in put add get; do
  job 2 TESSERA_VIRTUAL_NODES=2 "$TESSERA_BUILD_DIR/tests/fault/ended" $how
  fails
  says_alone "unit 1 TSR-0610 0 8 1"
done
for how in put add; do
  job 2 TESSERA_VIRTUAL_NODES=2 "$TESSERA_BUILD_DIR/tests/fault/ended" $how heap
  succeeds
done
finish
