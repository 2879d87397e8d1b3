#!/bin/sh
# The same programs across hosts as on pretended nodes: units see the right nodes, and what they say goes over the
# network.
set -u
. "$(dirname "$0")/../support/hosts.sh"

hosts_up 2
failures=0

fail() {
  echo "hosts: $1:"
  tail -n 40 "$hosts_dir/output" | sed 's/^/  /'
  failures=$((failures + 1))
}

run() {
  RUN_TIMEOUT=50 hosts_run "$@" >"$hosts_dir/output" 2>&1 || fail "$* failed"
}

run 4 "$TESSERA_BUILD_DIR/tools/tessera-info" --check
grep -q "nodes: 2" "$hosts_dir/output" || fail "not two nodes"
before=$(hosts_bytes)
for program in core_team dart_rma dart_atomic dart_coll; do
  run 4 "$TESSERA_BUILD_DIR/tests/spmd/$program"
done
after=$(hosts_bytes)
[ $((after - before)) -gt 1000000 ] || fail "only $((after - before)) bytes went over the network"
exit $((failures > 0))
