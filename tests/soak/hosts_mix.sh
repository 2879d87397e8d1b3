#!/bin/sh
# Random operations for ten minutes, in all modes together (SECONDS_EACH: seconds for each), across four hosts; then a
# job of 64 units starts, works and ends.
set -u
: "${SUITE_MODES:=thread none process:1 ucx}"
. "$(dirname "$0")/../support/hosts.sh"

hosts_up 4
. "$(dirname "$0")/../support/suite.sh"
mix=$TESSERA_BUILD_DIR/tests/soak/dart_mix
seconds=${SECONDS_EACH:-$((600 / $(echo "$suite_modes" | wc -w)))}
for mode in $suite_modes; do
  SUITE_SECONDS=$((seconds + 150)) suite_run_in "$mode" 7 "$mix" $seconds
  SUITE_SECONDS=300 suite_run_in "$mode" 64 "$mix" 1
done
suite_end
