/* Locks among the threads of all units: one thread of all units holds the lock.
 * Group: dart_demanding
 */
#include "dart_check.h"

#include <pthread.h>

enum { THREADS_N = 4, ROUNDS = 40 };

static dart_lock_t lock;
static dart_gptr_t counter;
static int own_count; /* plain: the lock guards it among the threads of this unit */

static void add_one(void) {
  int64_t value = -1;
  OK(dart_get_blocking(&value, counter, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  value++;
  OK(dart_put_blocking(counter, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  own_count++;
}

static void *acquire_and_add(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    OK(dart_lock_acquire(lock));
    add_one();
    OK(dart_lock_release(lock));
  }
  return arg;
}

static void *try_and_add(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    int32_t got = 0;
    OK(dart_lock_try_acquire(lock, &got));
    if (!got) OK(dart_lock_acquire(lock));
    add_one();
    OK(dart_lock_release(lock));
  }
  return arg;
}

static void run_threads(void *(*run)(void *)) {
  pthread_t threads[THREADS_N];
  for (int i = 0; i < THREADS_N; i++) {
    if (pthread_create(&threads[i], NULL, run, NULL)) abort();
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
}

static void excludes_all_threads(void *(*run)(void *)) {
  dart_gptr_t words = team_alloc(DART_TEAM_ALL, 1, DART_TYPE_LONG);
  *(int64_t *)own_part(words, self) = 0;
  own_count = 0;
  counter = at(words, units_n - 1, 0);
  OK(dart_team_lock_init(DART_TEAM_ALL, &lock));
  run_threads(run);
  barrier();
  int64_t value = -1;
  OK(dart_get_blocking(&value, counter, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  CHECK_EQ(value, (int64_t)units_n * THREADS_N * ROUNDS);
  CHECK_EQ(own_count, THREADS_N * ROUNDS);
  OK(dart_team_lock_destroy(&lock));
  OK(dart_team_memfree(words));
}

static void *does_not_hold_it(void *arg) {
  int32_t got = 77;
  OK(dart_lock_try_acquire(lock, &got));
  CHECK_EQ(got, 0);
  CHECK_EQ(dart_lock_release(lock), DART_ERR_INVAL);
  return arg;
}

static void *acquires_it(void *arg) {
  OK(dart_lock_acquire(lock));
  add_one();
  OK(dart_lock_release(lock));
  return arg;
}

/* Another thread of the holder's unit is not the holder: its release is an error, and its acquire waits. */
static void holder_is_a_thread(void) {
  pthread_t other;
  OK(dart_team_lock_init(DART_TEAM_ALL, &lock));
  counter = team_alloc(DART_TEAM_ALL, 1, DART_TYPE_LONG);
  *(int64_t *)own_part(counter, self) = 0;
  barrier();
  if (self == 0) {
    OK(dart_lock_acquire(lock));
    if (pthread_create(&other, NULL, does_not_hold_it, NULL)) abort();
    pthread_join(other, NULL);
    own_count = 0;
    if (pthread_create(&other, NULL, acquires_it, NULL)) abort();
    CHECK_EQ(dart_lock_acquire(lock), DART_ERR_INVAL);
    CHECK_EQ(own_count, 0); /* it waits, or has not started yet */
    OK(dart_lock_release(lock));
    pthread_join(other, NULL);
    CHECK_EQ(own_count, 1);
  }
  barrier();
  OK(dart_team_lock_destroy(&lock));
  OK(dart_team_memfree(counter));
}

int main(int argc, char **argv) {
  dart_thread_support_level_t level = DART_THREAD_SINGLE;
  if (dart_init_thread(&argc, &argv, &level) != DART_OK) return EXIT_FAILURE;
  dart_global_unit_t me;
  size_t n;
  OK(dart_myid(&me));
  OK(dart_size(&n));
  self = me.id;
  units_n = (dart_unit_t)n;
  if (level == DART_THREAD_MULTIPLE) {
    excludes_all_threads(acquire_and_add);
    excludes_all_threads(try_and_add);
    holder_is_a_thread();
  }
  int result = finish();
  return level == DART_THREAD_MULTIPLE ? result : 77;
}
