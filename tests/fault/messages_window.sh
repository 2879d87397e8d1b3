#!/bin/sh
# Each message of MPI's windows over the heaps, as its golden file has it. Open MPI makes none here (nodes/window.sh).
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once
export TESSERA_VIRTUAL_NODES=2 TESSERA_PROGRESS=none TESSERA_NET=mpi TESSERA_NET_RMA=mpi3

golden messages_window
[ "$TESSERA_MPI" = mpich ] || exit 77
cases=$("$program" list) || exit 1
[ -n "$cases" ] || exit 77 # a sanitizer has its own malloc
returns 2 0230 0231
returns 2 0226
ends 2 0228 0229
compare
finish
