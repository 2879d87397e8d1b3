#!/bin/sh
# Monitors that are killed: a healthy job continues and ends normally, on one node and on several, with every tree of
# links; and the new monitors report the next unit that dies.
set -u
. "$(dirname "$0")/../support/fault.sh"
exit_barrier on # the monitors of all nodes have to agree
program=$TESSERA_BUILD_DIR/tests/fault/die

# goes_on HOW NODES NEW [VARIABLE=VALUE...]: NEW monitors are started, and the job ends normally.
goes_on() {
  how=$1 nodes=$2 new=$3
  shift 3
  job 4 TESSERA_VIRTUAL_NODES="$nodes" "$@" "$program" "monitors-$how"
  succeeds
  check "not $new monitors were replaced" [ "$(grep -c "TSR-0343 " "$output")" -eq "$new" ]
  check "something went wrong" [ "$(grep -Ec "error:|TSR-0344 " "$output")" -eq 0 ]
}

# names HOW RANKS NODES [VARIABLE=VALUE...]: a monitor reports the unit that dies later.
names() {
  how=$1 ranks=$2 nodes=$3
  shift 3
  job "$ranks" TESSERA_VIRTUAL_NODES="$nodes" "$@" "$program" "monitors-$how-kill"
  fails
  says_once "TSR-0337 3"
}

if is_full; then
  goes_on all 1 1
  goes_on twice 1 2
fi
goes_on all 2 2
goes_on twice 4 8 TESSERA_MONITOR_DEGREE=1
goes_on asleep 1 1 TESSERA_WATCHDOG=1 TESSERA_PROGRESS=none
goes_on worn 1 8
says_once "TSR-0398 8"
if is_full; then
  names all 4 1
  names twice 4 4 TESSERA_MONITOR_DEGREE=1
fi
names all 4 2
names first 4 2 TESSERA_PROGRESS=none
names last 6 2 TESSERA_PROGRESS=process:1

# While the units of a node compute, so that none starts a new monitor, the other nodes do not take the node for lost.
is_full && goes_on last-idle 2 1 TESSERA_PROGRESS=none
goes_on first-idle 4 1 TESSERA_PROGRESS=none TESSERA_MONITOR_DEGREE=1

# A unit that dies while its node has no monitor: the launcher ends the job. (unit.monitor_links checks that the other nodes
# learn of it.)
exit_barrier off
for nodes in 1 4; do
  job 4 TESSERA_VIRTUAL_NODES=$nodes "$program" monitors-last-gone
  fails
done

# The links of a monitor take descriptors, of which the program may have few. The monitor raises its own limit; if it does not, the
# program waits for that without end.
job 2 sh -c 'ulimit -S -n 200 && exec "$@"' sh "$program" monitors
succeeds

# Under a resource manager the monitor stays in a process group that is told to end with the job.
job 2 "$program" monitors
says "in a group of its own"
job 2 PBS_JOBID=1 "$program" monitors
succeeds
says "in a unit's process group"
# In a chain the report passes through all monitors.
exit_barrier on
job 4 TESSERA_VIRTUAL_NODES=4 TESSERA_MONITOR_DEGREE=1 "$program" computing
fails
says_once "TSR-0337 3"
finish
