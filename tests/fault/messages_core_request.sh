#!/bin/sh
# Each message about requests that no build of Tessera sends, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once

golden messages_core_request
# shellcheck disable=SC2046 # a word for each
ends 1 $("$program" list)
compare
finish
