#!/bin/sh
# The part of collectives between nodes on 64 to 1024 simulated ones, compared with the model;
# docs/collectives-scaling.md has the results.
set -u
for program in python3 smpirun; do
  command -v $program >/dev/null || { echo "skipped: $program is missing"; exit 77; }
done
bench=$(dirname "$0")/../../bench
said=$(mktemp)
trap 'rm -f "$said"' EXIT
unset TESSERA_MPIEXEC TESSERA_MPI TESSERA_BUILD_DIR

fail() {
  echo "growth: $1:"
  cat "$said"
  exit 1
}

. "$(dirname "$0")/../support/simulate.sh"
simulate 64,100,256,1024
cat "$said"
