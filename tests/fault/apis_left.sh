#!/bin/sh
# A unit makes a wrong collective call, while the others are in a call of some interface that contains a barrier: the call returns
# an error of the interface, or ends the job with a message that names it.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/apis_left

for call in ARMCI_Barrier shmem_barrier_all shmem_sync_all shmem_sync; do
  job 2 "$program" $call
  fails
  says "TSR-0912 $call"
done
for call in dart_exit ARMCI_Finalize tessera_exit; do
  job 2 "$program" $call
  succeeds
  says "^$call returned an error$"
done
finish
