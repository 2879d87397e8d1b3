#!/bin/sh
# Out of memory: the limit on all heaps of a node together, and the address space of one heap.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/memory

job 2 TESSERA_HEAP_LIMIT=150M "$program"
succeeds
says "TSR-0107 50331648 157286400 TESSERA_HEAP_LIMIT"
job 2 TESSERA_HEAP_SIZE=64M "$program"
succeeds
says "TSR-0109 50331648 TESSERA_HEAP_SIZE"
job 2 TESSERA_HEAP_COMMIT=eager TESSERA_HEAP_LIMIT=150M "$program"
succeeds
finish
