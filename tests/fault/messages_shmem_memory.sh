#!/bin/sh
# Each message of OpenSHMEM about private memory that is used up, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_shmem_memory
cases=$("$program" list) || exit 1
[ -n "$cases" ] || exit 77 # a sanitizer has its own malloc
together 1
ends 1 UCX_MEM_EVENTS=no 5007 # with them UCX has its own mmap
ends 1 5022 5025 5056 5064
ends 2 5002 5003 5004
ends 2 TESSERA_VIRTUAL_NODES=2 TESSERA_PROGRESS=none 5028 5029 5031 5052
compare
finish
