#!/bin/sh
# Puts and gets through windows of MPI-3: on virtual nodes with both MPIs, and on hosts if the MPI supports it. If not,
# the job prints why and ends.
set -u
. "$(dirname "$0")/../support/hosts.sh"
. "$(dirname "$0")/../support/message.sh"
output=$(mktemp)
failures=0
export TESSERA_NET_RMA=mpi3

fail() {
  echo "window: $1:"
  tail -n 40 "$output" | sed 's/^/  /'
  failures=$((failures + 1))
}

programs="dart_rma dart_strided dart_own_mpi"
[ -z "${CHECK_BRIEF:-}" ] || programs=dart_strided
for program in $programs; do
  TESSERA_VIRTUAL_NODES=2 RUN_TIMEOUT=50 "$TESSERA_MPIEXEC" -n 4 "$TESSERA_BUILD_DIR/tests/spmd/$program" \
    >"$output" 2>&1 || fail "$program failed"
done
[ $failures -eq 0 ] || exit 1

hosts_up 2
if [ "$TESSERA_MPI" = openmpi ]; then
  RUN_TIMEOUT=50 hosts_run 2 "$TESSERA_BUILD_DIR/tests/spmd/window" >"$output" 2>&1
  if [ $? -ne 0 ]; then
    grep -Eq "$(message "TSR-0225 TESSERA_NET_RMA=mpi3 mca osc TESSERA_NET_RMA=twosided")" "$output" ||
      fail "Open MPI made no window, and no message says why"
  fi
  export OMPI_MCA_osc=sm,pt2pt TESSERA_MPI_THREADS=keep
fi
for program in window dart_rma; do
  RUN_TIMEOUT=50 hosts_run 4 "$TESSERA_BUILD_DIR/tests/spmd/$program" >"$output" 2>&1 || fail "$program failed on hosts"
done
if ! RUN_TIMEOUT=50 hosts_carry 4; then
  cp "$hosts_dir/output" "$output"
  fail "a known number of bytes did not go over the network"
fi
rm -f "$output"
exit $((failures > 0))
