#!/bin/sh
# A launcher of another MPI, and a program that is linked with another MPI: both are named, and the job ends. Jobs of
# one unit that are started as such work under any launcher.
set -u
. "$(dirname "$0")/../support/fault.sh"
build=$TESSERA_BUILD_DIR
launcher=$TESSERA_MPIEXEC
info=$build/tools/tessera-info
case $TESSERA_MPI in
mpich) own=MPICH other="Open MPI" others_name=openmpi slurm=pmi2 ;;
*) own="Open MPI" other=MPICH others_name=mpich slurm=pmix ;;
esac
unset TESSERA_BUILD_DIR TESSERA_MPIEXEC TESSERA_MPI # the library would warn of them
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# run COMMAND...: starts a job as a user does.
run() {
  job=$*
  code=0
  timeout -k 5 50 "$@" >"$output" 2>&1 || code=$?
}

# Variables that launchers set for processes that do not connect to them: one shell in a Slurm allocation, batch scripts
# and their steps.
alone() {
  run env "$@" "$info" --check
  succeeds
  says "units: 1, nodes: 1"
}
wrong() {
  name=$1
  shift
  run env "$@" "$info" --check
  fails
  says_alone "TSR-0211 $name 4 $own mpi=$slurm TESSERA_ALONE=1"
}
# Where several jobs of Open MPI start at once: each in a folder of its own, see scripts/mpirun.in.
# shellcheck disable=SC2016 # the variable is that of the started shell
own_folder='OMPI_MCA_orte_tmpdir_base=$(mktemp -d -p "$OMPI_MCA_orte_tmpdir_base") exec "$@"'
alone A=a
alone SLURM_JOB_ID=7 SLURM_NTASKS=4
alone SLURM_JOB_ID=7 SLURM_NTASKS=4 SLURM_PROCID=0
alone SLURM_JOB_ID=7 SLURM_NTASKS=4 SLURM_PROCID=0 SLURM_STEP_ID=1 SLURM_STEP_NUM_TASKS=1
alone PMIX_RANK=0
wrong "Slurm's srun" SLURM_PROCID=2 SLURM_STEP_NUM_TASKS=4
alone SLURM_PROCID=2 SLURM_STEP_NUM_TASKS=4 TESSERA_ALONE=1
if [ "$own" = MPICH ]; then
  wrong "Open MPI's mpiexec" OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0
  wrong "a launcher that uses PMIx" PMIX_RANK=3
else
  wrong "MPICH's mpiexec .*" PMI_SIZE=4 PMI_RANK=0
fi

# The right launcher with one unit, also inside the environment of a launcher that the other MPI shares.
run "$launcher" -n 1 "$info" --check
succeeds
alone SLURM_STEP_NUM_TASKS=4 "$launcher" -n 1

if ! command -v "mpiexec.$others_name" "mpicc.$others_name" >/dev/null; then
  echo "launcher: the other MPI is not installed: no more"
  finish
fi

oversubscribe=
[ "$others_name" = mpich ] || oversubscribe=--oversubscribe
# shellcheck disable=SC2086 # no option, or one
other_launcher() { run "mpiexec.$others_name" $oversubscribe "$@"; }
other_launcher -n 3 "$info" --check
fails
says "TSR-0211 $other's mpiexec.* 3"
other_launcher -n 3 sh -c "$own_folder" sh env TESSERA_ALONE=1 "$info" --check
succeeds
check "not three jobs" [ "$(grep -c "units: 1" "$output")" -eq 3 ]
other_launcher -n 1 "$info" --check
succeeds
other_launcher -n 2 sh -c "$own_folder" sh "$launcher" -n 1 "$info" --check
succeeds

# Linked with the other MPI: in the order of its wrapper, with MPI started before Tessera, and with both libraries.
work=$(mktemp -d)
trap 'rm -rf "$output" "$ended" "$work"' EXIT
include=$(dirname "$0")/../../include
cat >"$work/client.c" <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <tessera.h>
int main(int argc, char **argv) {
  if (argc > 1) MPI_Init(&argc, &argv);
  if (tessera_init(&argc, &argv) != TESSERA_OK) return 3;
  return tessera_exit() == TESSERA_OK ? 0 : 4;
}
END
own_library=$(ldd "$build/libtessera.so" | awk '$1 ~ /^libmpi/ && $1 !~ /cxx/ { print $3; exit }')
linked() {
  "mpicc.$others_name" -I"$include" -o "$work/client" "$work/client.c" "$@" -Wl,-rpath,"$build"
  for when in "" before; do
    : >"$ended" # MPICH's launcher may lose output and exit codes of units that end before MPI starts, so both end together
    other_launcher -n 2 sh "$support/exit_barrier.sh" 2 "$ended" "$work/client" $when
    fails
    says "TSR-0212 $other $own variable=mpicc"
    check "another error" [ "$(grep -cx 1 "$ended")" -eq 2 ]
  done
}
linked -L"$build" -ltessera
linked -Wl,--no-as-needed "$own_library" -L"$build" -ltessera
# With the static library, which the checks with a second MPI do not build. Open MPI's names are not in MPICH's library, so a program
# with that one alone does not link.
if [ -e "$build/libtessera.a" ]; then
  [ "$own" = "Open MPI" ] || linked "$build/libtessera.a" -lhwloc -lpthread
  linked "$build/libtessera.a" -Wl,--no-as-needed "$own_library" -lhwloc -lpthread
fi
finish
