#!/bin/sh
# Over TCP the MPI sends messages of TESSERA_MPI_EAGER_LIMIT without waiting for their receivers.
set -u
[ -z "$(ls /sys/class/infiniband 2>/dev/null)" ] || { echo "skipped: with a device for verbs the MPI has a limit of its own"; exit 77; }
. "$(dirname "$0")/../support/hosts.sh"
hosts_up 2
RUN_TIMEOUT=50 hosts_run 2 "$TESSERA_BUILD_DIR/tests/nodes/at_once"
