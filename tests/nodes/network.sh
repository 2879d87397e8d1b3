#!/bin/sh
# Units with one host name in different network namespaces, as in containers: they cannot share memory, so they are on
# different nodes, although MPI takes them for one node.
set -u
program=$TESSERA_BUILD_DIR/tests/nodes/places
[ "$TESSERA_MPI" = mpich ] || { echo "skipped: this MPI finds its launcher over the network"; exit 77; }
unshare -n true 2>/dev/null || { echo "skipped: no right to make a network namespace"; exit 77; }
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

# places ARGUMENT...: a job that ends normally.
places() {
  timeout -k 5 50 "$TESSERA_MPIEXEC" "$@" >"$output" 2>&1 && return
  echo "network: $* failed:"
  sed 's/^/  /' "$output"
  failures=$((failures + 1))
}

places -n 3 "$program" 0 0 0
places -n 2 "$program" 0 0 2 : -n 1 unshare -n "$program" 0 0 2
places -n 1 "$program" 0 1 0 0 : -n 1 unshare -n "$program" 0 1 0 0 : -n 2 "$program" 0 1 0 0
places -n 1 unshare -n "$program" 0 1 : -n 1 "$program" 0 1
exit $((failures > 0))
