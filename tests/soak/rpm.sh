#!/bin/sh
# packaging/tessera.spec builds its packages from `make dist`. Each file that is installed is in one of them, and each that they name
# is installed. Here rpmbuild runs in a new Debian, not in Fedora, and what Fedora's macros and modules do for MPI programs is
# imitated. So this does not show that the names of Fedora's packages are right. All lies in a folder of TMPDIR (3 GiB) and is removed.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/support/new_debian.sh"
skip() { echo "rpm: skipped: $*"; exit 77; }
fail() { echo "rpm: $*" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || skip "not root"
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || skip "no git, or no clone of it"
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-rpm.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' HUP INT TERM

packages() {
  "$root/scripts/deps" print run mpich
  "$root/scripts/deps" print run openmpi
  "$root/scripts/deps" print docs
  echo rpm file
}
new_debian "$work/debian" minbase "$(packages | tr ' ' '\n' | sort -u | paste -sd, -)" || skip "no new Debian"
make -s -C "$root" dist DIST="$work/debian/build/dist"
cp "$root/packaging/tessera.spec" "$work/debian/build"

# Fedora has each MPI in folders of its own, and a module that names them.
for mpi in mpich openmpi; do
  bin=$work/debian/usr/lib64/$mpi/bin
  mkdir -p "$bin"
  for name in mpicc mpicxx mpiexec mpirun; do ln -s "/usr/bin/$name.$mpi" "$bin/$name"; done
done
ln -s /usr/bin/hydra_pmi_proxy "$work/debian/usr/lib64/mpich/bin" # mpiexec looks for it beside itself
cat >"$work/debian/root/.rpmmacros" <<'MACROS'
%_libdir /usr/lib64
%load_mpi() export MPI_COMPILER=%1-%_arch MPI_BIN=%_libdir/%1/bin MPI_LIB=%_libdir/%1/lib \
  MPI_INCLUDE=%_includedir/%1-%_arch MPI_MAN=%_mandir/%1-%_arch
%_mpich_load %load_mpi mpich
%_openmpi_load %load_mpi openmpi
%_mpich_unload unset MPI_COMPILER
%_openmpi_unload unset MPI_COMPILER
%cmake cmake -S . -B %_vpath_builddir -DCMAKE_INSTALL_PREFIX=/usr
%cmake_build cmake --build %_vpath_builddir
%cmake_install DESTDIR=%buildroot cmake --install %_vpath_builddir
%_unpackaged_files_terminate_build 1
%debug_package %{nil}
MACROS

inside sh -c 'export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_plm_rsh_agent=/bin/false
  rpmbuild -bb --nodeps --define "_sourcedir /build/dist" /build/tessera.spec' >"$work/log" 2>&1 || fail "$(tail -n 50 "$work/log")"
for name in common doc mpich mpich-devel openmpi openmpi-devel; do
  [ -e "$(echo "$work"/debian/root/rpmbuild/RPMS/*/tessera-$name-[0-9]*.rpm)" ] || fail "no package $name: $(tail -n 50 "$work/log")"
done
for mpi in mpich openmpi; do
  inside sh -c "rpm -qlp /root/rpmbuild/RPMS/*/tessera-$mpi-[0-9]*.rpm" >"$work/files"
  for file in lib/libtessera-shmem.so.0 bin/tessera-info; do
    grep -q "^/usr/lib64/$mpi/$file$" "$work/files" || fail "no $file for $mpi: $(cat "$work/files")"
  done
done
echo "ok: built"
