#!/bin/sh
# Each message of the parts below the interfaces that a wrong call brings about, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_core
golden_edits='s/(TSR-0802) [0-9]+ messages .[0-9]+ bytes/\1 N messages (N bytes/'
together 2
ends 1 0333 0346
returns 1 0321 0351 0363 0372 0382 0387 0802 0803
ends 2 0303 0379
ends 2 TESSERA_CHECK=1 0307
ends 2 TESSERA_HEAP_SIZE=8M TESSERA_ATTACH=off 0377
ends 2 TESSERA_VIRTUAL_NODES=2 0807 0903
returns 2 TESSERA_VIRTUAL_NODES=2 TESSERA_NET_RMA=mpi3 0319
returns 2 TESSERA_VIRTUAL_NODES=2 0330
returns 3 TESSERA_PROGRESS=process:1 0331
compare
finish
