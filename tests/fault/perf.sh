#!/bin/sh
# tessera-perf: its rows in each form, which say whether less or more is better, and its progress.
set -u
. "$(dirname "$0")/../support/fault.sh"
perf=$TESSERA_BUILD_DIR/tools/tessera-perf
quick="memory put.blocking --bytes 8,64K --seconds 0.001 --reps 1"
number="[0-9.e+]+"

# shellcheck disable=SC2086 # words
measure() {
  job 2 "$perf" $quick "$@"
  succeeds
}

measure --no-limit
says_once "^work +variant +bytes +units +value unit +better +limit +ratio$"
says_once "^memory +private +0 +2 +$number KiB +less$"
says_once "^put.blocking +plain +8 +2 +$number [num]s +less$"
says_once "^put.blocking +plain +65536 +2 +$number GB/s +more$"
check "progress without a terminal" [ "$(count "^tessera-perf: ")" -eq 0 ]

measure --csv --progress
says_once "^work,variant,mode,bytes,units,value,unit,better,min,max,limit,ratio$"
says_once "^memory,\"private\",,0,2,$number,KiB,less,$number,$number,,$"
says_once "^put.blocking,\"plain\",,65536,2,$number,GB/s,more(,$number){4}$"
says_once "^tessera-perf: +1 of 2: memory$"
says_once "^tessera-perf: +2 of 2: put.blocking$"

measure --json
says_once "^[{]\"work\":\"put.blocking\",.*\"bytes\":8,.*\"unit\":\"ns\",\"better\":\"less\",\"min\":"
says_once "^[{]\"work\":\"put.blocking\",.*\"unit\":\"GB/s\",\"better\":\"more\",\"min\":"

# On a terminal a row takes the place of the progress.
if command -v script >/dev/null; then
  job="memory on a terminal"
  TESSERA_ALONE=1 script -qec "'$perf' memory --csv" /dev/null 2>&1 </dev/null | tr '\r' '\n' >"$output"
  says "^tessera-perf: +1 of 1: memory *$"
  says_once "^memory,\"private\",,0,1,$number,KiB,less,"
fi
finish
