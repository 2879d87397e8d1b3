#!/bin/sh
# Wrong arguments on one unit only end a job on several nodes, with a message that names the unit. With TESSERA_CHECK=1,
# or on one node, the call returns an error on all units and the job continues.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/coll_error

for call in bcast gather scatter allreduce allgather alltoall; do
  job 3 TESSERA_VIRTUAL_NODES=2 "$program" $call
  fails
  says "TSR-0309 2 3 0"
done

# The unit's own node has no data.
job 4 TESSERA_VIRTUAL_NODES=2 "$program" allgatherv
fails
says "TSR-0309 [23] 3 0"

for call in bcast alltoall; do
  for setting in "TESSERA_CHECK=1 TESSERA_VIRTUAL_NODES=2" TESSERA_CHECK=1 TESSERA_CHECK=0; do
    # shellcheck disable=SC2086 # several settings
    job 3 $setting "$program" $call
    succeeds
    says "dart_$call: "
  done
done
finish
