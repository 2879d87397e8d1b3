#!/bin/sh
# Each message about MPI or a system that does not give what the library asks for, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_core_system
returns 1 0328 0386
returns 2 TESSERA_VIRTUAL_NODES=2 TESSERA_NET=mpi 0354
ends 4 TESSERA_VIRTUAL_NODES=2 TESSERA_PROGRESS=process:1 TESSERA_NET=ucx TESSERA_UCX_LIBRARY=libnone.so 0332
compare

job 2 TESSERA_VIRTUAL_NODES=2 TESSERA_NET=ucx TESSERA_UCX_TLS=tcp,self "$program" 0354
grep -q "TSR-0234\|TSR-0244" "$output" || says "TSR-0400 ulimit" # without UCX there is nothing to listen to
finish
