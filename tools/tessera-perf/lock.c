/* Acquires and releases of one lock, by one unit or by all units at once. */
#include "works.h"

struct use {
  dart_lock_t lock;
  bool takes_part;
};

static void cycle(void *arg, uint64_t n) {
  const struct use *use = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; use->takes_part && i < n; i++) {
    bad |= dart_lock_acquire(use->lock);
    bad |= dart_lock_release(use->lock);
  }
  works_check(bad, "dart_lock_acquire or dart_lock_release");
}

/* `unit`: the unit that uses the lock, whose home is unit 0; -1: all units. */
static void measure(struct perf *p, const struct perf_work *work, const char *variant, int unit) {
  struct perf_result result;
  struct use use = {DART_LOCK_NULL, unit < 0 || unit == p->unit};
  struct perf_op op = {cycle, &use, unit == 0 ? 1 : p->units, unit != 0};
  works_check(dart_team_lock_init(DART_TEAM_ALL, &use.lock), "dart_team_lock_init");
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, variant, 0, &result);
  if (unit < 0) perf_row_rate(p, work->name, variant, 0, p->units, &result);
  p->barrier();
  works_check(dart_team_lock_destroy(&use.lock), "dart_team_lock_destroy");
}

static void run_uncontended(struct perf *p, const struct perf_work *work) {
  measure(p, work, "own", 0);
  measure(p, work, "other", p->target);
}

static void run_hot(struct perf *p, const struct perf_work *work) { measure(p, work, "plain", -1); }

const struct perf_work lock_works[] = {
    {"lock.uncontended", "dart_lock_acquire and _release by one unit: the lock's home unit, and another unit",
     run_uncontended,
     cycle, 0},
    {"lock.hot", "the same, by all units at once", run_hot, cycle, 0},
    {0},
};
