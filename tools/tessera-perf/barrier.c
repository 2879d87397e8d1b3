/* The barrier of all units. */
#include "works.h"

#include "limits.h"

static void barrier(void *arg, uint64_t n) {
  (void)arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) bad |= dart_barrier(DART_TEAM_ALL);
  works_check(bad, "dart_barrier");
}

static void run(struct perf *p, const struct perf_work *work) {
  struct perf_result result;
  struct perf_op op = {barrier, NULL, p->units, false};
  perf_measure(p, &op, limits_barrier(p), &result);
  perf_row_time(p, work->name, "plain", 0, &result);
}

const struct perf_work barrier_works[] = {
    {"barrier", "dart_barrier of all units", run, barrier, 0},
    {0},
};
