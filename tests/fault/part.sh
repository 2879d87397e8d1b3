#!/bin/sh
# A death in a job on a part of the processes is reported, and ends all processes of the launcher; a process outside the
# job may end in any way.
set -u
. "$(dirname "$0")/../support/fault.sh"

# part HOW PATTERN: the job fails, and one line matches the pattern.
part() {
  job 4 "$TESSERA_BUILD_DIR/tests/fault/part" "$1"
  fails
  says_once "$2"
}

part kill "TSR-0337 1" # on one node: on two, the launcher may kill the other unit before its monitor has learned of the death
for nodes in 1 2; do
  export TESSERA_VIRTUAL_NODES=$nodes
  part abort "unit 1 gives up"
  job 4 "$TESSERA_BUILD_DIR/tests/fault/part" outside
  fails
  check "a unit reports an error or a warning" [ -z "$(grep '\[tessera' "$output")" ]
done

unset TESSERA_VIRTUAL_NODES
job 6 TESSERA_PROGRESS=process:1 "$TESSERA_BUILD_DIR/tests/fault/part" agents
succeeds
says "TSR-0327 tessera_init_comm 1"
check "not 6 errors" [ "$(count TSR-0327)" -eq 6 ]
finish
