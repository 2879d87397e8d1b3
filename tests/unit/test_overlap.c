/* The heuristic learns from what a unit does after it has started a transfer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>

#include "core/overlap.h"

enum { SLEEPS_N = 32 /* the number of transfers after which the heuristic decides */, TIMES_MAX = 100000 };

static void compute(void) { nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); }

static void start_and_compute(void) {
  tsr_overlap_leave();
  compute();
  tsr_overlap_return();
}

/* However often this thread loses time by chance. */
static void start_and_stay(void) {
  for (int i = 0; i < TIMES_MAX && tsr_overlap_computes(); i++) {
    tsr_overlap_leave();
    tsr_overlap_return();
  }
}

static void a_unit_that_stays_is_recognised_and_one_that_computes_again(void **state) {
  (void)state;
  assert_true(tsr_overlap_computes()); /* assumed until it is shown to be wrong */
  start_and_stay();
  assert_false(tsr_overlap_computes());
  start_and_compute();
  assert_true(tsr_overlap_computes());
}

static void the_question_ends_the_time_away(void **state) {
  (void)state;
  start_and_stay();
  tsr_overlap_leave();
  compute();
  assert_true(tsr_overlap_computes());
  assert_int_equal(tsr_overlap_left_ns, 0);
}

static void who_computes_beside_transfers_goes_on_for_a_while(void **state) {
  (void)state;
  start_and_compute();
  start_and_compute();
  assert_true(tsr_overlap_continues(UINT64_MAX));
  assert_false(tsr_overlap_continues(0));
  start_and_stay();
  assert_false(tsr_overlap_continues(UINT64_MAX));
}

static long losses(void) {
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

static atomic_bool over;
static void *take_the_core(void *unused) {
  while (!atomic_load(&over)) {}
  return unused;
}

/* Computes beside a rival on the same core until it has lost the core this many times. */
static void lose(int times_n) {
  pthread_t rival;
  cpu_set_t before, one;
  long first = losses();
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  atomic_store(&over, false);
  pthread_create(&rival, NULL, take_the_core, NULL);
  while (losses() < first + times_n) {}
  atomic_store(&over, true);
  pthread_join(rival, NULL);
  sched_setaffinity(0, sizeof before, &before);
}

static void a_unit_is_oversubscribed_if_polls_preempt_it(void **state) {
  (void)state;
  assert_false(tsr_overlap_oversubscribed());
  tsr_overlap_leave();
  for (int i = 0; i < SLEEPS_N; i++) tsr_overlap_count_sleep();
  lose(SLEEPS_N / 2 + 1);
  tsr_overlap_return();
  assert_true(tsr_overlap_oversubscribed());
  assert_true(tsr_overlap_computes());
  assert_false(tsr_overlap_continues(UINT64_MAX));
  tsr_overlap_leave();
  for (int i = 0; i < 1000 * SLEEPS_N; i++) tsr_overlap_count_sleep();
  compute();
  tsr_overlap_return();
  assert_false(tsr_overlap_oversubscribed());
}

static void few_looks_make_no_verdict(void **state) {
  (void)state;
  tsr_overlap_leave();
  for (int i = 0; i < SLEEPS_N / 2; i++) tsr_overlap_count_sleep();
  lose(SLEEPS_N);
  tsr_overlap_return();
  assert_false(tsr_overlap_oversubscribed());
  tsr_overlap_leave(); /* but both together do */
  for (int i = 0; i < SLEEPS_N / 2; i++) tsr_overlap_count_sleep();
  compute();
  tsr_overlap_return();
  assert_true(tsr_overlap_oversubscribed());
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_unit_that_stays_is_recognised_and_one_that_computes_again),
                                     cmocka_unit_test(the_question_ends_the_time_away),
                                     cmocka_unit_test(who_computes_beside_transfers_goes_on_for_a_while),
                                     cmocka_unit_test(a_unit_is_oversubscribed_if_polls_preempt_it),
                                     cmocka_unit_test(few_looks_make_no_verdict)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
