#!/bin/sh
# Each message of the native interface and of DART about private memory that is used up, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_dart_memory
[ -n "$("$program" list)" ] || exit 77 # a sanitizer has its own malloc
together 1
ends 1 0308 2024
compare
finish
