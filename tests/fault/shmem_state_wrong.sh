#!/bin/sh
# Calls of OpenSHMEM at the wrong time, by the wrong thread, with objects that are gone, or not alike by all PEs: one message, which
# names the call and what is wrong.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/shmem_state_wrong

while read -r family call; do
  for when in early late; do
    job 1 "$program" "$when $family"
    fails
    says_once "TSR-5021 $call shmem_init shmem_finalize"
  done
done <<EOF
put shmem_long_put
p shmem_long_p
g shmem_long_g
get_nbi shmem_getmem_nbi
iput shmem_long_iput
atomic shmem_long_atomic_inc
signal shmem_long_put_signal
signal_fetch shmem_signal_fetch
wait shmem_long_wait_until
test shmem_long_test
lock shmem_set_lock
malloc shmem_malloc
free shmem_free
ptr shmem_ptr
ctx shmem_ctx_create
team shmem_team_split_strided
sync shmem_sync_all
barrier shmem_barrier_all
broadcast shmem_long_broadcast
reduce shmem_long_sum_reduce
set shmem_long_sum_to_all
EOF
job 1 "$program" "early finalize"
fails
says_once "TSR-5021 shmem_finalize shmem_init"
job 1 "$program" "late finalize"
succeeds
says "TSR-5063 shmem_finalize shmem_init"
job 2 TESSERA_EXIT_TIMEOUT=1 "$program" "last one late"
fails
says_alone "unit 0 TSR-0312 1 TESSERA_EXIT_TIMEOUT 1 2 shmem_finalize"

# wrong WHAT SAYS: PE 0 does it wrong.
wrong() { wrong_on_nodes says_alone "$1" "unit 0 $2"; }
wrong "other team's context" "TSR-5010 shmem_long_p 1 0 0"
wrong "destroyed team's context" "TSR-5017 shmem_long_p destroyed"
wrong "other's lock" "TSR-5030 shmem_clear_lock"
wrong "beyond the heap" "TSR-5009 shmem_getmem 1125899906842624 beyond the block 100"
wrong "before the heap" "TSR-5009 shmem_putmem 8 begin [0-9]+ bytes before the block"
job 2 TESSERA_CHECK=1 "$program" "behind a block"
fails
says_alone "unit 0 TSR-5009 shmem_putmem 8 beyond the block 100"
job 2 "$program" "freed twice"
fails
says_each "TSR-5036 shmem_free shmem_malloc"
job 2 "$program" "resized after free"
fails
says_each "TSR-5038 shmem_realloc shmem_malloc"

# Levels of threads are checked with TESSERA_CHECK=1.
job 1 TESSERA_CHECK=1 "$program" "another thread"
fails
says_alone "TSR-5058 shmem_long_p SHMEM_THREAD_FUNNELED SHMEM_THREAD_MULTIPLE"
job 1 TESSERA_CHECK=1 "$program" "two threads"
fails
says_alone "TSR-5059 shmem_fence shmem_long_wait_until SHMEM_THREAD_SERIALIZED SHMEM_THREAD_MULTIPLE"
job 2 TESSERA_CHECK=1 "$program" "thread after thread"
succeeds

collective=TSR-0306
differs kind "shmem_long_broadcast .16 bytes, root 0." "shmem_long_fcollect .16 bytes."
differs size "shmem_long_alltoall .8 bytes." "shmem_long_alltoall .16 bytes."
differs root "shmem_int_broadcast .8 bytes, root 0." "shmem_int_broadcast .8 bytes, root 1."
differs operation "shmem_long_sum_reduce .16 bytes: .*." "shmem_long_max_reduce .16 bytes: .*."
differs amount "shmem_malloc .800 bytes." "shmem_malloc .900 bytes."
differs allocation "shmem_malloc .800 bytes." "shmem_long_sum_to_all .8 bytes: .*."
differs "barrier or not" barrier "shmem_long_broadcast .16 bytes, root 0."
differs "free or scan" "shmem_free" "shmem_long_sum_inscan .8 bytes: .*."
finish
