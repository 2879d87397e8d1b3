#!/bin/sh
# tessera-info about a job: --check tells what limits it, with the remedy; --explain the path between two units; --topology where
# units are.
set -u
. "$(dirname "$0")/../support/fault.sh"
info=$TESSERA_BUILD_DIR/tools/tessera-info
two_nodes=TESSERA_VIRTUAL_NODES=2

job 1 "$info" --version
succeeds
says "^Tessera [0-9]+\.[0-9]+\.[0-9]+ for (MPICH|Open MPI)"

job 4 $two_nodes "$info" --check
succeeds
says_once "^units: 4, nodes: 2$"
says_once "^ok +cores +2 units on [0-9]+ of [0-9]+ CPUs"
says_once "^(ok|note) +clock "
says_once "^ok +links +node 1: from node 0: get of 8 bytes [0-9.]+ us, put of 1 MiB [0-9]+ MB/s$"
says_once "^OK(, with [0-9] notes?)?$"
job 2 TESSERA_ATTACH=off "$info" --check
succeeds
says_once "^note +kernel copies +refused; .*ptrace_scope"
job 2 sh -c "ulimit -v 100000000; exec '$info' --check"
succeeds
says_once "^note +address space +95.4 GiB; .*ulimit -v unlimited$"

job 4 $two_nodes "$info" --explain 0 1 64K
succeeds
says_once "^65536 bytes from unit 0 to unit 1, on the same node$"
says_once "^allocated memory +one copy by the caller"
says_once "^measured +put [0-9.]+ us, get [0-9.]+ us"
job 2 TESSERA_ATTACH=off "$info" --explain 0 1 8
succeeds
says_once "^registered memory +the owner copies .*ptrace_scope"
for bytes in 8 1M; do
  job 4 $two_nodes "$info" --explain 3 0 $bytes
  succeeds
  says_once "^[0-9]+ bytes from unit 3 to unit 0, on another node$"
  says_once "^wire +(mpi|ucx): "
  says_once "^served by +a progress thread"
done
says_once "^message +a request announces the data"
job 6 $two_nodes TESSERA_PROGRESS=process:1 "$info" --explain 0 3 8
succeeds
says_once "^message +the data travels inside the request"
says_once "^served by +a progress process"
job 2 "$info" --explain 0 2 8
fails
says_once "^tessera-info: --explain: the job has units 0 to 1"
for words in "0 1" "0 x 8" "0 1 0" "0 1 5000M" "0 1 8Q"; do
  job="--explain $words"
  code=0
  # shellcheck disable=SC2086 # words
  "$info" --explain $words >"$output" 2>&1 || code=$?
  check "exit code $code, not 2" [ $code -eq 2 ]
  says_once "^tessera-info: --explain takes two units"
done

job="--memory 4 2 1"
code=0
"$info" --memory 4 2 1 >"$output" 2>&1 || code=$?
check "exit code $code, not 2" [ $code -eq 2 ]
says_once "^tessera-info: --memory takes up to 2 words, not 3;"

job 4 $two_nodes "$info" --topology
succeeds
for node in 0 1; do says_once "^node $node  .*[0-9]+ cores?, "; done
check "other cores than the kernel has" [ "$(count "^      core [0-9]+: ")" -eq $((2 * $(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l))) ]
for unit in 0 1 2 3; do says_once " unit $unit(:|$| )"; done
job 1 taskset -c "$(taskset -pc $$ | sed 's/.*[ ,-]//')" "$info" --topology
succeeds
says_once "^      core [0-9]+:.* CPU [0-9]+  unit 0( |$)"
finish
