#!/bin/sh
# With TESSERA_CHECK=1 different collective calls on one team end the job, with a message that says which. Without it they
# may go unnoticed, but do so as well where one would touch another's memory.
set -u
. "$(dirname "$0")/../support/fault.sh"

for nodes in 1 2; do
  for what in root size call operation type nothing; do
    job 3 TESSERA_CHECK=1 TESSERA_VIRTUAL_NODES=$nodes "$TESSERA_BUILD_DIR/tests/fault/mismatch" $what
    fails
    says "collective call on team 0: unit [01] calls (broadcast|barrier|allreduce) \(.*\), unit 2 calls .*; let all|unit 2 calls .*, unit 0 calls"
  done
done
for units in 3 6; do
  for what in large-call large-root large-scatter; do
    job $units TESSERA_CHECK=0 "$TESSERA_BUILD_DIR/tests/fault/mismatch" $what
    fails
    says "makes another collective call on team 0 than unit"
  done
done
finish
