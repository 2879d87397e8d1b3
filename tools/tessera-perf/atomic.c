/* Atomics on one 8-byte word, each completed by a flush. */
#include "works.h"

#include "limits.h"

static void fetch_add(void *arg, uint64_t n) {
  const dart_gptr_t word = *(const dart_gptr_t *)arg;
  const int64_t one = 1;
  int64_t old;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) {
    bad |= dart_fetch_and_op(word, &one, &old, DART_TYPE_LONG, DART_OP_SUM);
    bad |= dart_flush(word);
  }
  works_check(bad, "dart_fetch_and_op or dart_flush");
}

static void compare_swap(void *arg, uint64_t n) {
  const dart_gptr_t word = *(const dart_gptr_t *)arg;
  int64_t expected = 0, old = 0;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) {
    int64_t next = expected + 1;
    bad |= dart_compare_and_swap(word, &next, &expected, &old, DART_TYPE_LONG);
    bad |= dart_flush(word);
    expected = old == expected ? next : old;
  }
  works_check(bad, "dart_compare_and_swap or dart_flush");
}

static void accumulate(void *arg, uint64_t n) {
  const dart_gptr_t word = *(const dart_gptr_t *)arg;
  const int64_t one = 1;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) {
    bad |= dart_accumulate(word, &one, 1, DART_TYPE_LONG, DART_OP_SUM);
    bad |= dart_flush(word);
  }
  works_check(bad, "dart_accumulate or dart_flush");
}

static void measure(struct perf *p, const struct perf_work *work, const char *variant, int unit, int takers_n,
                    const struct perf_op *limit) {
  struct perf_result result;
  dart_gptr_t word = works_alloc(p, sizeof(int64_t), unit);
  struct perf_op op = {work->loop, &word, takers_n, takers_n > 1};
  perf_measure(p, &op, limit, &result);
  perf_row_time(p, work->name, variant, sizeof(int64_t), &result);
  if (takers_n > 1) perf_row_rate(p, work->name, variant, sizeof(int64_t), takers_n, &result);
  works_free(word);
}

static void run_fetch_add(struct perf *p, const struct perf_work *work) {
  measure(p, work, "own", 0, 1, limits_fetch_add_own(p));
  measure(p, work, "other", p->target, 1, limits_fetch_add_own(p));
  measure(p, work, "hot", p->target, p->units, limits_fetch_add_hot(p));
}

static void run_compare_swap(struct perf *p, const struct perf_work *work) {
  measure(p, work, "other", p->target, 1, limits_compare_swap(p));
}

static void run_accumulate(struct perf *p, const struct perf_work *work) {
  measure(p, work, "other", p->target, 1, limits_fetch_add_own(p));
}

const struct perf_work atomic_works[] = {
    {"atomic.fetch_add", "dart_fetch_and_op: own word, the target's, one that all units use", run_fetch_add, fetch_add,
     0},
    {"atomic.cas", "dart_compare_and_swap on the target's word", run_compare_swap, compare_swap, 0},
    {"atomic.accumulate", "dart_accumulate of one element on the target's word", run_accumulate, accumulate, 0},
    {0},
};
