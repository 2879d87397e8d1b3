/* Waits sleep: PE 0 uses the CPU for less than half of the time for which it waits for PE 1: for a variable, for a signal, for a
 * lock, and in a barrier. Waits for memory poll every 0.1 ms in their first second, which takes up to 40 % of a slow CPU; then
 * they poll less often.
 *
 * Units: 2 */
#include "cpu_share.h"
#include "shmem_check.h"

#include <time.h>

static long flag, lock_;
static uint64_t signal_;

enum way { VARIABLE, SIGNAL, LOCK, BARRIER, WAYS_N };
static const char *const names[] = {"shmem_long_wait_until", "shmem_signal_wait_until", "shmem_set_lock", "shmem_barrier_all"};
static const struct timespec late[] = {{2, 0}, {2, 0}, {0, 400000000}, {0, 400000000}};

static void wait_for(enum way way) {
  if (way == VARIABLE) shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
  if (way == SIGNAL) CHECK_EQ(shmem_signal_wait_until(&signal_, SHMEM_CMP_NE, 0), 1);
  if (way == LOCK) shmem_set_lock(&lock_);
  if (way == BARRIER) shmem_barrier_all();
}

static void come(enum way way) {
  nanosleep(&late[way], NULL);
  if (way == VARIABLE) shmem_long_p(&flag, 1, 0);
  if (way == SIGNAL) shmem_long_put_signal(&flag, &flag, 0, &signal_, 1, SHMEM_SIGNAL_SET, 0);
  if (way == LOCK) shmem_clear_lock(&lock_);
  if (way == BARRIER) shmem_barrier_all();
}

static void check_way(enum way way) {
  double began = clock_seconds(), had_run = cpu_seconds();
  wait_for(way);
  check_has_slept(names[way], began, had_run);
}

int main(void) {
  start();
  for (int way = 0; way < WAYS_N; way++) {
    if (way == LOCK && me == 1) shmem_set_lock(&lock_);
    shmem_barrier_all();
    if (me == 0) check_way((enum way)way);
    else if (me == 1) come((enum way)way);
  }
  if (me == 0) shmem_clear_lock(&lock_);
  return finish();
}
