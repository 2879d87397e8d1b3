#!/bin/sh
# Each message of GASNet, as its golden file has it; those for lack of memory are in messages_gasnet_memory.sh.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_gasnet
golden_edits='/TSR-4157/s/which is [0-9]+/which is N/'
together 2
returns 1 4115 4156 4157 4163 GASNET_MAX_SEGSIZE=plenty 4136 GASNET_PSHM_NODES=4 4213
returns 1 TESSERA_HEAP_SIZE=64M 4158
ends 1 4032 4033 4035 4037 4065 4076 4079 4089 4091 4093 4128 4165 4173 4181 4182 4199 TESSERA_CHECK=1 4149
ends 2 4055 4094 4123 4130 TESSERA_CHECK=1 4186 TESSERA_VIRTUAL_NODES=2 4052 4092
compare

golden messages_gasnet_par
together 1
ends 2 TESSERA_VIRTUAL_NODES=2 TESSERA_MPI_THREADS=keep 4108
compare
finish
