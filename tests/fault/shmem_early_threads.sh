#!/bin/sh
# Threads that run before shmem_init lose no change of a static variable: these stay where they are on all PEs, also if only one
# PE has such threads. Many runs, since a change is lost only at a certain moment.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start
program=$TESSERA_BUILD_DIR/tests/fault/shmem_early_threads

for run in 1 2 3 4 5 6 7 8 9 10; do
  job 2 "$program" all
  succeeds
  job 2 TESSERA_VIRTUAL_NODES=2 "$program" all
  succeeds
done
job 3 "$program" last
succeeds
job 3 TESSERA_VIRTUAL_NODES=2 "$program" last
succeeds
job 2 "$program" mpi
succeeds
job 1 SHMEM_DEBUG=1 "$program" all
succeeds
check "the log does not say why" grep -q 'by requests, since this process had several threads' "$output"
finish
