#!/bin/sh
# A program that starts MPI itself gets MPI_THREAD_MULTIPLE, unless TESSERA_MPI_THREADS=keep, however it is linked. Its
# MPI_Finalize is replaced only with versions of MPI that need it.
set -u
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

# level THREADS HOW LEVEL [NODES]: TESSERA_MPI_THREADS, how the program starts MPI, the level that it gets.
level() {
  for program in ending ending_static; do
    timeout -k 5 50 env TESSERA_MPI_THREADS="$1" TESSERA_VIRTUAL_NODES="${4:-1}" "$TESSERA_MPIEXEC" -n 2 \
      "$TESSERA_BUILD_DIR/tests/nodes/$program" "$2" >"$output" 2>&1
    code=$?
    if [ $code -ne 0 ] || ! grep -q "^level: $3$" "$output"; then
      echo "mpi_start: $program $*: code $code:"
      sed 's/^/  /' "$output"
      failures=$((failures + 1))
    fi
  done
}

level multiple init multiple
level multiple init_thread multiple 2
level keep init less
level keep init_thread less 2
# finalize replaced|own PATTERN NODES [VERSION [VERSION-OF-OTHERS]]: which MPI_Finalize is used, and the line in the log; "-": none.
# Other ranks than 0 may have another version.
finalize() {
  for program in ending ending_static; do
    timeout -k 5 50 env ${4:+"ENDING_MPI=$4"} ${5:+"ENDING_MPI_OF_OTHERS=$5"} TESSERA_LOG=info TESSERA_VIRTUAL_NODES="$3" \
      "$TESSERA_MPIEXEC" -n 2 "$TESSERA_BUILD_DIR/tests/nodes/$program" init >"$output" 2>&1
    code=$?
    said=$(grep -c "MPI_Finalize" "$output")
    if [ "$2" = - ]; then [ "$said" -eq 0 ]; else [ "$said" -eq 1 ] && grep -q "info: .*$2" "$output"; fi
    right=$?
    if [ $code -ne 0 ] || [ $right -ne 0 ] || ! grep -q "^finalize: $1$" "$output"; then
      echo "mpi_start: $program, MPI_Finalize $*: code $code:"
      sed 's/^/  /' "$output"
      failures=$((failures + 1))
    fi
  done
}

# text VERSION DEVICE: MPICH's version text.
text() {
  printf 'MPICH Version:\t%s\nMPICH Device:\t%s\n' "$1" "$2"
}

if [ "$TESSERA_MPI" = mpich ]; then
  finalize replaced "Version: 4.1.2: Tessera replaces MPI_Finalize" 2 "$(text 4.1.2 ch4:ucx)"
  finalize own "Version: 4.2.0: MPI_Finalize is MPI's own: no fault" 2 "$(text 4.2.0 ch4:ucx)"
  finalize own "Version: 4.1.2: MPI_Finalize is MPI's own: no fault" 2 "$(text 4.1.2 ch4:ofi)"
  finalize own - 1 "$(text 4.1.2 ch4:ucx)"
  finalize replaced "Version: 4.2.0: Tessera replaces MPI_Finalize" 2 "$(text 4.2.0 ch4:ucx)" "$(text 4.1.2 ch4:ucx)"
else
  finalize own "MPI_Finalize is MPI's own: no fault" 2
fi

# All processes agree which MPI_Finalize is used, also if the last jobs were on parts of them, one with several nodes
# and one with a single node.
if ! timeout -k 5 50 env TESSERA_VIRTUAL_NODES=2 "$TESSERA_MPIEXEC" -n 3 "$TESSERA_BUILD_DIR/tests/spmd/am_end" >"$output" 2>&1; then
  echo "mpi_start: am_end on 3 units and 2 virtual nodes fails, or does not end within 50 s:"
  sed 's/^/  /' "$output"
  failures=$((failures + 1))
fi
exit $((failures > 0))
