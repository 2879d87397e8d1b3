#!/bin/sh
# With TESSERA_CHECK=1 different collective calls on one team end the job, with a message that says which.
set -u
. "$(dirname "$0")/../support/fault.sh"

for what in root size call operation type nothing; do
  job 3 TESSERA_CHECK=1 "$TESSERA_BUILD_DIR/tests/fault/mismatch" $what
  fails
  says "(broadcast|barrier|allreduce) \(.*on team 0: member [0-2] makes another"
done
finish
