#!/bin/sh
# A unit prints a repeated error ten times; at its end it prints how many more there were. TESSERA_ERRORS=abort ends the
# job at the first error. Of several threads that end the job at once, one says so.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/errors

# lines COUNT PATTERN
lines() { check "not $1 lines match '$2'" [ "$(count "$2")" -eq "$1" ]; }

for nodes in 1 2; do
  job 2 TESSERA_VIRTUAL_NODES=$nodes "$program" 100000
  succeeds
  lines 10 "unit 1 TSR-2120 dart_put_blocking"
  lines 1 "unit 1 @.* 99990 more .*TSR-2120 dart_put_blocking"
  lines 2 "goes on"

  job 2 TESSERA_VIRTUAL_NODES=$nodes TESSERA_ERRORS=abort "$program" 100000
  fails
  lines 1 "unit 1 TSR-2120 dart_put_blocking"
  lines 1 "unit 1 TSR-0369 TESSERA_ERRORS=abort"
  lines 0 "more of this kind|goes on"
done

job 2 "$program" threads
fails
says_alone "unit 1 TSR-2057 dart_abort"

job 1 TESSERA_ERRORS=all "$program" 50
succeeds
lines 50 "TSR-2120 dart_put_blocking"
job 1 TESSERA_ERRORS=abort "$program" 0
succeeds
job 1 TESSERA_ERRORS=abort "$program" 0 early
fails
lines 1 "TSR-0368 dart_put_blocking"
lines 1 "TSR-0369 TESSERA_ERRORS=abort"
job 1 "$program" 10 early
succeeds
lines 10 "TSR-2120 dart_put_blocking"
lines 0 "more of this kind"

# Each wrong environment variable has its own warning.
job 1 TESSERA_A1=1 TESSERA_A2=1 TESSERA_A3=1 TESSERA_A4=1 TESSERA_A5=1 TESSERA_A6=1 TESSERA_A7=1 TESSERA_A8=1 TESSERA_A9=1 \
  TESSERA_B1=1 TESSERA_B2=1 TESSERA_B3=1 "$program" 0
succeeds
lines 12 "TSR-0004 TESSERA_[AB][1-9]"
finish
