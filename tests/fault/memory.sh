#!/bin/sh
# Out of memory: the limit on all heaps of a node together, and the address space of one heap.
set -u
program=$TESSERA_BUILD_DIR/tests/fault/memory
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

expect() {
  grep -Eq "$1" "$output" && return
  echo "memory: no line matches '$1' in:"
  sed 's/^/  /' "$output"
  failures=$((failures + 1))
}

run() {
  timeout 50 env "$@" "$TESSERA_MPIEXEC" -n 2 "$program" >"$output" 2>&1 && return
  echo "memory: $* failed:"
  sed 's/^/  /' "$output"
  failures=$((failures + 1))
}

run TESSERA_HEAP_LIMIT=150M
expect "asked for 50331648 bytes, the node's heaps hold [0-9]+ of 157286400 bytes.*TESSERA_HEAP_LIMIT"
run TESSERA_HEAP_SIZE=64M
expect "asked for 50331648 bytes, the largest free block .*TESSERA_HEAP_SIZE"
run TESSERA_HEAP_COMMIT=eager TESSERA_HEAP_LIMIT=150M
exit $((failures > 0))
