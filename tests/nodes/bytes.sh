#!/bin/sh
# Data between hosts goes over the network, whichever process moves it: an MPI that compares only host names has used
# shared memory. The counters of the network interfaces must grow by the bytes that the program moved. With virtual
# nodes on one host they do not grow, which shows that the test can tell the difference.
set -u
. "$(dirname "$0")/../support/hosts.sh"
failures=0

fail() {
  echo "bytes: $1:"
  tail -n 40 "$hosts_dir/output" | sed 's/^/  /'
  failures=$((failures + 1))
}

hosts_up 2
modes="none thread process:1 process:2"
[ -z "${CHECK_BRIEF:-}" ] || modes="thread process:1"
for mode in $modes; do
  units=4
  case $mode in process:*) units=$((4 + 2 * ${mode#process:})) ;; esac
  RUN_TIMEOUT=50 hosts_carry $units TESSERA_PROGRESS=$mode || fail "progress $mode"
done

hosts_run() {
  shift
  TESSERA_VIRTUAL_NODES=2 nsenter -t "$(cat "$hosts_dir/h1.pid")" -n -u -i -m --wd="$PWD" "$TESSERA_MPIEXEC" -n 4 "$@"
}
RUN_TIMEOUT=50 hosts_carry 4 && fail "on one host, too"
grep -q "^carried " "$hosts_dir/output" || fail "on one host"
exit $((failures > 0))
