#!/bin/sh
# Over TCP the MPI sends messages of TESSERA_MPI_EAGER_LIMIT without waiting for their receivers.
set -u
. "$(dirname "$0")/../support/hosts.sh"
hosts_up 2
RUN_TIMEOUT=50 hosts_run 2 "$TESSERA_BUILD_DIR/tests/nodes/at_once"
