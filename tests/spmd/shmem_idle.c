/* Waits sleep: PE 0 uses the CPU for less than half of the time for which it waits for PE 1: for a variable, for a signal, for a
 * lock, and in a barrier. Waits for memory poll every 0.1 ms in their first second, which takes up to 40 % of a slow CPU; then
 * they poll less often.
 *
 * Units: 2 */
#include "shmem_check.h"

#include <sys/resource.h>
#include <time.h>

static long flag, lock_;
static uint64_t signal_;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static double of(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }
static double ran(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return of(usage.ru_utime) + of(usage.ru_stime);
}

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
  double began = seconds(), had_run = ran();
  wait_for(way);
  double waited = seconds() - began, percent = 100 * (ran() - had_run) / waited;
  printf("%s: runs for %.1f %% of %.2f s\n", names[way], percent, waited);
  CHECK(percent < 50);
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
