# A new Debian in a folder, for tests of how Tessera is installed; to be sourced. TESSERA_DEBIAN_MIRROR names another mirror.
# shellcheck shell=sh

# new_debian FOLDER VARIANT PACKAGES: fails where it cannot be made, with the reason.
new_debian() {
  debian=$1
  command -v mmdebstrap >/dev/null && command -v unshare >/dev/null || {
    echo "no new Debian can be made: mmdebstrap or unshare is missing"
    return 1
  }
  suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  mmdebstrap --quiet --mode=root --variant="$2" --include="$3" "$suite" "$debian" \
    ${TESSERA_DEBIAN_MIRROR:+"$TESSERA_DEBIAN_MIRROR"} >"$debian.log" 2>&1 && inside true || {
    tail -n 5 "$debian.log"
    echo "no new Debian can be made"
    return 1
  }
}

# inside COMMAND...: in the new Debian, with mounts and processes of its own, which end with it.
inside() {
  # shellcheck disable=SC2016 # that shell's variables
  unshare --mount --pid --fork --kill-child sh -c '
    set -e
    mount -t proc proc "$0/proc"
    mount -t sysfs -o ro sysfs "$0/sys"
    mkdir -p "$0/dev/shm"
    mount -t tmpfs -o size=1g tmpfs "$0/dev/shm"
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root chroot "$0" "$@"' "$debian" "$@"
}
