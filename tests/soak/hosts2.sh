#!/bin/sh
# Every program of tests/spmd across two hosts, in all modes of progress.
set -u
: "${SUITE_MODES:=thread none process:1 ucx}"
. "$(dirname "$0")/../support/hosts.sh"

hosts_up 2
. "$(dirname "$0")/../support/suite.sh"
suite_all
suite_end
