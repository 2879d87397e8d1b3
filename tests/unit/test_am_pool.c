/* A thread that waits for a block of a pool for active messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <unistd.h>

#include "am/pool.h"
#include "core/retry.h"
#include "core/runtime.h"

enum { ORDER = 24, SHORT = 512 /* of data; its block is one page */, LONG = 8000, BLOCKS_MAX = 8192 };

static struct tsr_am_block *blocks[BLOCKS_MAX];
static int blocks_n;
static int locks_n; /* how often this thread has taken a lock */

int __real_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock) {
  locks_n++;
  return __real_pthread_mutex_lock(lock);
}

static int start(void **state) {
  (void)state;
  const struct tsr_heap_shape shape = {1, ORDER, 1};
  int fd = tsr_heap_make(&shape);
  if (fd < 0 || tsr_heap_map(fd, &shape, 0, NULL)) return -1;
  close(fd);
  tsr_memory_init(tsr_heap.memory, 1, ORDER, 1);
  tsr_heap.memory->limit_bytes = 1 << ORDER;
  tsr_threads = true; /* so that the pool is locked */
  return tsr_heap_reset();
}

static int stop(void **state) {
  (void)state;
  tsr_am_pool_stop();
  tsr_heap_unmap();
  return 0;
}

static tessera_status_t take(size_t bytes, bool waits) {
  return tsr_am_pool_take(TSR_AM_POOL_REQUESTS, bytes, &bytes, &blocks[blocks_n], (tsr_unit){0}, waits);
}

static void fill(void) {
  blocks_n = 0;
  while (take(SHORT, false) == TESSERA_OK) assert_true(++blocks_n < BLOCKS_MAX);
  assert_true(blocks_n > 100);
}

/* The wait of a call that found no block: what it looks at, over and over, is not the pool, until a block was given back. */
static int waits_n, gives_n, given_n;
tessera_status_t __wrap_tsr_retry(const struct tsr_retry *retry);
tessera_status_t __wrap_tsr_retry(const struct tsr_retry *retry) {
  tessera_status_t status = TESSERA_ERR_AGAIN;
  waits_n++;
  while (status == TESSERA_ERR_AGAIN) {
    const int before_n = locks_n;
    for (int i = 0; i < 1000; i++) assert_false(retry->has_room(retry->arg));
    assert_int_equal(locks_n, before_n);
    assert_true(given_n < gives_n);
    tsr_am_block_give(blocks[given_n++]);
    assert_true(retry->has_room(retry->arg));
    status = retry->start(retry->arg);
  }
  return status;
}

static void a_waiter_looks_at_a_counter(void **state) {
  (void)state;
  fill();
  waits_n = given_n = 0;
  gives_n = 1;
  assert_int_equal(take(SHORT, true), TESSERA_OK);
  assert_int_equal(waits_n, 1);
  assert_int_equal(given_n, 1);
  assert_ptr_equal(blocks[blocks_n], blocks[0]);
  for (int i = 1; i <= blocks_n; i++) tsr_am_block_give(blocks[i]);
  assert_int_equal(tsr_am_pool_taken(), 0);
}

/* One free page is not enough: the waiter searches once for each block that comes back. */
static void a_waiter_takes_what_is_long_enough(void **state) {
  (void)state;
  fill();
  waits_n = given_n = 0;
  gives_n = blocks_n;
  assert_int_equal(take(LONG, true), TESSERA_OK);
  assert_int_equal(waits_n, 1);
  assert_int_equal(given_n, 8);
  for (int i = given_n; i <= blocks_n; i++) tsr_am_block_give(blocks[i]);
  assert_int_equal(tsr_am_pool_taken(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_waiter_looks_at_a_counter, start, stop),
      cmocka_unit_test_setup_teardown(a_waiter_takes_what_is_long_enough, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
