#!/bin/sh
# A wrong TESSERA_ variable gives one warning, by one unit, with the remedy, and the default is used.
set -u
. "$(dirname "$0")/../support/fault.sh"

warns() {
  job 2 "$1" "$TESSERA_BUILD_DIR/tests/spmd/many"
  succeeds
  says "$2"
  check "not one warning" [ "$(grep -c warning "$output")" -eq 1 ]
}

warns TESSERA_HEAP_SIZE=much "TSR-0002 TESSERA_HEAP_SIZE much"
warns TESSERA_HEAP_SIZE=1 "TSR-0002 TESSERA_HEAP_SIZE 1 1M"
warns TESSERA_HEAP_SISE=1G "TSR-0003 TESSERA_HEAP_SISE TESSERA_HEAP_SIZE"
warns TESSERA_UCX_RNA=on "TSR-0003 TESSERA_UCX_RNA TESSERA_UCX_RMA"
warns TESSERA_LOG=loud "TSR-0002 TESSERA_LOG loud error warn info debug"
warns TESSERA_CHECK=perhaps "TSR-0002 TESSERA_CHECK perhaps"

# A variable of UCX itself, which UCX reads under this name for Tessera only.
job 2 TESSERA_UCX_TCP_MAX_NUM_EPS=64 "$TESSERA_BUILD_DIR/tests/spmd/many"
succeeds
check "a warning" [ "$(grep -c warning "$output")" -eq 0 ]
finish
