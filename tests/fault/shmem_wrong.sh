#!/bin/sh
# A mistake with OpenSHMEM ends the job with a message that names the call, the value and what to pass instead.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/shmem_wrong

# wrong WHAT SAYS: PE 0 makes the mistake; all: all PEs do.
wrong() { wrong_on_nodes says "$1" "unit 0 $2"; }
all() {
  job 2 "$program" "$1"
  fails
  says "$2"
}

wrong pe "TSR-5010 shmem_long_p 2 0 1"
wrong negative\ pe "TSR-5010 shmem_long_g 0 1"
wrong stack "TSR-5009 shmem_long_p 8 shmem_malloc"
wrong malloc "TSR-5009 shmem_putmem 8 shmem_malloc"
wrong beyond "TSR-5009 shmem_getmem 1099511627776"
wrong strides "TSR-5041 shmem_long_iput 0 1"
wrong unaligned "TSR-5013 shmem_int_atomic_inc 4"
wrong free "TSR-5036 shmem_free shmem_malloc"
wrong signal "TSR-5042 shmem_putmem_signal 7 SHMEM_SIGNAL_SET SHMEM_SIGNAL_ADD"
wrong comparison "TSR-5050 shmem_long_wait_until 9 SHMEM_CMP_EQ"
wrong unlock "TSR-5030 shmem_clear_lock"
wrong lock\ twice "TSR-5027 shmem_set_lock"
wrong invalid\ context "TSR-5016 shmem_long_p SHMEM_CTX_INVALID"
wrong options "TSR-5019 shmem_ctx_create 0x40"
wrong destroyed\ context "TSR-5017 shmem_long_p destroyed"
wrong quiet\ destroyed "TSR-5017 shmem_ctx_quiet destroyed"
wrong set "TSR-5000 shmem_long_sum_to_all 3 1"
wrong not\ in\ set "TSR-5001 shmem_barrier 0"
job 2 "$program" "their address"
fails
says "unit 0 TSR-5008 shmem_long_p 1 shmem_ptr"
all early "TSR-5021 shmem_quiet shmem_init"
all late "TSR-5021 shmem_barrier_all shmem_finalize"
all destroyed\ team "TSR-5055 shmem_team_sync destroyed"
all root "TSR-5014 shmem_long_broadcast 2 0 1"
all stride "TSR-5040 shmem_long_alltoalls 2 9223372036854775807"
all sizes "TSR-5053 shmem_malloc (100|5000)"
all other\ block "TSR-5065 shmem_free 5000"
all other\ resized "TSR-5065 shmem_realloc 5000"
for use in alignment "one alignment"; do
  job 2 "$program" "$use"
  succeeds
  says "TSR-5037 shmem_align 24"
done
job 2 SHMEM_SYMMETRIC_SIZE=much "$program" nothing
fails
says "TSR-5032 shmem_init SHMEM_SYMMETRIC_SIZE much"
job 2 TESSERA_CHECK=1 "$program" freed
fails
says "unit 0 TSR-5062 shmem_long_p 8 freed"
for use in "freed waited:shmem_long_wait_until" "freed collected:shmem_long_sum_reduce"; do
  job 2 TESSERA_CHECK=1 "$program" "${use%:*}"
  fails
  says "TSR-5062 ${use#*:} 8 freed"
done
job 2 TESSERA_CHECK=1 "$program" "beyond collected"
fails
says "TSR-5009 shmem_long_fcollect"
job 2 TESSERA_CHECK=1 "$program" "private collected"
fails
says "TSR-5009 shmem_long_sum_reduce 8"
job 2 "$program" "private collected"
succeeds
job 2 TESSERA_HEAP_LIMIT=150M "$program" "too much"
succeeds
says_once "TSR-0107 50331648 157286400 TESSERA_HEAP_LIMIT"
job 2 SHMEM_SYMMETRIC_SIZE=0.06g "$program" "too much"
succeeds
says_once "unit 0 TSR-5033 shmem_malloc 50331648 50331648 64424510 14092862 SHMEM_SYMMETRIC_SIZE"
job 2 SHMEM_SYMMETRIC_SIZE=6e7 "$program" "too much"
succeeds
says_once "unit 0 TSR-5033 shmem_malloc 50331648 60000000 SHMEM_SYMMETRIC_SIZE"

# What the variables of the specification print. Any value counts, and a deprecated name if the other is not set.
job 2 SHMEM_VERSION=on "$program" nothing
succeeds
says_once "unit 0 .*info: OpenSHMEM 1.5 on Tessera"
job 2 SMA_INFO=1 SMA_SYMMETRIC_SIZE=3m SHMEM_SYMMETRIC_SIZE=2m "$program" nothing
succeeds
says_once "unit 0 .*info: SHMEM_SYMMETRIC_SIZE=2m: "
says_once "unit 0 .*info: SHMEM_DEBUG \(not set\): "
job 2 SHMEM_DEBUG=1 "$program" nothing
succeeds
says_once "unit 1 .*debug: OpenSHMEM: PE 1 of 2; symmetric heap 0x"
says_once "unit 1 .*debug: OpenSHMEM: static variables of the program 0x.*, mapped into the heap"
job 2 "$program" nothing
succeeds
check "prints without being asked" eval '! grep -Eq "info:|debug:" "$output"'
for nodes in 1 2; do
  job 3 TESSERA_VIRTUAL_NODES=$nodes "$program" "global exit"
  check "exit code $code, not 17" [ $code -eq 17 ]
  says_once "unflushed closed 1000"
  job 3 TESSERA_VIRTUAL_NODES=$nodes "$program" nothing
  succeeds
done
finish
