#!/bin/sh
# Agents: a setting that leaves no unit is rejected, an unknown one is ignored, progress processes do not return to the
# program, and the death of one ends the job.
set -u
. "$(dirname "$0")/../support/fault.sh"

hello=$TESSERA_BUILD_DIR/examples/hello/hello

job 2 TESSERA_PROGRESS=process:2 "$hello"
fails
says "TSR-0352 2 0 2"

job 4 TESSERA_PROGRESS=process:2 TESSERA_VIRTUAL_NODES=2 "$hello"
fails
says "TSR-0352 2"

for progress in process:0 process:two process:99 threads; do
  job 2 TESSERA_PROGRESS=$progress "$hello"
  succeeds
  says "TSR-0300 TESSERA_PROGRESS=$progress"
done

job 6 TESSERA_PROGRESS=process:2 TESSERA_VIRTUAL_NODES=2 "$hello"
succeeds
says "hello: 2 units on 2 nodes"

# comes_by COUNT STAGE: this number of processes reach the stage.
comes_by() { check "not $1 processes reach: $2" [ "$(grep -c "comes by: $2" "$output")" -eq "$1" ]; }

# Two units and four agents. Agents execute the program only up to its initialisation, whether Tessera or the program
# starts MPI. The units start Tessera twice.
for how in ours init; do
  job 6 TESSERA_PROGRESS=process:2 TESSERA_VIRTUAL_NODES=2 "$TESSERA_BUILD_DIR/tests/fault/agent_life" $how
  succeeds
  comes_by 6 begin
  comes_by 4 start
  comes_by 2 end
  comes_by 2 atexit
  comes_by 2 destructor
  comes_by 0 at_quick_exit
done

# The last process of a node is an agent.
for nodes in 1 2; do
  job $((2 + 2 * nodes)) TESSERA_PROGRESS=process:1 TESSERA_VIRTUAL_NODES=$nodes "$TESSERA_BUILD_DIR/tests/fault/die" agent
  fails
  says "TSR-0338"
done
finish
