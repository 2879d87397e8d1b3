#!/bin/sh
# Programs that end without the exit function of their interface. If all units end with code 0, so does the job, and one
# line names the missing call. If an operation cannot be completed, or a unit does not end, the job fails.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start
program=$TESSERA_BUILD_DIR/tests/fault/apis_no_exit

# ends UNITS INTERFACE END EXIT_FUNCTIONS [VARIABLE=VALUE...]
ends() {
  units=$1 interface=$2 end=$3 missing=$4
  shift 4
  job "$units" "$@" "$program" "$interface" "$end"
  succeeds
  says_once "unit 0 TSR-0313 $missing"
  check "a line is an error" [ "$(errors | wc -l)" -eq 0 ]
}

ends 1 tessera return tessera_exit
ends 1 gasnet finalize gasnet_exit
choose_nodes
for nodes in $nodes_wanted; do
  v=TESSERA_VIRTUAL_NODES=$nodes
  ends 3 tessera mixed tessera_exit $v
  ends 3 dart return dart_exit $v
  ends 2 dart finalize dart_exit $v
  ends 3 dart own dart_exit $v
  ends 2 dart puts dart_exit $v
  ends 3 twice finalize ARMCI_Finalize $v
  # Over TCP this MPICH's MPI_Finalize may hang, which Tessera replaces only in a job of all processes (docs/mpi-notes.md).
  ends 3 half finalize ARMCI_Finalize $v UCX_TLS=all
  ends 4 half finalize ARMCI_Finalize $v UCX_TLS=all
  ends 2 armci exit ARMCI_Finalize $v
  ends 3 gasnet finalize gasnet_exit $v
  ends 3 shmem return shmem_finalize $v
  ends 2 shmem finalize shmem_finalize $v
  job 3 $v "$program" start_pes return # OpenSHMEM lets such a program end without a call
  succeeds
  check "a line is a warning" [ "$(grep -c TSR- "$output")" -eq 0 ]
  job 2 $v "$program" shmem both # MPI_Finalize, then shmem_finalize
  succeeds
  says_once "unit 0 TSR-0313 shmem_finalize"
  check "a second line is a warning" [ "$(grep -c TSR- "$output")" -eq 1 ]
  for units in 2 3 4; do
    job $units $v "$program" shmem some
    succeeds
    check "a line is an error" [ "$(errors | wc -l)" -eq 0 ]
  done
  ends $((3 + nodes)) both mixed "dart_exit ARMCI_Finalize" $v TESSERA_PROGRESS=process:1
  ends $((2 + nodes)) dart finalize dart_exit $v TESSERA_PROGRESS=process:1
done

job 1 "$program" tessera exit3
check "exit code $code" [ $code -eq 3 ]
says_once "unit 0 TSR-0314 3 tessera_exit"
job 3 TESSERA_EXIT_TIMEOUT=1 "$program" dart started
fails
says_once "unit 0 TSR-0312 [0-9]+ operations?"
job 3 TESSERA_EXIT_TIMEOUT=1 "$program" dart started_finalize
fails
says_once "unit 0 TSR-0312 MPI_Finalize [0-9]+ operations?"
job 2 "$program" dart waits
fails
says_once "unit 0 TSR-0312 thread waits dart_exit"
job 3 "$program" shmem barrier
fails
says_alone "unit 0 TSR-0401 shmem_finalize unit"
exit_barrier on
job 2 "$program" shmem dies
fails
says_once "TSR-0342 0 other units end"
exit_barrier off
job 2 TESSERA_EXIT_TIMEOUT=0 "$program" tessera return
fails
says "TSR-0312 TESSERA_EXIT_TIMEOUT=0 tessera_exit"
job 3 TESSERA_EXIT_TIMEOUT=1 "$program" armci alone
fails
says_once "unit 2 TSR-0312 1 1 3"
finish
