#!/bin/sh
# packaging/Containerfile is built as its first lines say, with both MPIs, and the images run what they run without a command. They
# begin with a Debian that is made here, in place of the one of a registry. All of it lies in a folder of TMPDIR (4 GiB) and is removed.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/support/new_debian.sh"
skip() { echo "container: skipped: $*"; exit 77; }
fail() { echo "container: $*" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || skip "not root"
command -v buildah >/dev/null || skip "no buildah"
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || skip "no git, or no clone of it"
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-container.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Without a daemon, without namespaces of its own, and with all files in the folder.
images() { buildah --root "$work/images" --runroot "$work/run" --storage-driver vfs "$@"; }
images_log() { images "$@" >"$work/log" 2>&1 || fail "$1: $(tail -n 50 "$work/log")"; }

base=$(sed -n 's/^FROM \([^ ]*\)$/\1/p' "$root/packaging/Containerfile")
new_debian "$work/debian" minbase ca-certificates || skip "no new Debian"
name=$(images from scratch) || skip "buildah makes no image here"
images_log add "$name" "$work/debian" /
images_log commit --rm "$name" "$base"
rm -rf --one-file-system "$work/debian"

make -s -C "$root" dist DIST="$work/dist"
mkdir "$work/source"
tar -C "$work/source" --strip-components=1 -xzf "$work"/dist/*.tar.gz
for mpi in mpich openmpi; do
  images_log build --isolation chroot --pull-never --build-arg "MPI=$mpi" -f "$work/source/packaging/Containerfile" \
    -t "tessera-$mpi" "$work/source"
  name=$(images from --pull-never "tessera-$mpi")
  # The command of the image: buildah runs only what it is told.
  images run --isolation chroot "$name" -- sh -c "$(sed -n 's/^CMD \["sh", "-c", "\(.*\)"\]$/\1/p' "$work/source/packaging/Containerfile")" \
    >"$work/log" 2>&1 || fail "$mpi: $(tail -n 50 "$work/log")"
  for unit in 0 1 2 3; do grep -q "from unit $unit of 4" "$work/log" || fail "$mpi: no unit $unit: $(tail -n 50 "$work/log")"; done
  images_log rm "$name"
  echo "ok: $mpi"
done
