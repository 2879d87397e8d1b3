#!/bin/sh
# Monitors that are killed: a healthy job goes on and ends well, on one node and on several, whatever tree their links make; and
# the new ones name the next unit that dies.
set -u
. "$(dirname "$0")/../support/fault.sh"
exit_barrier on # the monitors of several nodes have to agree

for nodes in 1 2 4; do
  for degree in 1 32; do
    [ $nodes -gt 2 ] || [ $degree -gt 1 ] || continue
    job 4 TESSERA_VIRTUAL_NODES=$nodes TESSERA_MONITOR_DEGREE=$degree "$TESSERA_BUILD_DIR/tests/fault/die" monitors $$
    succeeds
    check "not $nodes monitors were replaced" [ "$(grep -c "was killed by signal 9; a new one takes over" "$output")" -eq $nodes ]
    check "something went wrong" [ "$(grep -c "error:" "$output")" -eq 0 ]
  done
done
for nodes in 1 4; do
  job 4 TESSERA_VIRTUAL_NODES=$nodes TESSERA_MONITOR_DEGREE=1 "$TESSERA_BUILD_DIR/tests/fault/die" monitors-kill $$
  fails
  says_once "unit 3 \(process .*was killed"
done
# Under a resource manager the monitor stays where it is told to end with the job.
job 2 "$TESSERA_BUILD_DIR/tests/fault/die" monitors $$
says "in a group of its own"
job 2 PBS_JOBID=1 "$TESSERA_BUILD_DIR/tests/fault/die" monitors $$
succeeds
says "in a unit's process group"
# In a chain the verdict goes through all monitors.
job 4 TESSERA_VIRTUAL_NODES=4 TESSERA_MONITOR_DEGREE=1 "$TESSERA_BUILD_DIR/tests/fault/die" computing
fails
says_once "unit 3 \(process .*was killed"
finish
