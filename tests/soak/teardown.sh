#!/bin/sh
# The end of jobs on 2 hosts with 2 units each, and on 4 with 4, must not hang, whether Tessera or the program finalises
# MPI. RUNS=COUNT: another number than a hundred of each kind.
set -u
runs=${RUNS:-100}
. "$(dirname "$0")/../support/hosts.sh"

# repeat UNITS HOW
repeat() {
  for i in $(seq "$runs"); do
    RUN_TIMEOUT=60 hosts_run "$1" "$TESSERA_BUILD_DIR/tests/nodes/ending" "$2" >"$hosts_dir/output" 2>&1 && continue
    echo "teardown: $1 units on $hosts_n hosts, $2, run $i of $runs:"
    tail -n 40 "$hosts_dir/output" | sed 's/^/  /'
    return 1
  done
  echo "teardown: $1 units on $hosts_n hosts, $2: $runs runs"
}

for n in 2 4; do
  (
    hosts_up $n
    repeat $((n * n)) ours && repeat $((n * n)) init
  )
  code=$?
  [ $code -eq 0 ] || exit $code
done
