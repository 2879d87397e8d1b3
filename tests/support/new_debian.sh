# A new Debian in a folder, for tests of how Tessera is installed; to be sourced. TESSERA_DEBIAN_MIRROR names another mirror.
# shellcheck shell=sh

# new_debian FOLDER VARIANT PACKAGES [SUITE]: fails where none can be made, with the reason. Ends the test where one can be made, but not
# with these packages.
new_debian() {
  debian=$1
  command -v mmdebstrap >/dev/null && command -v unshare >/dev/null || {
    echo "no new Debian can be made: mmdebstrap or unshare is missing"
    return 1
  }
  suite=${4:-$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")}
  bootstrap "$2" "$3" && inside true && return
  tail -n 5 "$debian.log"
  rm -rf --one-file-system "$debian"
  if bootstrap "$2" "" && inside true; then
    echo "a new Debian can be made, but not with these packages: $3" >&2
    exit 1
  fi
  echo "no new Debian can be made"
  return 1
}

bootstrap() {
  mmdebstrap --quiet --mode=root --variant="$1" ${2:+--include="$2"} "$suite" "$debian" \
    ${TESSERA_DEBIAN_MIRROR:+"$TESSERA_DEBIAN_MIRROR"} >"$debian.log" 2>&1
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
