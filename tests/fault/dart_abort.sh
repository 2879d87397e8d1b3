#!/bin/sh
# dart_abort ends the whole job at once with its exit code, which is never 0, and a message that names the caller.
set -u
. "$(dirname "$0")/../support/fault.sh"

# aborts UNITS CODE EXPECTED
aborts() {
  job "$1" "$TESSERA_BUILD_DIR/tests/fault/dart_abort" "$2"
  check "exit code $code, not $3" [ $code -eq "$3" ]
  check "not one message" [ "$(grep -c "dart_abort: called with code $2" "$output")" -eq 1 ]
}

for units in 1 3; do
  aborts $units 7 7
  aborts $units 0 1
done
finish
