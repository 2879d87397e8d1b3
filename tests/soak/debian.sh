#!/bin/sh
# The Debian packages are built from `make dist` in a new Debian without anything else, and lintian has nothing to say. There they are
# installed, their own test compiles and runs programs with both MPIs, and after their removal no file of them is left. The new
# Debian lies in a folder of TMPDIR (3 GiB) and is removed. Where it cannot be made, the packages are built here, and unpacked.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/support/new_debian.sh"
skip() { echo "debian: skipped: $*"; exit 77; }
fail() { echo "debian: $*" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || skip "not root"
command -v dpkg-buildpackage >/dev/null || skip "no dpkg-buildpackage (dpkg-dev)"
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || skip "no git, or no clone of it"
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-debian.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' HUP INT TERM
jobs=$(nproc)
# No bug in Debian's tracker asks for these packages.
lintian="--allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs"

# unpack FOLDER: the sources as dpkg-buildpackage wants them, in FOLDER/source.
unpack() {
  make -s -C "$root" dist DIST="$work/dist"
  file=$(echo "$work"/dist/*.tar.gz)
  version=${file##*/tessera-}
  mkdir -p "$1/source"
  tar -C "$1/source" --strip-components=1 -xzf "$file"
  cp "$file" "$1/tessera_${version%.tar.gz}.orig.tar.gz"
  git -C "$root" archive --prefix=debian/ HEAD:debian | tar -C "$1/source" -x
}

# The packages that the fields Build-Depends and Build-Depends-Indep name.
build_depends() {
  awk '/^[^ ]/ { on = /^Build-Depends/; sub(/^[^:]*:/, "") } on' "$root/debian/control" |
    sed 's/([^)]*)//g; s/debhelper-compat/debhelper/; s/[ ,]\{1,\}/\n/g' | sed '/^$/d' | paste -sd, -
}

build_here() {
  (cd "$root" && dpkg-checkbuilddeps) || skip "the packages cannot be built here"
  unpack "$work/here"
  (cd "$work/here/source" && DEB_BUILD_OPTIONS="parallel=$jobs" dpkg-buildpackage -us -uc) >"$work/log" 2>&1 || fail "$(tail -n 50 "$work/log")"
  mkdir "$work/all"
  for package in "$work"/here/*.deb; do
    dpkg -x "$package" "$work/all"
    dpkg -c "$package" | awk '$6 !~ /\/$/ { print $6 }' >>"$work/files"
  done
  twice=$(sort "$work/files" | uniq -d)
  [ -z "$twice" ] || fail "in two packages: $twice"
  for mpi in mpich openmpi; do
    for file in libtessera-shmem-$mpi.so.0 libtessera-dart-$mpi.a tessera/$mpi/pkgconfig/tessera-dart.pc tessera/$mpi/bin/tessera-info; do
      [ -e "$(echo "$work"/all/usr/lib/*/"$file")" ] || fail "no package has $file"
    done
  done
  if command -v lintian >/dev/null; then
    # shellcheck disable=SC2086 # words
    lintian $lintian "$work"/here/*.changes || fail "lintian complains"
  fi
  echo "ok: built, not installed"
  exit
}

debian=$work/debian
new_debian "$debian" buildd "$(build_depends),fakeroot,g++,libpng-dev,lintian,pkg-config" || build_here

unpack "$debian/build"
inside sh -c "cd /build/source && DEB_BUILD_OPTIONS=parallel=$jobs dpkg-buildpackage -us -uc" >"$work/log" 2>&1 ||
  fail "$(tail -n 50 "$work/log")"
echo "ok: built: $(cd "$debian/build" && echo *.deb)"
inside sh -c "lintian $lintian /build/*.changes" || fail "lintian complains"
echo "ok: lintian"

# Files that the packages leave; what dpkg and ldconfig note themselves is no matter.
files() { (cd "$debian" && find . -path ./build -prune -o -path ./proc -prune -o -path ./run -prune -o -path ./tmp -prune -o -path ./var/lib/dpkg -prune -o \
  -path ./var/log -prune -o -path ./var/cache -prune -o -print | sort); }
files >"$work/before"
inside sh -c 'dpkg --install $(ls /build/*.deb | grep -v dbgsym)' >"$work/log" 2>&1 || fail "$(cat "$work/log")"
inside /build/source/debian/tests/hello || fail "the installed packages do not work"
inside sh -c "dpkg-query -W -f '\${Package}\\n' '*tessera*' | xargs dpkg --purge" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
files >"$work/after"
diff "$work/before" "$work/after" || fail "the packages leave files"
echo "ok: removed"
