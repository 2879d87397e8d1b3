#!/bin/sh
# scripts/check-abi finds that the shared libraries are compatible with the recorded ones, and fails where a record differs: a
# function that the library lacks, a structure of another size, other parameters, no record, no library. The script reads
# debugging information. A release has none, so that its libraries are built once more for this test.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
skip() { echo "abi: skipped: $*"; exit 77; }
fail() { echo "abi: $*" >&2; exit 1; }
build=${TESSERA_BUILD_DIR:?}
[ "${TESSERA_MPI:?}" = mpich ] || skip "the records are for MPICH"
command -v abidw >/dev/null && command -v abidiff >/dev/null || skip "no abidw or abidiff (abigail-tools)"
command -v readelf >/dev/null && command -v xz >/dev/null || skip "no readelf (binutils) or xz (xz-utils)"
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-abi.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

if ! readelf --wide --sections "$build/libtessera.so" | grep -q '\.debug_info'; then
  build=$work/build
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DTESSERA_MPI=mpich -DTESSERA_STATIC=OFF \
    -DBUILD_TESTING=OFF -DTESSERA_EXAMPLES=OFF -DTESSERA_BENCH=OFF >"$work/log" 2>&1 &&
    cmake --build "$build" --target installed >>"$work/log" 2>&1 ||
    fail "the libraries cannot be built: $(tail -n 50 "$work/log")"
fi

"$root/scripts/check-abi" "$build" || fail "the libraries have changed, or the check has ended with an error"
echo "ok: compatible"

# differs WHAT WORDS LIBRARY SED: with a record of the library that the expression has changed, the check fails and prints the
# words. Without an expression there is no such record.
differs() {
  what=$1 words=$2 record=$work/records/$3.abi.xz
  rm -rf "$work/records"
  cp -R "$root/packaging/abi" "$work/records"
  if [ -n "$4" ]; then
    xz -dc "$record" >"$work/old"
    sed "$4" "$work/old" >"$work/new"
    ! cmp -s "$work/old" "$work/new" || fail "$what: the expression $4 changes nothing in the record"
    xz -c "$work/new" >"$record"
  else
    rm "$record"
  fi
  fails "$what" "$words"
}

fails() {
  status=0
  "$root/scripts/check-abi" "$build" --records "$work/records" >"$work/log" 2>&1 || status=$?
  [ "$status" -eq 1 ] || fail "$1: ended with $status: $(cat "$work/log")"
  grep -q "$2" "$work/log" || fail "$1: does not print '$2': $(cat "$work/log")"
  echo "ok: $1"
}

differs "a function is gone" "libtessera-dart.so: CHANGED" libtessera-dart "s/dart_barrier_try/dart_barrier_gone/g"
grep -q "dart_barrier_gone" "$work/log" || fail "does not name the function"
differs "a structure has another size" "libtessera-dart.so: CHANGED" libtessera-dart \
  "s/\(<class-decl name='dart_gptr_t' size-in-bits='\)128/\1192/"
differs "a function has another parameter" "libtessera-dart.so: CHANGED" libtessera-dart \
  "/<function-decl name='dart_allocator_destroy'/,/<\/function-decl>/{/<parameter /d}"
differs "no record" "libtessera-shmem.so: not recorded" libtessera-shmem ""
cp "$root/packaging/abi/libtessera-shmem.abi.xz" "$work/records"
cp "$root/packaging/abi/libtessera.abi.xz" "$work/records/libtessera-abacus.abi.xz"
fails "no library" "libtessera-abacus.so: not in"
