#!/bin/sh
# The whole of tests/fault/coll_table.sh.
COLL_TABLE_FEW_NODES="1 2" COLL_TABLE_NODES="3 5" exec sh "$(dirname "$0")/../fault/coll_table.sh"
