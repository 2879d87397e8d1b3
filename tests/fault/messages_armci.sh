#!/bin/sh
# Each message of ARMCI, as its golden file has it; those for lack of memory are in messages_armci_memory.sh.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_armci
together 2 TESSERA_CHECK=1
returns 2 TESSERA_VIRTUAL_NODES=2 TESSERA_MPI_THREADS=keep 3045
ends 1 3006 3009 3013 3021 3022 3024 3027 3028 3033 3034 3038 3048 3050 3052 3064 3066 3069 3070 3082 3091 3092 3095 3096 3106
ends 1 TESSERA_HEAP_SIZE=8M 3085
ends 2 3008
compare
finish
