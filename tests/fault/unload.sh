#!/bin/sh
# A plugin that has ended an interface can be unloaded: what the library does at the end of the process is still there.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start
program=$(mktemp)
trap 'rm -f "$output" "$ended" "$program"' EXIT
"${CC:-cc}" -o "$program" "$(dirname "$0")/../support/unload.c" -ldl || exit 1

unload() {
  for units in 1 3; do
    job $units "$program" "$TESSERA_BUILD_DIR/$1" "$2" "$3"
    succeeds
    check "not unloaded on all units" [ "$(grep -o unloaded "$output" | wc -l)" -eq $units ]
  done
}

unload libtessera.so tessera_init tessera_exit
unload libtessera-dart.so dart_init dart_exit
unload libtessera-armci.so ARMCI_Init ARMCI_Finalize
unload libtessera-shmem.so shmem_init shmem_finalize
finish
