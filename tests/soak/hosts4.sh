#!/bin/sh
# Every program of tests/spmd across four hosts.
set -u
: "${SUITE_MODES:=default ucx}"
. "$(dirname "$0")/../support/hosts.sh"

hosts_up 4
. "$(dirname "$0")/../support/suite.sh"
suite_all
suite_end
