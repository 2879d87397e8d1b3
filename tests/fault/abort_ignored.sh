#!/bin/sh
# A unit aborts the job, and the launcher does nothing: the monitors end the job, on all nodes. They do nothing if the launcher ends
# it.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/abort_ignored

# ended_by_monitors UNIT
ended_by_monitors() {
  fails
  says "unit $1 TSR-2057 dart_abort 7"
  says "TSR-0419 10 $1"
  says "TSR-0342 0 "
  check "the wait of the aborted unit is reported" [ "$(grep -c "TSR-0342 unit $1 " "$output")" -eq 0 ]
  check "a monitor takes the unit for dead" [ "$(count "(TSR-0337|TSR-0341)")" -eq 0 ]
}

nodes_wanted="1 2 3"
is_full || nodes_wanted=3
for nodes in $nodes_wanted; do
  job 3 TESSERA_VIRTUAL_NODES=$nodes "$program" stuck 2
  ended_by_monitors 2
done

# gone NODES UNIT: the unit's node may have no process left when the monitors of the others end the job. In a chain of monitors
# node 1 is between the others.
gone() {
  job="$program gone $2 on $1 nodes"
  code=0
  timeout -k 5 $job_seconds "$TESSERA_MPIEXEC" -disable-auto-cleanup -n 3 \
    env TESSERA_VIRTUAL_NODES="$1" TESSERA_MONITOR_DEGREE=1 "$program" gone "$2" >"$output" 2>&1 || code=$?
  ended_by_monitors "$2"
}
if [ "${TESSERA_MPI:-mpich}" = mpich ]; then
  gone 3 1
  check "not two nodes end the job" [ "$(count "TSR-0419")" -eq 2 ]
  if is_full; then
    gone 1 2
    gone 3 2
  fi
fi

job 3 TESSERA_VIRTUAL_NODES=2 "$TESSERA_BUILD_DIR/tests/fault/dart_abort" 7
fails
check "the monitors end the job" [ "$(count TSR-0419)" -eq 0 ]
finish
