#!/bin/sh
# With TESSERA_CHECK=1 the end of an interface names what the program has not given back, and only that.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/apis_leak

# leaves WHAT LINES PATTERN: so many lines name it, and no other leak is named
leaves() {
  job 2 TESSERA_CHECK=1 $nodes "$program" "$1"
  succeeds
  check "not $2 lines match '$3'" [ "$(count "$3")" -eq "$2" ]
  check "something else is named" [ "$(count 'TSR-041[1-5]')" -eq "$2" ]
}

for nodes in TESSERA_VIRTUAL_NODES=1 TESSERA_VIRTUAL_NODES=2; do
  leaves nothing 0 TSR-041[1-5]
  leaves team 1 "unit 0 TSR-0411 DART 1 team [1-9][0-9]* 2"
  leaves segment 1 "unit 0 TSR-0412 DART 1 96 [1-9][0-9]* 0"
  leaves registered 2 "TSR-0413 DART 1 64 0"
  leaves local 2 "TSR-0414 DART 1 160 0x[0-9a-f]+"
  leaves ARMCI 1 "unit 0 TSR-0412 ARMCI 1 64"
  leaves native 1 "unit 0 TSR-0412 Tessera 1 72"
done
leaves handle 2 "TSR-0415 DART 1"
job 2 $nodes "$program" everything
succeeds
check "named without TESSERA_CHECK" [ "$(count 'TSR-041[1-5]')" -eq 0 ]
finish
