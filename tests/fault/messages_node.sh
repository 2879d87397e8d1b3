#!/bin/sh
# Each message about variables and about the memory of a node, as the golden files have it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_node
cases=$("$program" list) || exit 1
[ -n "$cases" ] || exit 77 # a sanitizer has its own malloc
golden_edits='s/its [0-9]+ bytes/its N bytes/' # of a name that is new each time
together 1
returns 1 TESSERA_TRACE="$output.trace" 0001
returns 1 TESSERA_TRACE=/nowhere/timeline 0006
returns 1 0100 0105 0106
returns 1 UCX_MEM_EVENTS=no TESSERA_HEAP_COMMIT=eager 0108 # with them UCX has its own madvise
rm -f "$output".trace*
compare
finish
