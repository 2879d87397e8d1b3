#!/bin/sh
# One prefix holds one Tessera: an installation for the other MPI is left as it is. `make uninstall` removes what was installed,
# and nothing else. What is installed or run needs none of the tests, nor what those need.
set -eu
: "${TESSERA_BUILD_DIR:?}" "${TESSERA_MPI:?}"
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-prefix.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "prefix: $*" >&2; exit 1; }
state() { (cd "$1" && find . -type f -exec cksum {} + | sort); }

# refused COMMAND...: fails, and says "$words".
refused() {
  if output=$("$@" 2>&1); then fail "$*: is not refused"; fi
  case $(echo "$output" | tr -s ' \n' '  ') in *"$words"*) ;; *) fail "$*: $output" ;; esac
}

# A Tessera for the other MPI, as far as an installation can see.
case $TESSERA_MPI in mpich) other=openmpi ;; *) other=mpich ;; esac
cmake --install "$TESSERA_BUILD_DIR" --prefix "$work/prefix" >/dev/null
cmake --install "$TESSERA_BUILD_DIR" --prefix "$work/prefix" >/dev/null # the same once more
config=$(find "$work/prefix" -name TesseraConfig.cmake)
cp "$config" "$work/own"
sed -i "s/Tessera_MPI \"$TESSERA_MPI\"/Tessera_MPI \"$other\"/" "$config"
before=$(state "$work/prefix")
words="holds a Tessera for $other" refused cmake --install "$TESSERA_BUILD_DIR" --prefix "$work/prefix"
words="make uninstall PREFIX=/prefix" refused env DESTDIR="$work" cmake --install "$TESSERA_BUILD_DIR" --prefix /prefix
[ "$(state "$work/prefix")" = "$before" ] || fail "a refused installation has changed files"

# What make runs is what it builds, though LD_LIBRARY_PATH names the installation, as README says.
lib=$(dirname "$(find "$work/prefix" -name libtessera.so)")
shown=$(LD_LIBRARY_PATH=$lib:/elsewhere make -s --no-print-directory -C "$root" --eval='show: ; @echo "$$LD_LIBRARY_PATH"' show)
[ "$shown" = /elsewhere ] || fail "make runs programs with LD_LIBRARY_PATH=$shown"

# Uninstalled, wherever it has been moved to.
mv "$work/prefix" "$work/moved"
mkdir -p "$work/moved/bin" "$work/moved/lib/cmake/Other"
touch "$work/moved/bin/others" "$work/moved/lib/cmake/Other/OtherConfig.cmake"
make -s -C "$root" uninstall PREFIX="$work/moved" >/dev/null
left=$(cd "$work/moved" && find . | sort | tr '\n' ' ')
[ "$left" = ". ./bin ./bin/others ./lib ./lib/cmake ./lib/cmake/Other ./lib/cmake/Other/OtherConfig.cmake " ] || fail "left: $left"
words="no Tessera in" refused make -s -C "$root" uninstall PREFIX="$work/moved"

# Without the tests, and without what only they need.
cmake -S "$root" -B "$work/build" -G Ninja -DTESSERA_MPI="$TESSERA_MPI" -DBUILD_TESTING=OFF -DTESSERA_BENCH=OFF \
  -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON >"$work/log" 2>&1 || fail "without tests: $(cat "$work/log")"
for build in "$work/build" "$TESSERA_BUILD_DIR"; do
  for target in installed example-heat3d; do
    commands=$(ninja -C "$build" -t commands $target)
    case $commands in *libtessera-dart.so*) ;; *) fail "$build, $target: the library is not built" ;; esac
    if echo "$commands" | grep -E ' -o (tests|bench)/'; then fail "$build, $target: builds tests"; fi
  done
done
make -C "$root" help | grep -q "uninstall" || fail "make help"
