#!/bin/sh
# bench/compare on several numbers of units, and bench/scale-model from its parameters to a prediction.
# tests/soak/growth.sh simulates more nodes.
set -u
command -v python3 >/dev/null || { echo "skipped: python3 is missing"; exit 77; }
bench=$(dirname "$0")/../../bench
rows=$(mktemp) said=$(mktemp)
trap 'rm -f "$rows" "$said"' EXIT
failures=0

fail() {
  echo "growth: $1:"
  cat "$said"
  failures=$((failures + 1))
}

# The library would warn of these variables.
build=$TESSERA_BUILD_DIR mpi=$TESSERA_MPI
unset TESSERA_MPIEXEC TESSERA_MPI TESSERA_BUILD_DIR

"$bench/compare" --build "$build" --peers "$mpi" --works barrier,p2p,coll.bcast --units 1,2 --bytes 8 --seconds 0.001 \
  --reps 1 --rounds 1 --timeout 60 --json >"$said" 2>&1 || fail "compare failed"
for work in barrier coll.bcast p2p.send; do
  for units in 1 2; do
    grep -q "^{\"work\": \"$work\".*\"units\": $units, \"peer\": \"$mpi\"" "$said" || fail "no row for $work, $units units"
  done
done

hosts=
[ "$(id -u)" -eq 0 ] && unshare --net true 2>/dev/null && hosts="--hosts 2"
"$bench/scale-model" measure --build "$build" --units 2,3 --seconds 0.001 $hosts >"$rows" 2>"$said" || fail "measure failed"
most=64
[ -z "$hosts" ] || most=1000000
"$bench/scale-model" predict "$rows" --most $most >"$said" 2>&1 || fail "predict failed"
[ "$(tail -n 1 "$said" | awk '{ print $1 }')" = $most ] || fail "no prediction for $most units"
"$bench/scale-model" check "$rows" >"$said" 2>&1 || fail "check failed"
grep -q '^allreduce 8 B  *2 units, 1 hosts' "$said" || fail "nothing measured to check against"
"$bench/scale-model" table --build "$build" --units 2 --limit 2 --seconds 0.001 >"$said" 2>&1 || fail "table failed"
grep -q '^| 2 | [0-9.]* |' "$said" || fail "no time of a barrier of 2 units in the table"

# From here on the rows are those of the documentation, so the results do not depend on the machine. By the model, no
# choice of the library between more than four nodes is much slower than the best one.
"$bench/scale-model" choices "$bench/scale/measured.rows" >"$said" 2>&1 || fail "choices failed"
[ "$(grep -c '\*' "$said")" -gt 100 ] || fail "few choices"
awk '$3 + 0 > 4 && $NF > 2.5' "$said" | grep . && fail "a choice between leaders that is far from the best"

if command -v smpirun >/dev/null; then
  . "$(dirname "$0")/../support/simulate.sh"
  simulate 5,16
else
  echo "growth: no simulated nodes: smpirun is missing (Debian: libsimgrid-dev)"
fi
exit $((failures > 0))
