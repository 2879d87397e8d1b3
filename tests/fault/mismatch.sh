#!/bin/sh
# With TESSERA_CHECK=1 different collective calls on one team end the job, with a message that names them. Without it
# this happens on a node if the calls are in the same round, and wherever a call would access memory of another one.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start
export TESSERA_ATTACH=on # the messages are about direct copies, whatever is faster here
program=$TESSERA_BUILD_DIR/tests/fault/mismatch
collective="TSR-0306 0"

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
    says "TSR-0378 0"
  done
done

# Counts of which one is larger than what its member sends. The members compare digests of their counts.
job 2 TESSERA_CHECK=0 "$program" short-counts
fails
says "TSR-0378 [01] 0 [01]"
job 2 TESSERA_CHECK=0 "$program" counts
fails
says "TSR-0904 [01] 0"

# The same where both know that direct copies are impossible, of a member that has passed nothing so far.
job 2 TESSERA_CHECK=0 TESSERA_ATTACH=off "$program" no-part
fails
says "TSR-0403 allgatherv 0 1 2[0-9]{4}"

# The kernel copies between private buffers, and says which memory is missing.
for what in scatter gather; do
  job 2 "$program" unmapped-$what
  fails
  grep -q TSR-0101 "$output" || says "TSR-0910 0 1 65536 0" # the kernel may not permit such copies here
done

# Calls in the same round differ in kind, root, size, operation or type.
for units in 3 6; do
  last=$((units - 1))
  for way in root size call nothing operation type; do
    job $units TESSERA_CHECK=0 "$program" $way
    fails
    says "TSR-0378 [0-$last] 0 [0-$last]"
    [ $way != call ] || says "unit $last (is )?in barrier"
  done
done

# No member waits for all: two roots, a root and senders, or all of them leave at once.
for units in 2 3 6; do
  for way in own-root both-leave all-leave; do
    job $units TESSERA_CHECK=0 "$program" $way
    fails
    says "TSR-0378 [0-$((units - 1))] 0 [0-$((units - 1))]"
  done
done

# Between nodes a mismatch shows in a message that is longer or shorter than its receiver expects.
mismatch() {
  job 3 TESSERA_CHECK=0 TESSERA_VIRTUAL_NODES=$1 "$program" $2
}
misfits() {
  fails
  says "TSR-0336 0 [0-2] $1 $2 TESSERA_CHECK=1"
}
mismatch 2 size
misfits broadcast "16 0 8"
mismatch 3 longer
misfits broadcast "8 0 more"
mismatch 2 algorithm
misfits broadcast "100 0 more"
mismatch 3 dart
misfits allreduce "(24|32) [0-2] (24|more)"

# A mismatch with messages of the same size shows only in the next barrier.
for nodes in 2 3; do
  for what in type operation call; do
    mismatch $nodes $what
    fails
    says "(TSR-0302|TSR-0336) 0 [0-2]"
  done
done
mismatch 3 type
says TSR-0302
mismatch 3 root # on two nodes a member waits for a root that sends nothing, and the watchdog reports it (TSR-0007)
misfits broadcast "8 1 more"

# MPI describes an error in the program's own call.
mismatch 2 mpi
fails
says "[Ii]nvalid rank"
finish
