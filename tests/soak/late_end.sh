#!/bin/sh
# PEs of OpenSHMEM that return from main without shmem_finalize wait for one that comes later than the usual limit, and warn.
set -u
. "$(dirname "$0")/../support/fault.sh"
for nodes in 1 2; do
  job 2 TESSERA_VIRTUAL_NODES=$nodes "$TESSERA_BUILD_DIR/tests/fault/shmem_state_wrong" "last one late"
  succeeds
  says_once "unit 0 TSR-0268 30 1 TESSERA_EXIT_TIMEOUT"
done
finish
