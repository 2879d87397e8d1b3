#!/bin/sh
# Examples reject wrong arguments: one unit prints the argument and what is expected, and the job ends normally.
# Singular and plural are right.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once

# refuses UNITS EXAMPLE PATTERN ARGUMENT...
refuses() {
  units=$1 example=$2 pattern=$3
  shift 3
  job "$units" "$TESSERA_BUILD_DIR/examples/$example/$example" "$@"
  fails
  says_once "^$example: $pattern"
  check "it crashes" eval '! grep -Eqi "signal|without ending|error:" "$output"'
}
[ -x "$TESSERA_BUILD_DIR/examples/ring/ring" ] || exit 77

refuses 1 hello "'x' is one argument too many$" x
for bad in 0 -1 abc 1.5 2x "" 99999999999999999999; do
  refuses 1 ring "ROUNDS needs a whole number from 1 to 1000000000, got '$bad'$" "$bad"
done
refuses 2 ring "'5' is one argument too many$" 4 5
refuses 2 heat3d "--halo needs 'faces' or 'elements', got 'all'$" --halo all
refuses 1 heat3d "one input file is enough, got 'b'$" a b
refuses 2 notify "ITEMS needs a whole number from 1 to 1000000, got '0'$" 0
refuses 3 stencil2d "N needs a whole number from 3 to 8192, got '2'$" 2
refuses 1 stencil2d "N needs a whole number from 1 to 8192, got '100000'$" 100000
refuses 1 stencil2d "STEPS needs a whole number from 1 to 1000000, got '-5'$" 100 -5
refuses 2 dht-gasnet "WORDS needs a whole number from 1 to 10000000, got 'many'$" many
refuses 2 steal-gasnet "DEPTH needs a whole number from 1 to 30, got '64'$" 64
refuses 3 halo-gasnet "N needs a whole number from 3 to 8192, got '-1'$" -1
refuses 1 halo-gasnet "N needs a whole number from 1 to 8192, got '65536'$" 65536
refuses 2 bfs-gasnet "SCALE needs a whole number from 1 to 28, got '29'$" 29
refuses 1 bfs-gasnet "DEGREE needs a whole number from 1 to 1024, got '0'$" 10 0
refuses 2 summa-native "N needs a whole number from 1 to 16384, got '-3'$" -3
refuses 2 mandelbrot-shmem "ITERATIONS needs a whole number from 1 to 1000000, got 'x'$" 8 x
refuses 2 random-access-native "BITS needs a whole number from 1 to 40, got '0'$" 0
refuses 1 random-access-native "UPDATES needs a whole number from 1 to 1000, got '1001'$" 10 1001
refuses 2 histogram-sort "KEYS needs a whole number from 1 to 100000000, got '-2'$" -2
refuses 1 spmv-armci "--generate: ROWS needs a whole number from 1 to [0-9]+, got '99999999999'$" --generate 99999999999 3

refuses 2 mixed "N needs a whole number from 1 to 1048576, got '1e3'$" 1e3

if [ -x "$TESSERA_BUILD_DIR/examples/matmul-ga/matmul-ga" ]; then # it needs Global Arrays
  job 2 "$TESSERA_BUILD_DIR/examples/matmul-ga/matmul-ga" 0
  fails
  says_once "^usage: matmul-ga .*1 to 20000,.*1 to 2000$"
fi
if [ -x "$TESSERA_BUILD_DIR/examples/nbody-shmem/nbody-shmem" ]; then # it needs libpng
  refuses 2 nbody-shmem "BODIES needs a whole number from 2 to 1000000, got '1'$" 1
fi

job 1 "$TESSERA_BUILD_DIR/examples/hello/hello"
succeeds
says "^hello: 1 unit on 1 node$"
job 1 "$TESSERA_BUILD_DIR/examples/ring/ring" 1
succeeds
says "^ring: 1 unit, 1 hop, "
job 2 "$TESSERA_BUILD_DIR/examples/hello/hello"
succeeds
says "^hello: 2 units on 1 node$"
finish
