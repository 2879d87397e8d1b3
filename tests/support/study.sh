# A study of bench/studies in small, on one node and with the MPI of this build. For scripts that source this file.
#
#   study NAME    runs it: its programs succeed, and the report has its rows; counts in $failures
failures=0
command -v python3 >/dev/null || { echo "skipped: python3 is missing"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

study_fail() {
  echo "study $name: $1:"
  tail -n 60 "$folder/said" | sed 's/^/  /'
  failures=$((failures + 1))
}

# The library would warn of these variables. A peer that fails, or is not installed, is a line of the report.
study() {
  name=$1
  env -u TESSERA_MPIEXEC -u TESSERA_MPI -u TESSERA_BUILD_DIR "$(dirname "$0")/../../bench/study" "$name" --quick --places node \
    --build "$TESSERA_BUILD_DIR" --report "$folder/$name.md" >"$folder/rows" 2>"$folder/said" || study_fail "exit code $?"
  ! grep -q "no program [^ ]* of ours" "$folder/said" || study_fail "programs are missing"
  grep -q '^{"case": .*"peer": "[^"]*'"$TESSERA_MPI" "$folder/rows" || study_fail "no row with a peer"
  grep -q "^| one node | $TESSERA_MPI | " "$folder/$name.md" || study_fail "no row in the report"
  grep -q "^This was a quick run" "$folder/$name.md" || study_fail "the report does not say what it is worth"
}
