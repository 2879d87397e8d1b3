#!/bin/sh
# A unit that dies is named, whatever it dies of; the others end soon, with an exit code that is not zero; nothing of
# ours is left behind.
set -u
program=$TESSERA_BUILD_DIR/tests/fault/die
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

fail() {
  echo "death $1, $2 units: $3"
  sed 's/^/  /' "$output"
  failures=$((failures + 1))
}

# die HOW UNITS PATTERN: the job ends by itself, in disgrace, and says something that matches the pattern.
die() {
  timeout 30 "$TESSERA_MPIEXEC" -n "$2" "$program" "$1" >"$output" 2>&1
  code=$?
  if [ $code -eq 124 ]; then fail "$1" "$2" "still running after 30 s"; fi
  if [ $code -eq 0 ]; then fail "$1" "$2" "exit code 0"; fi
  if ! grep -Eq "$3" "$output"; then fail "$1" "$2" "no line matches '$3'"; fi
}

before=$(ls /dev/shm 2>/dev/null | grep -c tessera)
for units in 2 4; do
  last=$((units - 1))
  die kill $units "unit $last \(process .*was killed"
  die segv $units "unit $last @[^ ]*\] .*dies of signal SIGSEGV"
  die abort $units "unit $last @[^ ]*\] .*dies of signal SIGABRT"
  die exit $units "unit $last @[^ ]*\] .*ended without ending Tessera"
  die computing $units "unit $last \(process .*was killed"
  die leak $units "unit $last \(process .*was killed"
done
die exit 1 "unit 0 @[^ ]*\] .*ended without ending Tessera"
after=$(ls /dev/shm 2>/dev/null | grep -c tessera)
[ "$before" = "$after" ] || fail all all "something of ours is left in /dev/shm"
exit $((failures > 0))
