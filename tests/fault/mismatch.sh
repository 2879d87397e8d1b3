#!/bin/sh
# With TESSERA_CHECK=1 different collective calls on one team end the job, with a message that says which. Without it they
# do so on a node where the calls meet in one round, and wherever one would touch another's memory.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/mismatch
collective="collective call on team 0"

first="broadcast \(8 bytes, root 0\)"
differs root "$first" "broadcast \(8 bytes, root 1\)"
differs size "$first" "broadcast \(16 bytes, root 0\)"
differs nothing "$first" "broadcast \(0 bytes, root 0\)"
differs call "$first" barrier
first="allreduce \(8 bytes: SUM of I64\)"
differs operation "$first" "allreduce \(8 bytes: MAX of I64\)"
differs type "$first" "allreduce \(8 bytes: SUM of F64\)"
for units in 3 6; do
  for what in large-call large-root large-scatter; do
    job $units TESSERA_CHECK=0 "$program" $what
    fails
    says "makes another collective call on team 0 than unit"
  done
done

# Calls that meet in one round differ in kind, root, size, operation or type.
for units in 3 6; do
  last=$((units - 1))
  for way in root size call nothing operation type; do
    job $units TESSERA_CHECK=0 "$program" $way
    fails
    says "unit [0-$last] makes another collective call on team 0 than unit [0-$last], or passes another size, root or operation"
    [ $way != call ] || says "unit $last (is )?in barrier"
  done
done

# Between nodes a message that has another size than its receiver expects tells it, longer or shorter.
mismatch() {
  job 3 TESSERA_CHECK=0 TESSERA_VIRTUAL_NODES=$1 "$program" $2
}
misfits() {
  fails
  says "team 0: unit [0-2], whose last collective call on it was number [0-9]+ \($1\), expects a message of $2; .* run with TESSERA_CHECK=1"
}
mismatch 2 size
misfits broadcast "16 bytes from unit 0, which sends 8"
mismatch 3 longer
misfits broadcast "8 bytes from unit 0, which sends more"
mismatch 2 algorithm
misfits broadcast "100 bytes from unit 0, which sends more"
mismatch 3 dart
misfits allreduce "(24|32) bytes from unit [0-2], which sends (24|more)"

# Those of the same size do not; there the next barrier tells.
for nodes in 2 3; do
  for what in type operation call; do
    mismatch $nodes $what
    fails
    says "team 0: unit [0-2], whose last collective call on it was number [0-9]+ \([a-z]+\), (has made other calls since the barrier before|expects a message)"
  done
done
mismatch 3 type
says "has made other calls since the barrier before than another member"

# An error of the program's own is MPI's to describe.
mismatch 2 mpi
fails
says "[Ii]nvalid rank"
finish
