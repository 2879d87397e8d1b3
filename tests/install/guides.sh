#!/bin/sh
# What the pages tell a reader to do works, with Tessera installed where they say: README, guides and man pages, each from its first
# command to its last. Without arguments: all of them. With CHECK_BRIEF those commands are left out that only `make soak` runs.
set -eu
: "${TESSERA_BUILD_DIR:?}" "${TESSERA_MPI:?}" "${TESSERA_MPIEXEC:?}"
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$TESSERA_BUILD_DIR mpi=$TESSERA_MPI
unset TESSERA_MPIEXEC TESSERA_MPI TESSERA_BUILD_DIR # the library would not know them
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-guides.XXXXXX")
trap 'rm -rf "$work"' EXIT
export HOME="$work/home"
mkdir "$HOME"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_orte_tmpdir_base="$work"
cmake --install "$build" --component Unspecified --prefix "$HOME/tessera" >"$work/install.log"

# The reader's `make install` has been done; the rest of make is for the source folder. `mpiexec` is that of the MPI.
cat >"$work/rc" <<EOF
make() { case "\$1" in install) test -d "\$HOME/tessera" ;; *) command make "\$@" ;; esac; }
mpiexec() { mpiexec.$mpi "\$@"; }
EOF
export RUN_GUIDE_RC="$work/rc" RUN_GUIDE_BUILD="$build"
if [ "$mpi" = openmpi ]; then export RUN_GUIDE_SED='s/\b(mpicc|mpicxx|mpif90|mpiexec)\.mpich\b/\1.openmpi/g; s/tessera-ga-mpich/tessera-ga-openmpi/g'; fi
limit=250
[ -n "${CHECK_BRIEF:-}" ] || limit=1200
cd "$root"
# shellcheck disable=SC2046 # names have no spaces
if [ $# -eq 0 ]; then set -- $(tests/support/run-guide); fi
failed=0
for page in "$@"; do
  mkdir "$work/reader"
  path=$PATH
  case $page in docs/man/*) path=$PATH:$HOME/tessera/bin ;; esac # of a tool that is installed
  (cd "$work/reader" && PATH=$path timeout $limit "$root/tests/support/run-guide" "$root/$page") || failed=1
  rm -rf "$work/reader"
done
exit $failed
