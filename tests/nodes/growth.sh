#!/bin/sh
# bench/compare on several numbers of units, and bench/scale-model from its parameters to a prediction.
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

# The library would warn of TESSERA_ names that it does not know.
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
simulate=
[ -n "$hosts" ] && command -v smpirun smpicc >/dev/null && simulate="--simulate 4"
"$bench/scale-model" check "$rows" $simulate >"$said" 2>&1 || fail "check failed"
grep -q '^coll.allreduce  *2 units, 1 hosts' "$said" || fail "nothing measured to check against"
exit $((failures > 0))
