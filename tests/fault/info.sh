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
says_once "^ok +MPI +(MPICH Version: |Open MPI v)[0-9]+\.[0-9.]+$"
says_once "^ok +launcher +mpiexec of (MPICH|Open MPI), 4 processes$"
says_once "^ok +cores +2 units on [0-9]+ of [0-9]+ CPUs"
says_once "^(ok|note) +clock "
says_once "^ok +links +node 1: from node 0: get of 8 bytes [0-9.]+ us, put of 1 MiB [0-9]+ MB/s$"
says_once "^OK(, with [0-9] notes?)?$"
job 1 "$info" --check
succeeds
says_once "^ok +launcher +mpiexec of (MPICH|Open MPI), 1 process$"

# Processes that are jobs of their own, started directly, and by a launcher that they do not connect to.
job="--check, started directly"
"$info" --check >"$output" 2>&1 || check "exit code $?" false
says_once "^ok +launcher +none: one process, which was started directly$"
job="--check, in a step of Slurm"
SLURM_STEP_NUM_TASKS=4 TESSERA_ALONE=1 "$info" --check >"$output" 2>&1 || check "exit code $?" false
says_once "^note +launcher +srun of Slurm, 4 processes, each of which is a job of its own; .*--mpi=pmi2.* TESSERA_ALONE$"

# A CPU for the only unit of each node.
one_cpu=$(taskset -pc $$ | sed 's/.*[ ,-]//')
job 2 $two_nodes taskset -c "$one_cpu" "$info" --check
succeeds
if [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ]; then
  says_once "^note +binding +1 CPU for each unit, none beside .* progress thread; .*--bind-to none.*TESSERA_PROGRESS=none$"
fi
job 2 $two_nodes TESSERA_PROGRESS=none taskset -c "$one_cpu" "$info" --check
succeeds
says_once "^ok +binding +(1 CPU for each unit|units are not bound)$"

# Nodes with MPIs of two versions: one unit loads a copy of MPICH's library that names another version.
if [ "$TESSERA_MPI" = mpich ]; then
  library=$(ldd "$info" | sed -n 's/.*libmpich[^ ]* => \([^ ]*\) .*/\1/p')
  version=$("$info" --version | sed -n 's/.*Version: *//p')
  another=$(echo "$version" | sed 's/[1-9]$/0/; t; s/0$/1/')
  mkdir "$output.folder/other"
  LC_ALL=C sed "s/$version/$another/g" "$library" >"$output.folder/other/$(basename "$library")"
  # shellcheck disable=SC2016 # the variables are those of the started shell
  job 2 $two_nodes sh -c 'if [ "$PMI_RANK" = 1 ]; then export LD_LIBRARY_PATH=$1; fi; exec "$2" --check' \
    sh "$output.folder/other" "$info"
  succeeds
  says_once "^note +MPI +node 0: MPICH Version: $version; .*LD_LIBRARY_PATH on all$"
  says_once "^note +MPI +node 1: MPICH Version: $another; .*LD_LIBRARY_PATH on all$"
fi

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
  job 4 $two_nodes TESSERA_NET=mpi "$info" --explain 3 0 $bytes
  succeeds
  says_once "^[0-9]+ bytes from unit 3 to unit 0, on another node$"
  says_once "^wire +mpi: "
  says_once "^puts and gets +requests"
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
job 4 $two_nodes TESSERA_NET_RMA=mpi3 "$info" --explain 0 3 8
succeeds
says_once "^puts and gets +by an MPI window: TESSERA_NET_RMA"
says_once "^other operations +are requests, served by a progress thread"
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
job="--memory 100000 1563"
"$info" --memory 100000 1563 >"$output" 2>&1 || check "exit code $?" false
says_once "^The start takes [0-9]+00000 bytes more, which are freed before it ends\\.$" # as many bytes for each unit

job 4 $two_nodes "$info" --topology
succeeds
for node in 0 1; do says_once "^node $node  .*[0-9]+ cores?, "; done
check "other cores than the kernel has" [ "$(count "^      core [0-9]+: ")" -eq $((2 * $(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l))) ]
for unit in 0 1 2 3; do says_once " unit $unit(:|$| )"; done
job 1 taskset -c "$one_cpu" "$info" --topology
succeeds
says_once "^      core [0-9]+:.* CPU [0-9]+  unit 0( |$)"
finish
