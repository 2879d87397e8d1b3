#!/bin/sh
# bench/cluster as in tests/nodes/cluster.sh, then by a host file with all its works, with one unit and two on each host.
. "$(dirname "$0")/../nodes/cluster.sh"
