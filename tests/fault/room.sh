#!/bin/sh
# A wait for room in the ring of a unit that makes no progress is reported: by the watchdog while it lasts, and by the
# monitor when the other unit dies. The messages arrive when the unit makes progress.
set -u
program=$TESSERA_BUILD_DIR/tests/fault/room
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

fail() {
  echo "room $1"
  sed 's/^/  /' "$output"
  failures=$((failures + 1))
}

# run SECONDS ARGUMENT...: the job ends with `code`. The watchdog also wakes sleepers; if it is off (0), only the
# receiver does.
run() {
  watchdog=$1
  shift
  : >"$output"
  TESSERA_WATCHDOG=$watchdog timeout -k 5 25 "$TESSERA_MPIEXEC" -n "$units" "$program" "$@" >>"$output" 2>&1
  code=$?
  if [ $code -eq 124 ]; then fail "$*, $units units: still running after 25 s"; fi
}

for units in 2 4; do
  run 1 named "$output"
  if [ $code -ne 0 ]; then fail "named, $units units: exit code $code"; fi
  run 0 asleep
  if [ $code -ne 0 ]; then fail "asleep, $units units: exit code $code"; fi
done
units=2
run 0 dies
if [ $code -eq 0 ]; then fail "dies: exit code 0"; fi
grep -Eq "unit 0 was waiting for room in the ring of unit 1 for a record of [0-9]+ bytes" "$output" ||
  fail "dies: nobody says what unit 0 waited for"
exit $((failures > 0))
