#!/bin/sh
# The way in, in a new Debian that has only the packages of `scripts/deps run`: `make install` from the sources, the first program in
# each interface as docs/start.md tells it, and all examples, compiled outside of the source folder. `make install` asks for the
# package that seems to be missing, and for no other. Prints the time of each step. The new Debian lies in a folder of TMPDIR (2 GiB)
# and is removed.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/support/new_debian.sh"
skip() { echo "newcomer: skipped: $*"; exit 77; }
fail() { echo "newcomer: $*" >&2; exit 1; }
mpi=${TESSERA_MPI:?}
[ "$(id -u)" -eq 0 ] || skip "not root"
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || skip "no git, or no clone of it"
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-newcomer.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' HUP INT TERM

packages=$("$root/scripts/deps" print run "$mpi" | paste -sd, -)
new_debian "$work/debian" minbase "$packages" || skip "no new Debian"
make -s -C "$root" dist DIST="$work/dist"
mkdir "$work/debian/root/tessera-source"
tar -C "$work/debian/root/tessera-source" --strip-components=1 -xzf "$work"/dist/*.tar.gz

# step WHAT COMMAND: in the sources, as a reader types it.
step() {
  begun=$(date +%s)
  inside sh -c "cd /root/tessera-source && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_plm_rsh_agent=/bin/false && $2" >"$work/log" 2>&1 || fail "$1: $(tail -n 50 "$work/log")"
  seconds=$(($(date +%s) - begun))
  echo "ok: $1: $seconds s"
}
names=
if [ "$mpi" = openmpi ]; then
  names="RUN_GUIDE_SED='s/\\b(mpicc|mpicxx|mpiexec)\\.mpich\\b/\\1.openmpi/g; s/^make install/& MPI=openmpi/'"
fi
# For `make install` libpng-dev is missing. apt-get only writes down what it is asked for.
mkdir "$work/debian/root/stand-ins"
cat >"$work/debian/root/stand-ins/dpkg-query" <<'EOF'
#!/bin/sh
case $* in *libpng-dev*) exit 1 ;; esac
exec /usr/bin/dpkg-query "$@"
EOF
cat >"$work/debian/root/stand-ins/apt-get" <<'EOF'
#!/bin/sh
echo "$*" >>/root/asked
EOF
chmod +x "$work"/debian/root/stand-ins/*
step "make install" "PATH=/root/stand-ins:\$PATH make install MPI=$mpi PREFIX=/root/tessera"
asked=$(grep '^install' "$work/debian/root/asked" 2>/dev/null || :)
[ "$asked" = "install --yes --no-install-recommends libpng-dev" ] ||
  fail "make install has to ask apt-get for libpng-dev, which seems to be missing, and for no other; it asked for: '$asked'"
step "the first program in each interface" "$names tests/support/run-guide docs/start.md"
# No test may depend on exact times, and the first programs take far less: beyond this limit the machine is slow, or the way in.
[ "$seconds" -le 300 ] || fail "the first programs took $seconds s: is a command of docs/start.md slow, or is the machine busy?"
step "compiling all examples" "cmake -S /root/tessera/share/tessera/examples -B /root/examples -DCMAKE_PREFIX_PATH=/root/tessera &&
  cmake --build /root/examples --parallel"
for example in hello ring notify; do
  step "$example" "LD_LIBRARY_PATH=/root/tessera/lib timeout 60 mpiexec.$mpi -n 4 /root/examples/$example/$example"
done
