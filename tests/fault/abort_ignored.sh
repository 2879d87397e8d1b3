#!/bin/sh
# A unit aborts the job, and the launcher does nothing: the monitors end the job, on all nodes. A launcher that ends it does not meet
# them.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/abort_ignored

ended_by_monitors() {
  fails
  says "unit 2 TSR-2057 dart_abort 7"
  says "TSR-0419 10"
  says "TSR-0342 0 "
  check "a monitor takes the unit for dead" [ "$(count "(TSR-0337|TSR-0341)")" -eq 0 ]
}

nodes_wanted="1 2 3"
is_full || nodes_wanted=3
for nodes in $nodes_wanted; do
  job 3 TESSERA_VIRTUAL_NODES=$nodes "$program" stuck
  ended_by_monitors
done

# Here the unit's node has no process left when the monitors of the others end the job.
if [ "${TESSERA_MPI:-mpich}" = mpich ]; then
  for nodes in 1 3; do
    is_full || [ $nodes -eq 3 ] || continue
    job="$program gone on $nodes nodes"
    code=0
    timeout -k 5 $job_seconds "$TESSERA_MPIEXEC" -disable-auto-cleanup -n 3 env TESSERA_VIRTUAL_NODES=$nodes "$program" gone \
      >"$output" 2>&1 || code=$?
    ended_by_monitors
  done
fi

job 3 TESSERA_VIRTUAL_NODES=2 "$TESSERA_BUILD_DIR/tests/fault/dart_abort" 7
fails
check "the monitors end the job" [ "$(count TSR-0419)" -eq 0 ]
finish
