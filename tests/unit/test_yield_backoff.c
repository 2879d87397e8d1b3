/* The rest of an oversubscribed node after units lost turns by yielding, with a simulated clock and scheduler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/config.h"
#include "base/wait.h"

enum { TURN_NS = 1000, LOST_NS = 1000000 };

static struct node {
  tsr_word bell;
  _Atomic int32_t awake_n;
  struct tsr_wait_no_yield no_yield;
  struct tsr_wait_why why;
  _Atomic uint32_t ticks;
} node;
static uint64_t now_ns;
static int yields_n, sleeps_n;
static bool loses;         /* the first yield of a wait loses its turn */
static int come_at;        /* the awaited event happens after this yield; 0: after a sleep */
static bool news;
static uint64_t others_ns; /* another unit reports the lost turn first, and the node rests until then; 0: no unit does */

/* The linker puts these functions between the waits and the kernel. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
  (void)clock;
  *time = (struct timespec){.tv_sec = (time_t)(now_ns / 1000000000u), .tv_nsec = (long)(now_ns % 1000000000u)};
  return 0;
}
int __wrap_sched_yield(void);
int __wrap_sched_yield(void) {
  bool lost = ++yields_n == 1 && loses;
  now_ns += lost ? LOST_NS : TURN_NS;
  if (lost && others_ns) atomic_store(&node.no_yield.until_ns, others_ns);
  if (yields_n == come_at) news = true;
  return 0;
}
void __wrap_tsr_futex_wait(tsr_word *word, uint32_t expected, uint64_t timeout_ns);
void __wrap_tsr_futex_wait(tsr_word *word, uint32_t expected, uint64_t timeout_ns) {
  assert_ptr_equal(word, &node.bell);
  assert_int_equal(expected, 1);
  assert_true(timeout_ns == TSR_UNTIMED);
  sleeps_n++;
  news = true;
}

static int begin(void **state) {
  (void)state;
  node = (struct node){.awake_n = 2, .ticks = 1};
  now_ns += 1000000000u; /* the turns that one test lost are long past in the next one */
  others_ns = 0;
  tsr_wait_install(&(struct tsr_wait_env){.bell = &node.bell,
                                          .awake_n = &node.awake_n,
                                          .no_yield = &node.no_yield,
                                          .why = &node.why,
                                          .ticks = &node.ticks,
                                          .cores_n = 1,
                                          .oversubscribed = true});
  return 0;
}

static int end(void **state) {
  (void)state;
  tsr_wait_install(NULL);
  return 0;
}

static bool has_come(const void *arg) {
  (void)arg;
  return news;
}

static void wait_once(bool loses_turn, int come) {
  news = false;
  yields_n = sleeps_n = 0;
  loses = loses_turn;
  come_at = come;
  tsr_wait(has_come, NULL, (struct tsr_wait_why){TSR_WAIT_BARRIER, 0, 1});
}

static void gives_way(void) {
  wait_once(false, 3);
  assert_int_equal(yields_n, 3);
  assert_int_equal(sleeps_n, 0);
}

static void sleeps_at_once(void) {
  wait_once(false, 3);
  assert_int_equal(yields_n, 0);
  assert_int_equal(sleeps_n, 1);
}

/* A lost turn after which the unit yields as before. */
static void loses_one(void) {
  wait_once(true, 2);
  assert_int_equal(yields_n, 2);
  assert_int_equal(sleeps_n, 0);
}

/* A lost turn after which the unit sleeps at once, as the whole node does for a while; afterwards it yields again. */
static void loses_one_and_rests(uint64_t times) {
  wait_once(true, 2);
  assert_int_equal(yields_n, 1);
  assert_int_equal(sleeps_n, 1);
  assert_int_equal(atomic_load(&node.no_yield.until_ns), now_ns + times * LOST_NS);
  sleeps_at_once();
  now_ns = atomic_load(&node.no_yield.until_ns) - 1;
  sleeps_at_once();
  now_ns++;
}

static void one_lost_turn_does_not_matter(void **state) {
  (void)state;
  loses_one();
  gives_way();
}

static void two_of_them_far_apart_neither(void **state) {
  (void)state;
  loses_one();
  now_ns += 4 * LOST_NS;
  loses_one();
}

static void two_soon_make_a_short_rest(void **state) {
  (void)state;
  loses_one();
  loses_one_and_rests(2);
  gives_way();
}

static void tries_as_bad_make_longer_ones(void **state) {
  (void)state;
  loses_one();
  loses_one_and_rests(2);
  loses_one_and_rests(8);
  loses_one_and_rests(32);
  loses_one_and_rests(32);
}

static void a_good_time_makes_them_short_again(void **state) {
  (void)state;
  loses_one();
  loses_one_and_rests(2);
  loses_one_and_rests(8);
  now_ns += 4 * LOST_NS;
  loses_one();
  loses_one_and_rests(2);
}

static void a_turn_that_many_lost_counts_once(void **state) {
  (void)state;
  loses_one();
  others_ns = now_ns + 3 * LOST_NS;
  wait_once(true, 2);
  assert_int_equal(sleeps_n, 1);
  assert_int_equal(atomic_load(&node.no_yield.until_ns), others_ns);
  now_ns = others_ns;
  others_ns = 0;
  gives_way();
}

int main(void) {
  tsr_config.watchdog_s = 60; /* these sleeps have no time-out, since a monitor ticks */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(one_lost_turn_does_not_matter, begin, end),
      cmocka_unit_test_setup_teardown(two_of_them_far_apart_neither, begin, end),
      cmocka_unit_test_setup_teardown(two_soon_make_a_short_rest, begin, end),
      cmocka_unit_test_setup_teardown(tries_as_bad_make_longer_ones, begin, end),
      cmocka_unit_test_setup_teardown(a_good_time_makes_them_short_again, begin, end),
      cmocka_unit_test_setup_teardown(a_turn_that_many_lost_counts_once, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
