#!/bin/sh
# The message about memory of another unit that the kernel cannot copy, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_attach
together 1
! grep -q TSR-0101 "$output" || exit 77 # the kernel does not permit such copies here
compare
finish
