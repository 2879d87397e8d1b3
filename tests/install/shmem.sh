#!/bin/sh
# Programs for OpenSHMEM are compiled by the installed tessera-oshcc and tessera-oshc++, and started by tessera-oshrun, from a prefix
# that has moved and has a blank in its name. The example is built by the wrapper, by pkg-config and by CMake. A profiling
# tool sees the calls of a program that is compiled for it.
set -eu
: "${TESSERA_BUILD_DIR:?}" "${TESSERA_MPIEXEC:?}" "${TESSERA_MPI:?}" "${CC:=cc}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpi=$TESSERA_MPI build=$TESSERA_BUILD_DIR
unset TESSERA_MPIEXEC TESSERA_MPI TESSERA_BUILD_DIR # the library would not know them
project=$(cd "$(dirname "$0")/project" && pwd)
example=$(cd "$project/../../../examples/mandelbrot-shmem" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-shmem.XXXXXX")
trap 'rm -rf "$work"' EXIT
export OMPI_MCA_orte_tmpdir_base="$work" # as in scripts/mpirun
fail() { echo "shmem: $*" >&2; exit 1; }

DESTDIR="$work/stage" cmake --install "$build" --component Unspecified --prefix /opt/tessera >/dev/null
DESTDIR="$work/stage" cmake --install "$build" --prefix /opt/tessera --component osh-names >/dev/null
prefix="$work/a prefix"
mv "$work/stage/opt/tessera" "$prefix"
bin=$prefix/bin cc=$prefix/bin/tessera-oshcc cxx=$prefix/bin/tessera-oshc++
cd "$work"

# says WORDS COMMAND...: succeeds and prints them in one of its lines.
says() {
  words=$1
  shift
  output=$("$@" 2>&1) || fail "$*: ended with $?: $output"
  case $output in *"$words"*) ;; *) fail "$*: printed '$output', not '$words'" ;; esac
}
# runs PROGRAM: on two PEs.
runs() {
  says "size 2" timeout 60 "$bin/tessera-oshrun" -n 2 "./$1"
  echo "ok: $1"
}

# In one step and in two; the compiler stops where it is told to.
"$cc" -Wall -Wextra -Werror "$project/use_shmem.c" -o one_c
runs one_c
"$cxx" -Wall -Wextra -Werror "$project/use_shmem.cpp" -o one_cxx
runs one_cxx
"$cc" -Werror -c "$project/use_shmem.c" -o two.o
"$cc" two.o -o two
runs two
says "shmem_long_put" "$cc" -E "$project/use_shmem.c"
says "shmem/lists.h" "$cc" -M "$project/use_shmem.c"
[ ! -e a.out ] || fail "-E or -M links"
cp "$project/use_shmem.h" .
"$cc" -x c - -o standard_input <use_shmem.h
runs standard_input
says "ersion" "$cc" -v
says "/" "$cc" -print-file-name=libgcc.a

# A program that calls MPI, too.
printf '%s\n' '#include <mpi.h>' '#include <shmem.h>' '#include <stdio.h>' 'int main(void) { int n; shmem_init(); MPI_Comm_size(' \
  'MPI_COMM_WORLD, &n); if (!shmem_my_pe()) printf("size %d\n", n); shmem_finalize(); return 0; }' >hybrid.c
"$cc" hybrid.c -o hybrid
runs hybrid

# Questions of both MPIs' wrappers; what is printed can be used.
says "libraries" "$cc" --help
says " -c 'a b.c'" "$cc" -show -c 'a b.c'
says "-ltessera-shmem" "$cc" -showme
eval "$CC $("$cc" -showme:compile) '$project/use_shmem.c' -o by_answers $("$cc" -showme:link)"
runs by_answers
says "$("$cc" -showme:compile)" "$cc" -compile-info
says "$("$cc" -showme:link)" "$cc" -link_info
says "$prefix/lib" "$cc" -showme:libdirs
says "$mpi" "$cc" -showme:version
says "compiler of ours" env OSHMEM_CC="echo compiler of ours" "$cc" -c x.c
says "compiler of ours" env OSHMEM_CXX="echo compiler of ours" "$cxx" x.cpp
if "$cc" -c absent.c 2>/dev/null; then fail "a failed compiler succeeds"; fi

# Under the plain names, by links from elsewhere as well.
for name in oshcc oshc++ oshcxx oshCC oshrun; do
  [ -x "$bin/$name" ] || fail "there is no $name"
done
ln -s "$bin/oshcc" linked
./linked "$project/use_shmem.c" -o by_link
says "size 3" timeout 60 "$bin/oshrun" -np 3 ./by_link

# The launcher.
says "PES_PER_NODE" "$bin/tessera-oshrun" --help
case $mpi in mpich) per_node=-ppn ;; *) per_node=-N ;; esac
says " -n 4 $per_node 2 " "$bin/tessera-oshrun" -show -n 4 -N 2 ./two
says " -l $per_node 2 -n 4 " "$bin/tessera-oshrun" -show -l -N 2 -n 4 ./two
# shellcheck disable=SC2016 # the program expands it
says "given" "$bin/tessera-oshrun" -x GIVEN=given --oversubscribe -n 1 sh -c 'echo "$GIVEN"'
says "own launcher -n 4 ./two" env OSHRUN_LAUNCHER="echo own launcher" "$bin/tessera-oshrun" -n 4 ./two
says "size 2" "$bin/tessera-oshrun" -np 2 -N 2 ./two
code=0 # MPICH's launcher dies of SIGPIPE if the program ends before it gets its standard input
"$bin/tessera-oshrun" -n 1 sh -c 'read -r _; exit 7' </dev/null >/dev/null 2>&1 || code=$?
[ $code -eq 7 ] || fail "tessera-oshrun: exit code $code"

# The example, in the three ways.
"$cc" -O2 "$example/mandelbrot.c" -o by_wrapper
flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs tessera-shmem)
eval "$CC -O2 '$example/mandelbrot.c' $flags '-Wl,-rpath,$prefix/lib' -o by_pkg_config"
mkdir cmake
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(example LANGUAGES C)' 'find_package(Tessera REQUIRED COMPONENTS shmem)' \
  "add_executable(by_cmake \"$example/mandelbrot.c\")" 'target_link_libraries(by_cmake tessera::shmem)' >cmake/CMakeLists.txt
if ! { cmake -S cmake -B cmake/build -DCMAKE_PREFIX_PATH="$prefix" && cmake --build cmake/build; } >log 2>&1; then
  fail "cmake: $(cat log)"
fi
mv cmake/build/by_cmake .
for program in by_wrapper by_pkg_config by_cmake; do
  says "check passed" timeout 60 "$bin/tessera-oshrun" -n 2 ./$program 50
done

# Under a tool that counts calls: a library that the program is linked with, in C and in C++.
counted="p 5, quiet 2, ctx_put 3"
"$cc" -Wall -Wextra -Werror -shared -fPIC "$project/shmem_tool.c" -o libtool.so
"$cc" -Wall -Wextra -Werror -O2 -DSHMEM_PROFILE "$project/shmem_profiled.c" -L. -ltool -Wl,-rpath,"$work" -o profiled
"$cxx" -Wall -Wextra -Werror -O2 -DSHMEM_PROFILE -x c++ "$project/shmem_profiled.c" -x none -L. -ltool -Wl,-rpath,"$work" \
  -o profiled_cxx
for program in profiled profiled_cxx; do
  says "$counted" timeout 60 "$bin/tessera-oshrun" -n 2 ./$program
done

# With static libraries only: the program's variables are at other addresses on each PE, or at the same.
find "$prefix" -name '*.so*' -exec rm {} +
for pie in pie no-pie; do
  "$cc" -f$pie -$pie -Wl,-z,now "$project/use_shmem.c" -o static_$pie
  if ldd static_$pie | grep libtessera; then fail "the static program needs a shared library"; fi
  runs static_$pie
done
"$cc" -DSHMEM_PROFILE "$project/shmem_profiled.c" "$project/shmem_tool.c" -o static_profiled
says "$counted" timeout 60 "$bin/tessera-oshrun" -n 2 ./static_profiled
