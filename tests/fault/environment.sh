#!/bin/sh
# TESSERA_ variables that are wrong: one warning of one unit with the remedy, and the default is used.
set -u
program=$TESSERA_BUILD_DIR/tests/spmd/many
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

warns() {
  timeout 50 env "$1" "$TESSERA_MPIEXEC" -n 2 "$program" >"$output" 2>&1
  code=$?
  lines=$(grep -c "warning" "$output")
  if [ $code -ne 0 ] || [ "$lines" -ne 1 ] || ! grep -Eq "$2" "$output"; then
    echo "environment: $1: code $code, $lines warnings, expected one like '$2':"
    sed 's/^/  /' "$output"
    failures=$((failures + 1))
  fi
}

warns TESSERA_HEAP_SIZE=much "TESSERA_HEAP_SIZE.*much"
warns TESSERA_HEAP_SIZE=1 "TESSERA_HEAP_SIZE.*1M"
warns TESSERA_HEAP_SISE=1G "TESSERA_HEAP_SISE.*TESSERA_HEAP_SIZE"
warns TESSERA_LOG=loud "TESSERA_LOG.*error.*warn.*info.*debug"
warns TESSERA_CHECK=perhaps "TESSERA_CHECK.*perhaps"
exit $((failures > 0))
