#!/bin/sh
# Each message of the native interface, as a wrong call has it printed.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_native
together 2
ends 1 1000
compare
finish
