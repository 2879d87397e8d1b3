/* Bounce buffers for long replies: if all are in use, a thread that takes one waits until another one is given back. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/retry.h"
#include "core/runtime.h"
#include "net/net.h"
#include "vis/bounce.h"

enum { LONG_BYTES = 1 << 16 };

static void *take_long(void *unused) {
  (void)unused;
  return tsr_bounce_take(TSR_UNIT(0), LONG_BYTES);
}

static void a_thread_waits_until_one_comes_back(void **state) {
  (void)state;
  void *taken[TSR_LONG_BOUNCES_N], *waited;
  for (int i = 0; i < TSR_LONG_BOUNCES_N; i++) {
    taken[i] = tsr_bounce_take(TSR_UNIT(0), LONG_BYTES);
    assert_non_null(taken[i]);
  }
  void *short_one = tsr_bounce_take(TSR_UNIT(0), 8); /* these have no limit */
  assert_non_null(short_one);
  tsr_bounce_give(short_one, 8);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, take_long, NULL), 0);
  while (!tsr_retry_waits()) sched_yield();
  tsr_bounce_give(taken[3], LONG_BYTES);
  assert_int_equal(pthread_join(thread, &waited), 0);
  assert_ptr_equal(waited, taken[3]);
  assert_false(tsr_retry_waits());
  for (int i = 0; i < TSR_LONG_BOUNCES_N; i++) tsr_bounce_give(taken[i], LONG_BYTES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_thread_waits_until_one_comes_back)};
  tsr_threads = true;
  tsr_net_limits = (struct tsr_net_limits){.eager_bytes = 1 << 10, .payload_bytes = LONG_BYTES};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
