#!/bin/sh
# A unit that dies on another host, and a host that is cut off: one message names unit and host, the units print what
# they waited for, all soon end with an error code, and nothing is left behind. A killed monitor is replaced.
set -u
. "$(dirname "$0")/../support/hosts.sh"
. "$(dirname "$0")/../support/message.sh"

hosts_up 2
program=$TESSERA_BUILD_DIR/tests/fault/die

fail() { hosts_fail "death between hosts, $1: $2"; }

# The processes on the hosts, except the first process of each host.
left_behind() {
  for pid in $(cat "$hosts_dir"/h*.pid); do
    pgrep -a --ns "$pid" --nslist net . | grep -v "^$pid "
  done
}
count() { grep -Ec "$(message "$1")" "$hosts_dir/output"; }
units_left() { left_behind | grep -E "^[0-9]+ [^ ]*/fault/die "; }

# Waits until a command prints nothing; false after 20 s.
goes_away() {
  for attempt in $(seq 200); do
    [ -n "$("$@")" ] || return 0
    sleep 0.1
  done
  return 1
}

check_end() {
  [ "$code" -ne 124 ] || fail "$1" "still running after $2 s"
  [ "$code" -ne 0 ] || fail "$1" "exit code 0"
  [ "$(count "$3")" -eq 1 ] || fail "$1" "not one line matches '$3'"
  ends=$(count "(TSR-0337|TSR-0338|TSR-0340|TSR-0341)")
  [ "$ends" -eq 1 ] || [ "$1" = cut ] || fail "$1" "$ends reports of monitors" # after a cut both sides report
  goes_away left_behind || fail "$1" "left behind: $(left_behind)"
}

# die HOW UNITS PATTERN
die() {
  RUN_TIMEOUT=30 hosts_run "$2" "$program" "$1" >"$hosts_dir/output" 2>&1
  code=$?
  check_end "$1" 30 "$3"
}

die kill 4 "host h2 TSR-0337 3"
[ "$(count "TSR-0342 [0-2]")" -gt 0 ] || fail kill "no unit reports its wait"
die transfer 4 "host h2 TSR-0337 3"
grep -Eq "$(message "TSR-0342 [0-2]")|TSR-0204 .*\<3\>" "$hosts_dir/output" || fail transfer "no unit reports its wait"
die computing 2 "host h2 TSR-0337 1"

# The monitor of the second host is killed while its units are outside the library: the job continues, and the new
# monitor reports the next unit that dies.
RUN_TIMEOUT=60 TESSERA_PROGRESS=none hosts_run 4 "$program" monitors-last-idle >"$hosts_dir/output" 2>&1
code=$?
[ $code -eq 0 ] || fail monitors "exit code $code"
[ "$(count TSR-0343)" -eq 1 ] || fail monitors "not one new monitor"
[ "$(grep -c "error:" "$hosts_dir/output")" -eq 0 ] || fail monitors "something went wrong"
die monitors-all-kill 4 "host h2 TSR-0337 3"

# The second host's link goes down while all units wait. The units end; Open MPI's launcher keeps waiting for its own
# daemon.
export TESSERA_NODE_TIMEOUT=4
RUN_TIMEOUT=40 hosts_run 4 "$program" wait >"$hosts_dir/output" 2>&1 &
job=$!
while kill -0 $job 2>/dev/null && ! grep -q "all wait" "$hosts_dir/output"; do sleep 0.1; done
hosts_link h2 down
sleep 1
goes_away units_left || fail cut "units are still there: $(units_left)"
hosts_link h2 up
wait $job
code=$?
if [ "$TESSERA_MPI" = openmpi ] && [ $code -eq 124 ]; then code=1; fi
check_end cut 40 "TSR-0340 1 h2 2 2 4"
exit $((failures > 0))
