#!/bin/sh
# Each message of GASNet about private memory that is used up, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_gasnet_memory
cases=$("$program" list) || exit 1
[ -n "$cases" ] || exit 77 # a sanitizer has its own malloc
together 1
returns 1 4168
ends 1 4000 4001 4058 4087 4095 4118 4142 4169 4171 4172 4176 4179 4183 TESSERA_CHECK=1 4204
ends 2 TESSERA_VIRTUAL_NODES=2 TESSERA_PROGRESS=none 4017 4018 4057 4150 4200 4201
compare
finish
