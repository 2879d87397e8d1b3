#!/bin/sh
# Every program of tests/spmd across four hosts.
set -u
. "$(dirname "$0")/../support/hosts.sh"

hosts_up 4
. "$(dirname "$0")/../support/suite.sh"
suite_all $(ls "$TESSERA_BUILD_DIR/tests/spmd")
suite_end
