#!/bin/sh
# With TESSERA_CHECK=1 different collective calls on one team end the job, with a message that says which.
set -u
program=$TESSERA_BUILD_DIR/tests/fault/mismatch
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

for what in root size call; do
  timeout 50 env TESSERA_CHECK=1 "$TESSERA_MPIEXEC" -n 3 "$program" $what >"$output" 2>&1
  code=$?
  if [ $code -eq 0 ] || [ $code -eq 124 ] || ! grep -Eq "(broadcast|barrier) \(.*on team 0: member [0-2] makes another" "$output"; then
    echo "mismatch: $what: exit code $code, and:"
    sed 's/^/  /' "$output"
    failures=$((failures + 1))
  fi
done
exit $((failures > 0))
