#!/bin/sh
# Arguments that one unit alone has wrong end a job on several nodes with a message that names the unit; with
# TESSERA_CHECK=1, or on one node, the call answers an error on all and the job goes on.
set -u
program=$TESSERA_BUILD_DIR/tests/fault/refuse
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

complain() {
  echo "refuse: $1: exit code $code, and:"
  sed 's/^/  /' "$output"
  failures=$((failures + 1))
}

for what in bcast gather scatter allreduce allgather alltoall; do
  timeout 20 env TESSERA_VIRTUAL_NODES=2 "$TESSERA_MPIEXEC" -n 3 "$program" $what >"$output" 2>&1
  code=$?
  if [ $code -eq 0 ] || [ $code -eq 124 ] ||
    ! grep -Eq "unit 2 and its node left collective call 3 of team 0" "$output"; then
    complain "$what on two nodes"
  fi
done

for what in bcast alltoall; do
  for setting in "TESSERA_CHECK=1 TESSERA_VIRTUAL_NODES=2" TESSERA_CHECK=1 TESSERA_CHECK=0; do
    # shellcheck disable=SC2086 # several settings
    timeout 20 env $setting "$TESSERA_MPIEXEC" -n 3 "$program" $what >"$output" 2>&1
    code=$?
    [ $code -eq 0 ] && grep -q "dart_$what: " "$output" || complain "$what with $setting"
  done
done
exit $((failures > 0))
