#!/bin/sh
# `make dist` writes the same bytes each time, with all that is committed but debian/, and nothing else; the unpacked tree can be built without git.
set -eu
: "${TESSERA_MPI:?}"
root=$(cd "$(dirname "$0")/../.." && pwd)
if ! git -C "$root" rev-parse HEAD >/dev/null 2>&1; then
  echo "dist: skipped: no git, or no clone of it"
  exit 77
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-dist.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "dist: $*" >&2; exit 1; }

for folder in first second; do
  make -s -C "$root" dist DIST="$work/$folder" || fail "is not written"
  sleep 1 # another time of day
done
file=$(cd "$work/first" && echo *)
cmp "$work/first/$file" "$work/second/$file" || fail "the second $file has other bytes"
name=${file%.tar.gz}
version=$(sed -n 's/.*define TESSERA_VERSION_STRING "\(.*\)".*/\1/p' "$root/include/tessera.h")
[ "$name" = "tessera-$version" ] || fail "is called $file"

tar -tzf "$work/first/$file" | grep -v '/$' | sort >"$work/packed"
git -C "$root" ls-tree -r --name-only HEAD | grep -v '^debian/' | sed "s|^|$name/|" | sort >"$work/committed"
diff "$work/committed" "$work/packed" || fail "holds other files than the commit"

# A git that fails. Ninja looks for every source, also of the tests, and builds nothing.
tar -C "$work" -xzf "$work/first/$file"
mkdir "$work/bin"
printf '#!/bin/sh\necho "git is called: $*" >&2\nexit 1\n' >"$work/bin/git"
chmod +x "$work/bin/git"
PATH=$work/bin:$PATH
cmake -S "$work/$name" -B "$work/build" -G Ninja -DTESSERA_MPI="$TESSERA_MPI" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
ninja -C "$work/build" -n >"$work/log" 2>&1 || fail "$(tail "$work/log")"
echo "ok: $file, $(wc -l <"$work/packed") files"
