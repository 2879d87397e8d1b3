#!/bin/sh
# A program that starts MPI itself gets MPI_THREAD_MULTIPLE, unless it does not want our help, however it is linked.
set -u
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

# level THREADS HOW LEVEL [NODES]: TESSERA_MPI_THREADS, the program's way, what it gets.
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
exit $((failures > 0))
