#!/bin/sh
# A job under valgrind ends, although the leak check reads all of the heaps: they are small then, which one line
# reports. valgrind reports no error and no leak of the library.
set -u
valgrind=$(command -v valgrind) || exit 77
. "$(dirname "$0")/../support/fault.sh"
job_seconds=200 # the leak check takes long
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$output" "$ended"' EXIT
hello=$TESSERA_BUILD_DIR/examples/hello/hello
small=TSR-0318

# Whether valgrind reports the library: the first function of a stack outside valgrind itself is the library's.
ours() {
  sed 's/^==[0-9]*== *//' "$folder"/log.* | awk '
    /^(at|by) 0x/ { if (!seen && !/vgpreload/) { seen = 1; if (/libtessera|examples\/hello/) found = 1 } next }
    { seen = 0 }
    END { exit !found }'
}

nodes=2 # with one MPI; with the other one node
[ "$TESSERA_MPI" = mpich ] || nodes=1
job 2 TESSERA_VIRTUAL_NODES=$nodes "$valgrind" --leak-check=full --log-file="$folder/log.%p" "$hello"
succeeds
says "hello: check passed"
says_once "$small 128"
check "valgrind reports something of ours: $(cat "$folder"/log.*)" eval '! ours'

job 1 TESSERA_HEAP_SIZE=64M "$valgrind" --log-file="$folder/log.%p" "$hello"
succeeds
check "a size that was asked for is not taken" eval '! grep -q $small "$output"'
job 2 "$hello"
succeeds
check "heaps are small without valgrind" eval '! grep -q $small "$output"'
finish
