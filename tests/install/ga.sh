#!/bin/sh
# Programs on Debian's Global Arrays, in C and in Fortran, find it over the installed ARMCI by one module of pkg-config and by one
# component of find_package. Debian's own ARMCI stays out.
set -eu
: "${TESSERA_BUILD_DIR:?}" "${TESSERA_MPIEXEC:?}" "${TESSERA_MPI:?}" "${CC:=cc}" "${FC:=mpif90.$TESSERA_MPI}"
export CC FC
project=$(cd "$(dirname "$0")/project/ga" && pwd)
if ! ls /usr/lib/*/libga-"$TESSERA_MPI".a >/dev/null 2>&1; then
  echo "ga: skipped: no libga-$TESSERA_MPI.a here (libglobalarrays-dev)"
  exit 77
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-ga.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "ga: $*" >&2; exit 1; }

# check_program WHAT FILE shared|static: runs on two units, is linked as it should be, and has its ARMCI of us.
check_program() {
  output=$(RUN_TIMEOUT=60 "$TESSERA_MPIEXEC" -n 2 "$2") || fail "$1: ended with $?: $output"
  case $output in *"size 2"*) ;; *) fail "$1: printed '$output' instead of 'size 2'" ;; esac
  linked=static
  if ldd "$2" | grep -q libtessera-armci; then linked=shared; fi
  [ "$linked" = "$3" ] || fail "$1: is linked $linked"
  if nm "$2" | grep -q 'ARMCII_'; then fail "$1: holds another ARMCI"; fi
  echo "ok: $1"
}

languages="C Fortran"
if ! command -v "$FC" >/dev/null; then
  echo "ga: Fortran is left out: there is no $FC (gfortran and the MPI's wrapper)"
  languages=C
fi

# by_pkg_config LANGUAGE shared|static PREFIX
by_pkg_config() {
  libdir=$(dirname "$(find "$3" -name libtessera.a)")
  static= compiler=$CC module=tessera-ga source=use_ga.c program=$work/pkg-config-$1-$2
  if [ "$2" = static ]; then static=--static; fi
  if [ "$1" = Fortran ]; then compiler=$FC module=tessera-ga-fortran source=use_ga.F90; fi
  flags=$(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs $static $module)
  # shellcheck disable=SC2086 # the flags are words
  $compiler -o "$program" "$project/$source" $flags -Wl,-rpath,"$libdir" || fail "pkg-config, $2, $1: does not link"
  check_program "pkg-config, $2, $1" "$program" "$2"
}

# by_cmake LANGUAGE shared|static
by_cmake() {
  build=$work/cmake-$1-$2
  suffix=
  if [ "$2" = static ]; then suffix=_static; fi
  cmake -S "$project" -B "$build" -DCMAKE_PREFIX_PATH="$work/prefix" -DLANGUAGE="$1" -DSUFFIX="$suffix" \
    >"$build.log" || fail "find_package, $2, $1: $(cat "$build.log")"
  cmake --build "$build" >"$build.log" || fail "find_package, $2, $1: $(cat "$build.log")"
  check_program "find_package, $2, $1" "$build/use_ga" "$2"
}

# Who misses Global Arrays is told which part of it.
misses() {
  build=$work/cmake-missing
  if cmake -S "$project" -B "$build" -DCMAKE_PREFIX_PATH="$work/prefix" -DLANGUAGE=C -DHIDE=ON >"$build.log" 2>&1; then
    fail "find_package: finds Global Arrays where it is not"
  fi
  grep -q "component ga: not found: libga-$TESSERA_MPI.a" "$build.log" || fail "find_package: $(cat "$build.log")"
}

cmake --install "$TESSERA_BUILD_DIR" --component Unspecified --prefix "$work/prefix" >/dev/null
cp -R "$work/prefix" "$work/prefix-static" # where the linker finds no shared ones
find "$work/prefix-static" -name '*.so*' -exec rm {} +
for language in $languages; do
  by_pkg_config "$language" shared "$work/prefix"
  by_pkg_config "$language" static "$work/prefix-static"
  by_cmake "$language" shared
  by_cmake "$language" static
done
misses
