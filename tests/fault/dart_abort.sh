#!/bin/sh
# dart_abort ends the whole job at once, with its exit code, which is never success, and says who called it.
set -u
program=$TESSERA_BUILD_DIR/tests/fault/dart_abort
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

# aborts UNITS CODE EXPECTED
aborts() {
  timeout 30 "$TESSERA_MPIEXEC" -n "$1" "$program" "$2" >"$output" 2>&1
  code=$?
  if [ $code -ne "$3" ] || [ "$(grep -c "dart_abort: called with code $2" "$output")" -ne 1 ]; then
    echo "dart_abort($2) on $1 units: exit code $code, not $3, or not one message:"
    sed 's/^/  /' "$output"
    failures=$((failures + 1))
  fi
}

for units in 1 3; do
  aborts $units 7 7
  aborts $units 0 1
done
exit $((failures > 0))
