#!/bin/sh
# Programs of GASNet find the installed library by GASNet's own names: makefile fragments, modules of pkg-config, -lgasnet-...,
# files below a GASNET_ROOT; and are started by gasnetrun_...
set -eu
: "${TESSERA_BUILD_DIR:?}" "${TESSERA_MPIEXEC:?}" "${CC:=cc}" "${CXX:=c++}"
export CC CXX OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset TESSERA_MPIEXEC TESSERA_MPI # the library would not know them
project=$(cd "$(dirname "$0")/project" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-gasnet.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "gasnet: $*" >&2; exit 1; }

cmake --install "$TESSERA_BUILD_DIR" --component Unspecified --prefix "$work/first" >/dev/null
unset TESSERA_BUILD_DIR
mv "$work/first" "$work/prefix" # an installed tree may be moved
root=$(find "$work/prefix" -name tessera-gasnet -type d)

# says PROGRAM LAUNCHER WORDS: runs on two units and prints one line.
says() {
  output=$(timeout 60 "$root/bin/$2" -n 2 "$1") || fail "$1: ended with $?: $output"
  case $output in "$3"*) ;; *) fail "$1: printed '$output' instead of '$3'" ;; esac
  echo "ok: ${1#"$work"/}: $output"
}

for conduit in mpi smp; do
  number=1
  if [ $conduit = smp ]; then number=0; fi
  for mode in seq par parsync; do
    out=$work/$conduit-$mode
    model=$(echo $mode | tr a-z A-Z)
    mkdir "$out"
    make -s -f "$project/gasnet.mk" GASNET_ROOT="$root" CONDUIT=$conduit MODE=$mode OUT="$out" \
      GASNET_CC="$CC" GASNET_CXX="$CXX" || fail "$conduit, $mode: is not built"
    for program in c cxx; do
      says "$out/$program" gasnetrun_$conduit "size 2 THREADMODEL=$model "
      case $output in *" $number up") ;; *) fail "$conduit: $output" ;; esac
    done
    grep -q "GASNetConduitName: $(echo $conduit | tr a-z A-Z) \\$" "$out/c" || fail "$conduit: no name of the conduit in the program"
    case $("$out/tools") in "tools "*" 1") ;; *) fail "$conduit, $mode: tools" ;; esac

    variable() { PKG_CONFIG_PATH=$root/lib/pkgconfig pkg-config --variable="$1" gasnet-$conduit-$mode; }
    # shellcheck disable=SC2046 # the flags are words
    "$CC" $(variable GASNET_CPPFLAGS) $(variable GASNET_CFLAGS) -c -o "$out/variables.o" "$project/gasnet_client.c" &&
      $(variable GASNET_LD) $(variable GASNET_LDFLAGS) -o "$out/variables" "$out/variables.o" $(variable GASNET_LIBS)
    says "$out/variables" gasnetrun_$conduit "size 2 THREADMODEL=$model "
    case $(variable GASNET_DEFINES) in "-DGASNET_$model"*) ;; *) fail "$conduit, $mode: GASNET_DEFINES" ;; esac
    case $(variable GASNET_INCLUDES) in *"/$conduit-conduit") ;; *) fail "$conduit, $mode: GASNET_INCLUDES" ;; esac
  done
done

# Who asks for the mpi conduit gets MPI, too.
make -s -f "$project/gasnet.mk" GASNET_ROOT="$root" CONDUIT=mpi MODE=par OUT="$work" GASNET_CC="$(sed -n \
  's/^GASNET_LD = //p' "$root/include/mpi-conduit/mpi-par.mak")" MANUAL_DEFINES=-DCALLS_MPI "$work/c"
says "$work/c" gasnetrun_mpi "size 2 "

build=$work/cmake
PKG_CONFIG_PATH=$root/lib/pkgconfig cmake -S "$project/gasnet_cmake" -B "$build" -DPC=gasnet-mpi-par -DGASNET_ROOT="$root" \
  >"$build.log" && cmake --build "$build" >>"$build.log" || fail "cmake: $(cat "$build.log")"
says "$build/by_module" gasnetrun_mpi "size 2 THREADMODEL=PAR "
says "$build/by_file" gasnetrun_smp "size 2 THREADMODEL=PAR "

# Static, as upstream's libraries are.
find "$work/prefix" -name '*.so*' -exec rm {} +
make -s -B -f "$project/gasnet.mk" GASNET_ROOT="$root" CONDUIT=smp MODE=seq OUT="$work" GASNET_CC="$CC" "$work/c"
if ldd "$work/c" | grep libtessera; then fail "the static program needs a shared library"; fi
says "$work/c" gasnetrun_smp "size 2 THREADMODEL=SEQ "

# The launcher says what is wrong with a command, and shows what it does.
refused() {
  if output=$("$root/bin/gasnetrun_mpi" "$@" 2>&1); then fail "gasnetrun_mpi $*: is not refused"; fi
  case $output in *"$words"*) ;; *) fail "gasnetrun_mpi $*: $output" ;; esac
}
words="how many processes" refused "$work/c"
words="which program" refused -n 2
words="wants a value" refused -n
words="no option -q" refused -q -n 2 "$work/c"
# shellcheck disable=SC2016 # the program expands it
output=$(GASNET_FREEZE=0 "$root/bin/gasnetrun_mpi" -n2 -N1 -noencode-args -E GASNET_FREEZE sh -c 'echo "freeze $GASNET_FREEZE"') ||
  fail "-n2: $output"
case $output in *"freeze 0"*) ;; *) fail "variables of GASNet: $output" ;; esac
# shellcheck disable=SC2016 # the program expands it
output=$("$root/bin/gasnetrun_mpi" -v -n 1 sh -c 'echo "verbose $GASNET_VERBOSEENV"')
case $output in *"verbose 1"*) ;; *) fail "-v: $output" ;; esac
case $(GASNET_FREEZE=0 "$root/bin/gasnetrun_mpi" -np4 -N2 -v -t "$work/c") in *" -n 4 "*" $work/c") ;; *) fail "-np4" ;; esac
case $("$root/bin/gasnetrun_mpi" -t -n 4 -N 2 -E A,B "$work/c" x) in *" -n 4 "*" $work/c x") ;; *) fail "-t" ;; esac
