#!/bin/sh
# Each message of the parts below the interfaces about private memory that is used up, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once
export UCX_MEM_EVENTS=no # with them UCX has its own mmap

golden messages_core_memory
[ -n "$("$program" list)" ] || exit 77 # a sanitizer has its own malloc
golden_edits='s/(TSR-0906 .* for )[0-9]+/\1N/'
together 1
returns 1 0353
returns 1 TESSERA_STATS_FILE=/dev/null 0417 0418
ends 1 0301 0316 0345 0366 0390 0395 0801 0809 0906 0907
returns 2 TESSERA_ATTACH=off 0804
ends 2 0334 0380
ends 2 TESSERA_CHECK=1 0305
returns 2 TESSERA_VIRTUAL_NODES=2 TESSERA_PROGRESS=none 0703 # without a block that an earlier batch has given back
together 2 TESSERA_VIRTUAL_NODES=2 TESSERA_PROGRESS=none 0347 0396 0501 0502 0503 0702 0707 0709
ends 2 TESSERA_VIRTUAL_NODES=2 TESSERA_PROGRESS=none 0304 0310 0311 0335 0348 0603 0808
ends 2 TESSERA_VIRTUAL_NODES=2 TESSERA_PROGRESS=none TESSERA_AM_POOL=64M 0506
ends 3 TESSERA_PROGRESS=process:1 TESSERA_OFFLOAD=8 0607
compare
finish
