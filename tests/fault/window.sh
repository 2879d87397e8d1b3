#!/bin/sh
# TESSERA_NET_RMA=mpi3 fails on all units, with the reason and the remedy and without a hang, if the MPI keeps its
# windows separate from the memory that the CPU accesses, and if not all units ask for it.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/window
export TESSERA_VIRTUAL_NODES=2

# refuses PATTERN: each of the three units gets the error, for the reason that matches.
refuses() {
  fails
  says "$1"
  check "not 3 units are refused" [ "$(grep -c "^refused: " "$output")" -eq 3 ]
}

job 3 TESSERA_NET_RMA=mpi3 "$program" alike
succeeds
job 3 TESSERA_NET_RMA=mpi3 "$program" apart
refuses "TSR-0227 TESSERA_NET_RMA=mpi3 TESSERA_NET_RMA=twosided"

job 2 TESSERA_NET_RMA=mpi3 "$program" alike : -n 1 "$program" alike
refuses "TSR-0221 TESSERA_NET_RMA"
job 1 "$program" alike : -n 2 env TESSERA_NET_RMA=mpi3 "$program" alike
refuses "TSR-0221 TESSERA_NET_RMA"
finish
