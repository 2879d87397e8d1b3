#!/bin/sh
# The same programs across hosts as on virtual nodes: units see the right nodes, and their messages go over the network.
# The whole suite runs in tests/soak.
set -u
. "$(dirname "$0")/../support/hosts.sh"

hosts_up 2
. "$(dirname "$0")/../support/suite.sh"
suite_run_in default 4 "$TESSERA_BUILD_DIR/tools/tessera-info" --check
grep -q "nodes: 2" "$hosts_dir/output" || suite_fail "not two nodes"
suite_run 3 p2p shmem_litmus
suite_counted 4 dart_strided
if [ -n "${CHECK_BRIEF:-}" ]; then
  suite_modes=thread
  suite_run 4 dart_busy_target_own_mpi
  suite_modes=process:1
  suite_run 4 dart_offload
  suite_modes="thread process:1"
else
  suite_run 4 core_segment core_team dart_atomic dart_coll dart_lock dart_message dart_threads dart_v2
  suite_counted 4 dart_rma
  suite_modes="thread process:1"
  suite_run 4 dart_busy_target_own_mpi dart_busy_target_fortran dart_offload
fi
suite_end
