#!/bin/sh
# Each message of DART, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_dart
golden_edits='s/(TSR-2093 .* offset )[0-9]+/\1N/' # as large as the heaps
together 2
ends 1 2057
returns 2 TESSERA_VIRTUAL_NODES=2 TESSERA_MPI_THREADS=keep 2056
compare

golden messages_dart_team
together 2
returns 3 2049
compare

golden apis_messages_dart
together 2
compare

golden messages_dart_domain
together 1
compare
finish
