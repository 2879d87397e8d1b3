#!/bin/sh
# Each message about memory of other processes that the kernel is to copy, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_core_attach
[ -n "$("$program" list)" ] || exit 77 # a sanitizer has its own malloc
job 1 "$TESSERA_BUILD_DIR/tools/tessera-info"
! grep -q "kernel copies  *refused" "$output" || exit 77
ends 2 TESSERA_ATTACH=on 0805 0911
ends 3 TESSERA_PROGRESS=process:1 TESSERA_OFFLOAD=1K 0608
ends 4 TESSERA_VIRTUAL_NODES=2 TESSERA_PROGRESS=process:1 TESSERA_OFFLOAD=1K 0609
compare
finish
