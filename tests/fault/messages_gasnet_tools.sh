#!/bin/sh
# Each message of GASNet's tools, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_gasnet_tools
golden_edits='s/process [0-9]+ of/process N of/
s/[^ (]*messages_gasnet_tools[.]c:[0-9]+/FILE:N/'
together 1
ends 1 4084 4085 4086 4188 4190 4193 4194 4195 4196 4197 GASNET_FREEZE_ON_ERROR=yes 4189
ends 1 TESSERA_CHECK=1 4192
compare
finish
