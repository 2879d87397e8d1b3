#!/bin/sh
# The build finds the MPI that it is asked for where the programs have no names of Debian: in PATH, in MPI_HOME, behind wrappers and
# launchers of another MPI. Without one it says what it has found, and what to do. All programs are links in a folder that is the PATH.
set -eu
: "${TESSERA_MPI:?}"
root=$(cd "$(dirname "$0")/../.." && pwd)
mpi=$TESSERA_MPI
unset MPI_HOME
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-mpi.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "mpi: $*" >&2; exit 1; }
wrapper=$(command -v "mpicc.$mpi") launcher=$(command -v "mpiexec.$mpi") || {
  echo "mpi: skipped: no mpicc.$mpi and mpiexec.$mpi here"
  exit 77
}
cmake=$(command -v cmake)

# `bin` has all of the system but MPI, `own` and `other` two programs of an MPI each. Those of the other MPI do no more than the search
# asks of them.
mkdir "$work/bin" "$work/own" "$work/other" "$work/include" "$work/project"
ln -s /usr/bin/* "$work/bin"
rm -f "$work/bin"/mpi* "$work/bin"/orte* "$work/bin"/hydra*
ln -s "$wrapper" "$work/own/mpicc"
ln -s "$launcher" "$work/own/mpiexec"
case $mpi in
mpich) name=MPICH other="Open MPI" macro=OPEN_MPI version="mpiexec (OpenRTE) 4.1.4" ;;
*) name="Open MPI" other=MPICH macro=MPICH_VERSION version="HYDRA build details:" ;;
esac
echo "#define $macro 1" >"$work/include/mpi.h"
printf '#!/bin/sh\nexec cc -I "%s" "$@"\n' "$work/include" >"$work/other/mpicc"
printf '#!/bin/sh\necho "%s"\n' "$version" >"$work/other/mpiexec"
chmod +x "$work"/other/*

# What the library's build does to find an MPI.
ln -s "$root/cmake" "$root/scripts" "$work/project"
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(find LANGUAGES C)' 'include(cmake/TesseraMpi.cmake)' \
  'message("finds ${MPI_C_COMPILER} ${MPIEXEC_EXECUTABLE} of ${TESSERA_MPI_KIND}")' >"$work/project/CMakeLists.txt"

# configure PATH OPTION...: CMake looks into the system's own folders, too, unless it is told not to.
configure() {
  rm -rf "$work/build"
  path=$1
  shift
  code=0
  output=$(PATH=$path "$cmake" -S "$work/project" -B "$work/build" -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF \
    -DTESSERA_MPI="$mpi" "$@" 2>&1) || code=$?
  output=$(echo "$output" | tr -s ' \n' '  ')
}
# finds WHAT FOLDER PATH OPTION...
finds() {
  what=$1 folder=$2
  shift 2
  configure "$@"
  [ $code -eq 0 ] || fail "$what: $output"
  case $output in *"finds $folder/mpicc $folder/mpiexec of $mpi "*) ;; *) fail "$what: $output" ;; esac
  grep -q "$folder/mpiexec" "$work/build/mpirun" || fail "$what: another launcher in mpirun"
  echo "ok: $what"
}
# says WHAT WORDS PATH OPTION...: CMake fails, with the words in its only message.
says() {
  what=$1 words=$2
  shift 2
  configure "$@"
  [ $code -ne 0 ] || fail "$what: is found"
  [ "$(echo "$output" | grep -o 'CMake Error' | wc -l)" -eq 1 ] || fail "$what: more than one message: $output"
  case $output in *"$words"*) ;; *) fail "$what: $output" ;; esac
  echo "ok: $what: $words"
}

finds "mpicc in PATH, behind another MPI's" "$work/own" "$work/other:$work/own:$work/bin"
mkdir "$work/home"
ln -s "$work/own" "$work/home/bin"
finds "MPI_HOME" "$work/home/bin" "$work/other:$work/bin" -DMPI_HOME="$work/home"
export MPI_HOME="$work/home"
finds "MPI_HOME in the environment" "$work/home/bin" "$work/other:$work/bin"
unset MPI_HOME

says "no MPI" "no mpicc.$mpi or mpicc of $name in MPI_HOME or PATH. Install it" "$work/bin"
says "another MPI only" "in MPI_HOME or PATH; $work/other/mpicc belongs to $other. Install it" "$work/other:$work/bin"
ln -s /usr/bin/cc "$work/bin/mpicc"
says "an mpicc without MPI" "$work/bin/mpicc does not find mpi.h. Install it" "$work/bin"
rm "$work/bin/mpicc"
says "a compiler as wrapper" "MPI_C_COMPILER is '/usr/bin/cc', which does not compile" "$work/bin" -DMPI_C_COMPILER=/usr/bin/cc

mkdir "$work/alone"
cp "$work/other/mpiexec" "$work/alone"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$wrapper" >"$work/alone/mpicc"
chmod +x "$work/alone/mpicc"
says "another MPI's launcher" "no mpiexec or mpirun of $name in $work/alone, MPI_HOME or PATH; $work/alone/mpiexec belongs to $other" \
  "$work/alone:$work/bin"
