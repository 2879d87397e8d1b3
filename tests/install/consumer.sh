#!/bin/sh
# Installs into a temporary prefix and builds and runs outside programs against it: C and C++, through pkg-config and
# through find_package, with the shared and with the static libraries; and the example hello from where it is installed.
# C with the shared ones and C++ with the static ones; TESSERA_TEST_ALL=1: both with both, and all examples.
set -eu
: "${TESSERA_BUILD_DIR:?}" "${TESSERA_MPIEXEC:?}" "${CC:=cc}" "${CXX:=c++}"
export CC CXX
project=$(cd "$(dirname "$0")/project" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-install.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "consumer: $*" >&2; exit 1; }

# check_program WHAT FILE shared|static: runs on two units, and is linked as it should be.
check_program() {
  output=$(RUN_TIMEOUT=60 "$TESSERA_MPIEXEC" -n 2 "$2") || fail "$1: ended with $?: $output"
  case $output in *"size 2"*) ;; *) fail "$1: printed '$output' instead of 'size 2'" ;; esac
  linked=static
  if ldd "$2" | grep -q libtessera; then linked=shared; fi
  [ "$linked" = "$3" ] || fail "$1: is linked $linked"
  echo "ok: $1"
}

# by_pkg_config COMPILER SUFFIX shared|static PREFIX
by_pkg_config() {
  libdir=$(dirname "$(find "$4" -name tessera.pc -printf '%h')")
  static=
  if [ "$3" = static ]; then static=--static; fi
  for module in tessera tessera-dart tessera-armci tessera-gasnet tessera-shmem; do
    source=use_${module#tessera-}.$2
    program=$work/pkg-config-$module-$2-$3
    flags=$(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs $static "$module")
    # shellcheck disable=SC2086 # the flags are words
    $1 -Wall -Wextra -Werror -o "$program" "$project/$source" $flags -Wl,-rpath,"$libdir"
    check_program "pkg-config, $3, $module, $source" "$program" "$3"
  done
}

# by_alias shared|static PREFIX OPTION SOURCE: by the names that others have for the libraries: DASH for its DART
# implementations, Global Arrays for ARMCI.
by_alias() {
  libdir=$(dirname "$(find "$2" -name libdart-tessera.a)")
  program=$work/alias-$1
  flags=$(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags tessera)
  # shellcheck disable=SC2086 # the flags are words
  "$CXX" -std=c++17 -Wall -Wextra -Werror -o "$program" "$project/$4" $flags -I"$2/include/tessera-faces" \
    -I"$libdir/tessera-armci/include" -L"$libdir/tessera-armci/lib" "$3" -Wl,-rpath,"$libdir" || fail "$3, $1: does not link"
  check_program "$3, $1" "$program" "$1"
}

# by_cmake LANGUAGE shared|static
by_cmake() {
  build=$work/cmake-$1-$2
  suffix=
  if [ "$2" = static ]; then suffix=_static; fi
  cmake -S "$project" -B "$build" -DCMAKE_PREFIX_PATH="$work/prefix" -DLANGUAGE="$1" -DSUFFIX="$suffix" \
    >"$build.log" || fail "find_package, $2, $1: $(cat "$build.log")"
  cmake --build "$build" >"$build.log" || fail "find_package, $2, $1: $(cat "$build.log")"
  for name in use_dart use_armci use_gasnet use_shmem use_tessera; do
    check_program "find_package, $2, $1, $name" "$build/$name" "$2"
  done
}

cmake --install "$TESSERA_BUILD_DIR" --component Unspecified --prefix "$work/prefix" >/dev/null
# Who wants static libraries through pkg-config has no shared ones there, or the linker prefers those. A copy also
# shows that an installed tree may be moved.
cp -R "$work/prefix" "$work/prefix-static"
find "$work/prefix-static" -name '*.so*' -exec rm {} +

for kind in shared static; do
  prefix=$work/prefix
  if [ "$kind" = static ]; then prefix=$work/prefix-static; fi
  by_alias "$kind" "$prefix" -ldart-tessera alias.cpp
  by_alias "$kind" "$prefix" -larmci alias_armci.cpp
  if [ "$kind" = shared ] || [ -n "${TESSERA_TEST_ALL:-}" ]; then
    by_pkg_config "$CC" c "$kind" "$prefix"
    by_cmake C "$kind"
  fi
  if [ "$kind" = static ] || [ -n "${TESSERA_TEST_ALL:-}" ]; then
    by_pkg_config "$CXX" cpp "$kind" "$prefix"
    by_cmake CXX "$kind"
  fi
done

by_alias static "$work/prefix" -l:libdart-tessera.a alias.cpp # with the shared ones beside it

# A program on DASH finds Tessera through DASH's package.
cmake -S "$project/dash" -B "$work/dash" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/dash.log" 2>&1 &&
  cmake --build "$work/dash" >"$work/dash.log" 2>&1 || fail "DASH's package: $(cat "$work/dash.log")"
check_program "DASH's package" "$work/dash/on_dash" shared

# The installed examples.
examples=$work/examples target=example-hello
if [ -n "${TESSERA_TEST_ALL:-}" ]; then target=all; fi
cmake -S "$work/prefix/share/tessera/examples" -B "$examples" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" >"$examples.log" 2>&1 || fail "examples: $(cat "$examples.log")"
cmake --build "$examples" --target "$target" >"$examples.log" 2>&1 || fail "examples: $(cat "$examples.log")"
output=$(RUN_TIMEOUT=60 "$TESSERA_MPIEXEC" -n 2 "$examples/hello/hello") || fail "examples: ended with $?: $output"
case $output in *"check passed"*) echo "ok: examples" ;; *) fail "examples: hello printed '$output'" ;; esac

# A component that is not there: the project is told why, and what there is.
mkdir "$work/absent"
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(absent LANGUAGES C)' \
  'find_package(Tessera REQUIRED COMPONENTS dart abacus)' >"$work/absent/CMakeLists.txt"
if cmake -S "$work/absent" -B "$work/absent/build" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/absent.log" 2>&1; then
  fail "find_package: component abacus is found"
fi
tr -s ' \n' '  ' <"$work/absent.log" | grep -q "has no component abacus; it has tessera, dart, armci, gasnet, shmem and, over" ||
  fail "find_package, component abacus: $(cat "$work/absent.log")"

# The installed tools find their library, and nothing private was installed.
for tool in "$work"/prefix/bin/*; do
  if ldd "$tool" | grep 'not found'; then fail "$tool does not find its libraries"; fi
done
if grep -rlE 'include "(base|node|net|core|am|rma|vis|coll)/' "$work/prefix/include"; then fail "a private header is installed"; fi
