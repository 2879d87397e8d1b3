#!/bin/sh
# The holder of a lock that dies is named as such, with who waited for it; the job ends by itself, with an exit code
# that is not zero. Of a unit that died waiting nobody says that it held one.
set -u
program=$TESSERA_BUILD_DIR/tests/fault/lock
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

fail() {
  echo "lock $1"
  sed 's/^/  /' "$output"
  failures=$((failures + 1))
}

# run WHO UNITS NODES: the job ends in disgrace.
run() {
  TESSERA_VIRTUAL_NODES=$3 timeout 30 "$TESSERA_MPIEXEC" -n "$2" "$program" "$1" >"$output" 2>&1
  code=$?
  if [ $code -eq 124 ]; then fail "$*: still running after 30 s"; fi
  if [ $code -eq 0 ]; then fail "$*: exit code 0"; fi
}

says() {
  grep -Eq "$1" "$output" || fail "no line matches '$1'"
}

for units in 2 4; do
  last=$((units - 1))
  run holder $units 1
  says "unit $last \(process .*was killed"
  says "unit $last held 1 of the program's locks"
  says "unit 0 was waiting for a lock that unit [0-9]+ holds or waits for"
done
run holder 4 2
says "unit 3 \(process .*was killed"
says "unit 3 held 1 of the program's locks"
run waiter 4 1
says "unit 3 \(process .*was killed"
if grep -q "held" "$output"; then fail "waiter: a unit that waited is said to have held a lock"; fi
exit $((failures > 0))
