#!/bin/sh
# Each message of OpenSHMEM, as its golden file has it; those for lack of memory are in messages_shmem_memory.sh.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_shmem
together 2
returns 2 TESSERA_HEAP_SIZE=64M 5034
ends 1 5005 5011 5015 5018 5023 5024 5026 5040 5044 5045 5049 5051 5057
compare
finish
