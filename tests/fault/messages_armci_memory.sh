#!/bin/sh
# Each message of ARMCI about private memory that is used up, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_armci_memory
cases=$("$program" list) || exit 1
[ -n "$cases" ] || exit 77 # a sanitizer has its own malloc
together 1
ends 1 3025 3026 3043 3076 3089
ends 2 3072
returns 1 3078
returns 2 TESSERA_VIRTUAL_NODES=2 3039
ends 2 TESSERA_VIRTUAL_NODES=2 3041 3042
compare
finish
