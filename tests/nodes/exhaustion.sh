#!/bin/sh
# The statistics show waits for a buffer.
set -u
program=$TESSERA_BUILD_DIR/tests/spmd/flood
output=$(mktemp)
trap 'rm -f "$output"' EXIT
if ! TESSERA_STATS=1 timeout -k 5 100 "$TESSERA_MPIEXEC" -n 4 "$program" >"$output" 2>&1; then
  echo "exhaustion: the flood failed:"
  cat "$output"
  exit 1
fi
grep -q "no_wire_buffer  *[1-9]" "$output" && exit 0
echo "exhaustion: the statistics show no wait for a buffer:"
cat "$output"
exit 1
