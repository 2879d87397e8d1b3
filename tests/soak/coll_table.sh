#!/bin/sh
# tests/fault/coll_table.sh with all numbers of nodes, sizes and teams.
COLL_TABLE_BRIEF="" COLL_TABLE_FEW_NODES="1 2" COLL_TABLE_NODES="3 5" exec sh "$(dirname "$0")/../fault/coll_table.sh"
