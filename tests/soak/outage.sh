#!/bin/sh
# A link between two hosts is cut for 25 s, and then a unit stopped for 20 s, while a job exchanges data or waits: the job goes on
# afterwards and ends well, over both wires. So does a job that some units leave for one of their own. MPICH, and the wire over
# UCX beside it, give up a link that is down for 16 s while nothing is sent, unless UCX_TCP_KEEPIDLE=inf; over UCX one message
# says so, and the job ends.
set -u
. "$(dirname "$0")/../support/hosts.sh"
program=$TESSERA_BUILD_DIR/tests/fault/wire

fail() { hosts_fail "outage, $title: $1"; }

# begin HOW: a job that has exchanged its first data.
begin() {
  mark=$hosts_dir/go
  rm -f "$mark"
  RUN_TIMEOUT=200 hosts_run 4 "$program" "$1" "$mark" >"$hosts_dir/output" 2>&1 &
  job=$!
  while kill -0 $job 2>/dev/null && ! grep -q "all have written" "$hosts_dir/output"; do sleep 0.1; done
}

# end: the code with which the job ends, once it may.
end() {
  touch "$mark"
  wait $job
  code=$?
}

# cut HOW
cut() {
  title="$TESSERA_NET, $1, the link is cut"
  begin "$1"
  hosts_link h2 down
  sleep 25
  hosts_link h2 up
  end
}

# A unit of the second host; its monitor has another name.
unit_of_h2() {
  for pid in $(pgrep --ns "$(cat "$hosts_dir/h2.pid")" --nslist net -x wire); do echo "$pid"; done | head -n 1
}

# stop HOW
stop() {
  title="$TESSERA_NET, $1, a unit is stopped"
  begin "$1"
  unit=$(unit_of_h2)
  kill -STOP "$unit" || fail "no unit to stop"
  sleep 20
  kill -CONT "$unit"
  end
}

hosts_up 2
for TESSERA_NET in mpi ucx; do
  export TESSERA_NET
  title="$TESSERA_NET, the second host leaves for a job of its own"
  RUN_TIMEOUT=100 hosts_run 4 "$program" leave >"$hosts_dir/output" 2>&1 || fail "exit code $?"
  for how in idle busy; do
    export UCX_TCP_KEEPIDLE=inf
    cut $how
    [ $code -eq 0 ] || fail "exit code $code"
    unset UCX_TCP_KEEPIDLE
    stop $how
    [ $code -eq 0 ] || fail "exit code $code"
  done
done

cut idle
if [ "$TESSERA_MPI" = mpich ]; then
  [ $code -ne 0 ] && [ $code -ne 124 ] || fail "exit code $code"
  grep -q "TSR-0243 .*UCX_TCP_KEEPIDLE=inf" "$hosts_dir/output" || fail "the remedy is missing"
else
  [ $code -eq 0 ] || fail "exit code $code"
fi
exit $((failures > 0))
