#!/bin/sh
# bench/compare between hosts: a row for each kind of work, with the times of Tessera and of the peer, also in the
# report.
set -u
. "$(dirname "$0")/../support/hosts.sh"
command -v python3 >/dev/null || hosts_skip "python3 is missing"
hosts_up 2 # skips the test if hosts cannot be made
hosts_down
folder=$(mktemp -d)
rows=$folder/rows
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
  echo "compare: $1:"
  cat "$rows"
  failures=$((failures + 1))
}

heat=$(dirname "$0")/../../bench/studies/pgas/input/quick.heat
# The library would warn of these variables.
env -u TESSERA_MPIEXEC -u TESSERA_MPI -u TESSERA_BUILD_DIR "$(dirname "$0")/../../bench/compare" --hosts 2 \
  --build "$TESSERA_BUILD_DIR" --peers "$TESSERA_MPI" \
  --works "trip.get,pieces.vector,overlap.put,coll.allreduce,stencil2d 32 4,heat3d_messages $heat" \
  --bytes 64 --seconds 0.001 --reps 1 --rounds 1 --timeout 60 --json --report "$folder/report.md" \
  >"$rows" 2>&1 || fail "failed"
for work in trip.get pieces.vector overlap.put coll.allreduce; do
  row="^{\"work\": \"$work\".*\"units\": 2, \"peer\": \"$TESSERA_MPI\".*\"ratio\": [0-9]"
  grep -q "$row" "$rows" || fail "no row for $work"
  row="^\| $work \| [^|]+ \| 64 \| 2 \| $TESSERA_MPI.* \| (less|more) \|.* \| [0-9.]+ \("
  grep -Eq "$row" "$folder/report.md" || fail "no $work in the report"
done
grep -q "^| steal time | [0-9]" "$folder/report.md" || fail "no steal time in the report"
[ "$(wc -l <"$folder/report/rows.jsonl")" -ge 4 ] || fail "no rows beside the report"
# Only if the peers' programs were built.
for work in stencil2d heat3d_messages; do
  [ -e "$TESSERA_BUILD_DIR/bench/peers/$work.$TESSERA_MPI" ] || continue
  grep -q "^{\"work\": \"$work\", \"variant\": \"whole\"" "$rows" || fail "no row for $work"
done
exit $((failures > 0))
