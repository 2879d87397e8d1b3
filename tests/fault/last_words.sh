#!/bin/sh
# Statistics and timeline of a unit that dies, or ends the job, are written, also those of its neighbours when it dies.
# The program's own handler of the signal runs.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start
exit_barrier on
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$output" "$ended"' EXIT
program=$TESSERA_BUILD_DIR/tests/fault/last_words

# A complete timeline, with every put and the barrier.
whole() {
  python3 -c 'import json, sys
events = [event["name"] for event in json.load(open(sys.argv[1])) if event["ph"] == "X"]
sys.exit(events.count("put") != 700 or "barrier" not in events)' "$1"
}

# ends HOW UNITS NODES TABLES: at least this number of units print their statistics
ends() {
  rm -f "$folder"/*
  job "$2" TESSERA_VIRTUAL_NODES="$3" TESSERA_STATS=1 TESSERA_TRACE="$folder/trace" "$program" "$1"
  fails
  check "not $4 tables" [ "$(grep -Ec '^\[tessera unit [0-9]+\] put +700 +5600 ' "$output")" -ge "$4" ]
  for unit in $(seq 0 $(($2 - 1))); do check "the timeline of unit $unit is not whole" whole "$folder/trace.$unit"; done
}

ends segv 3 2 1
says "unit 2 TSR-0399 SIGSEGV 0x8"
says "^\[tessera unit 2\] put +700 "
says "^\[tessera unit 2\] barrier +2 "
ends abort 2 1 2
says "unit 1 TSR-0399 SIGABRT"
ends kill 3 1 2
ends handler 2 1 1
says "^\[tessera unit 1\] put +700 "
says "the program's own handler runs"
ends dart_abort 2 1 1
says "^\[tessera unit 1\] put +700 "

# A known address is named. For an address that is not canonical the processor reports none.
job 1 "$program" null
fails
says "TSR-0399 SIGSEGV 0x0"
no_address() { check "an address is named that is not known" eval '! grep -q "TSR-0399.* 0x[0-9a-f]" "$output"'; }
job 1 "$program" sent
fails
says "TSR-0399 SIGSEGV"
no_address
if [ "$(uname -m)" = x86_64 ]; then
  job 1 "$program" wild
  fails
  says "TSR-0399 SIGSEGV"
  no_address
fi
finish
