#!/bin/sh
# Each message of the wire between nodes over MPI, as its golden file has it. The units serve themselves: no other thread takes what
# comes.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once
export TESSERA_VIRTUAL_NODES=2 TESSERA_PROGRESS=none TESSERA_NET=mpi

golden messages_wire
cases=$("$program" list) || exit 1
[ -n "$cases" ] || exit 77 # a sanitizer has its own malloc
golden_edits='s/(TSR-0203 [^:]*:) .*/\1 REASON/' # of the MPI
together 2
returns 2 0203 0220 0222 0233
ends 1 0214
ends 2 0200 0206 0207 0208 0209 0210 0213 0216 0217 0218 0232 0251 TESSERA_WIRE_BUFFERS=8 0252
ends 2 TESSERA_WIRE_DELAY_US=1000 0201 0205
compare
finish
