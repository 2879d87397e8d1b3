#!/bin/sh
# Locality on more virtual nodes, without hwloc, and with all units bound to one core.
set -u
program=$TESSERA_BUILD_DIR/tests/spmd/dart_locality
failures=0

passes() {
  if ! timeout -k 5 55 env "$@"; then
    echo "locality: failed: $*"
    failures=$((failures + 1))
  fi
}

passes TESSERA_VIRTUAL_NODES=3 "$TESSERA_MPIEXEC" -n 7 "$program" 2>/dev/null
passes TESSERA_VIRTUAL_NODES=5 "$TESSERA_MPIEXEC" -n 5 "$program" 2>/dev/null
passes TESSERA_TOPOLOGY=system TESSERA_VIRTUAL_NODES=2 "$TESSERA_MPIEXEC" -n 3 "$program" 2>/dev/null
if command -v taskset >/dev/null; then
  passes "$TESSERA_MPIEXEC" -n 3 taskset -c 0 "$program" 2>/dev/null
fi
exit $((failures > 0))
