#!/bin/sh
# scripts/deps on a machine that has no package installed, by a user who may not install: what it names for `make run` is what the
# libraries, tools and examples need, of one MPI, and nothing that only tests or comparisons need.
set -u
deps=$(dirname "$0")/../../scripts/deps
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#!/bin/sh\nexit 1\n' >"$folder/dpkg-query"
printf '#!/bin/sh\necho 1000\n' >"$folder/id"
chmod +x "$folder/dpkg-query" "$folder/id"
failures=0

fail() {
  echo "deps.sh: $*"
  failures=$((failures + 1))
}

# names WORD...: the packages that `scripts/deps WORD...` would install
names() { PATH=$folder:$PATH "$deps" "$@" | sed -n 's/^deps: not installed: //p'; }

# has WHERE LIST PACKAGE..., lacks WHERE LIST PACKAGE...
has() {
  where=$1 list=" $2 "
  shift 2
  for package; do case $list in *" $package "*) ;; *) fail "$where lacks $package:$list" ;; esac done
}
lacks() {
  where=$1 list=" $2 "
  shift 2
  for package; do case $list in *" $package "*) fail "$where names $package" ;; esac done
}

tests="libsimgrid-dev spin gnuplot-nox libglobalarrays-dev libarmci-mpi-dev hpcc valgrind clang qemu-user libcmocka-dev doxygen mmdebstrap"
run=$(names run mpich)
has "run mpich" "$run" gcc cmake ninja-build libhwloc-dev libmpich-dev mpich
lacks "run mpich" "$run" libopenmpi-dev $tests
run=$(names run openmpi)
has "run openmpi" "$run" gcc cmake ninja-build libhwloc-dev libopenmpi-dev openmpi-bin
lacks "run openmpi" "$run" libmpich-dev $tests
has "all" "$(names)" gcc libmpich-dev libopenmpi-dev spin libcmocka-dev
has "soak" "$(names soak)" mmdebstrap
lacks "docs" "$(names docs)" gcc libmpich-dev
exit $((failures > 0))
