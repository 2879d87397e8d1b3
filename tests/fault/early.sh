#!/bin/sh
# A unit that exits early, with any code, with and without exit handlers, on one node and on two, with every kind of
# agent: one message names it, the other units end with an error code, and nothing is left behind.
set -u
. "$(dirname "$0")/../support/fault.sh"
exit_barrier on # the monitors of all nodes have to agree

count_left() { ls /dev/shm 2>/dev/null | grep -c tessera; }

# early HOW PATTERN
early() {
  ranks=4
  [ "$progress" = thread ] || ranks=$((4 + nodes))
  job $ranks TESSERA_PROGRESS="$progress" TESSERA_VIRTUAL_NODES="$nodes" "$TESSERA_BUILD_DIR/tests/fault/die" "$1"
  fails
  says_once "$2"
  check "not one line names the unit" [ "$(grep -Ec "unit 3 (@|\(process)" "$output")" -eq 1 ]
}

before=$(count_left)
for progress in thread process:1; do
  for nodes in 1 2; do
    early exit "unit 3 (TSR-0312|TSR-0314)"
    early exit3 "unit 3 (TSR-0312|TSR-0314)"
    early _exit "TSR-0337 3 _exit"
  done
done
check "something of ours is left in /dev/shm" [ "$before" = "$(count_left)" ]
finish
