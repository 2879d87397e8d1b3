#!/bin/sh
# packaging/Containerfile is built as its first lines say, once for each MPI, and each image runs its own command. Instead of a
# registry's Debian, the images begin with one that is made here. All files lie in a folder of TMPDIR (4 GiB) and are removed.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/support/new_debian.sh"
skip() { echo "container: skipped: $*"; exit 77; }
fail() { echo "container: $*" >&2; exit 1; }
fail_with_log() { fail "$1: $(tail -n 50 "$work/log")"; }
[ "$(id -u)" -eq 0 ] || skip "not root"
command -v buildah >/dev/null || skip "no buildah"
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || skip "no git, or no clone of it"
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-container.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Without a daemon and without namespaces, and with all files in the folder.
images() { buildah --root "$work/images" --runroot "$work/run" --storage-driver vfs "$@"; }
log_images() { images "$@" >"$work/log" 2>&1 || fail_with_log "buildah $1"; }

make -s -C "$root" dist DIST="$work/dist"
mkdir "$work/source"
tar -C "$work/source" --strip-components=1 -xzf "$work"/dist/*.tar.gz
recipe=$work/source/packaging/Containerfile
base=$(sed -n 's/^FROM \([^ ]*\)$/\1/p' "$recipe")
command=$(sed -n 's/^CMD \["sh", "-c", "\(.*\)"\]$/\1/p' "$recipe")
[ -n "$command" ] || fail "packaging/Containerfile has no CMD that this test can read"
case $base in
debian:12-slim) suite=bookworm ;;
*) fail "packaging/Containerfile begins with $base; this test knows debian:12-slim" ;;
esac

new_debian "$work/debian" minbase "" "$suite" || skip "no new Debian"
name=$(images from scratch) || skip "buildah makes no image here"
log_images add "$name" "$work/debian" /
log_images commit --rm "$name" "$base"
rm -rf --one-file-system "$work/debian"

for mpi in mpich openmpi; do
  log_images build --isolation chroot --pull-never --build-arg "MPI=$mpi" -f "$recipe" -t "tessera-$mpi" "$work/source"
  name=$(images from --pull-never "tessera-$mpi")
  # buildah does not run an image's CMD by itself.
  images run --isolation chroot "$name" -- sh -c "$command" >"$work/log" 2>&1 || fail_with_log "$mpi"
  for unit in 0 1 2 3; do
    grep -q "from unit $unit of 4" "$work/log" || fail_with_log "$mpi: nothing from unit $unit"
  done
  log_images rm "$name"
  echo "ok: $mpi"
done
