/* ARMCI's atomics, mutexes, barrier and collective allocation. */
#include <stdlib.h>

#include "armci_works.h"
#include "limits.h"

/* ---- atomics ---- */

static void fetch_add(void *arg, uint64_t n) {
  const struct armci_place *t = arg;
  long old;
  int bad = 0;
  while (n--) bad |= ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, t->there, 1, t->unit);
  armci_check(bad, "ARMCI_Rmw");
}

static void measure_rmw(const struct perf *p, const struct perf_work *work, const char *variant, int unit, int takers_n,
                        const struct perf_op *limit) {
  struct armci_place t;
  struct perf_result result;
  struct perf_op op = {work->loop, &t, takers_n, takers_n > 1};
  armci_open(p, sizeof(long), unit, &t);
  perf_measure(p, &op, limit, &result);
  perf_row_time(p, work->name, variant, sizeof(long), &result);
  if (takers_n > 1) perf_row_rate(p, work->name, variant, sizeof(long), takers_n, &result);
  armci_close(p, &t);
}

static void run_rmw(struct perf *p, const struct perf_work *work) {
  measure_rmw(p, work, "own", 0, 1, limits_fetch_add_own(p));
  measure_rmw(p, work, "other", p->target, 1, limits_fetch_add_own(p));
  measure_rmw(p, work, "hot", p->target, p->units, limits_fetch_add_hot(p));
}

/* ---- mutexes ---- */

static void lock_and_unlock(void *arg, uint64_t n) {
  const int unit = *(const int *)arg;
  while (n--) {
    ARMCI_Lock(0, unit);
    ARMCI_Unlock(0, unit);
  }
}

static void measure_lock(const struct perf *p, const struct perf_work *work, const char *variant, int unit, int takers_n) {
  struct perf_result result;
  struct perf_op op = {work->loop, &unit, takers_n, takers_n > 1};
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, variant, 0, &result);
  if (takers_n > 1) perf_row_rate(p, work->name, variant, 0, takers_n, &result);
}

static void run_lock(struct perf *p, const struct perf_work *work) {
  armci_check(ARMCI_Create_mutexes(1), "ARMCI_Create_mutexes");
  measure_lock(p, work, "own", 0, 1);
  measure_lock(p, work, "other", p->target, 1);
  measure_lock(p, work, "hot", p->target, p->units);
  ARMCI_Barrier();
  armci_check(ARMCI_Destroy_mutexes(), "ARMCI_Destroy_mutexes");
}

/* ---- collective calls ---- */

static void barrier_of_all(void *arg, uint64_t n) {
  (void)arg;
  while (n--) ARMCI_Barrier();
}

static void run_barrier_of_all(struct perf *p, const struct perf_work *work) {
  struct perf_result result;
  struct perf_op op = {work->loop, NULL, p->units, false};
  perf_measure(p, &op, limits_barrier(p), &result);
  perf_row_time(p, work->name, "plain", 0, &result);
}

struct allocation {
  const struct perf *p;
  void **of;
  size_t bytes;
};

static void malloc_and_free(void *arg, uint64_t n) {
  const struct allocation *a = arg;
  int bad = 0;
  while (n--) {
    bad |= ARMCI_Malloc(a->of, (armci_size_t)a->bytes);
    bad |= ARMCI_Free(a->of[a->p->unit]);
  }
  armci_check(bad, "ARMCI_Malloc or ARMCI_Free");
}

static void run_malloc(struct perf *p, const struct perf_work *work) {
  const int sizes_n = p->bytes_given ? p->bytes_n : 1;
  void **of = calloc((size_t)p->units, sizeof *of);
  if (!of) ARMCI_Error("perf: no memory", 1);
  for (int i = 0; i < sizes_n; i++) {
    struct allocation a = {p, of, p->bytes_given ? p->bytes[i] : 64 << 10};
    struct perf_result result;
    struct perf_op op = {work->loop, &a, p->units, false};
    perf_measure(p, &op, NULL, &result);
    perf_row_time(p, work->name, "plain", a.bytes, &result);
  }
  free(of);
}

const struct perf_work armci_sync_works[] = {
    {"armci.rmw", "ARMCI_Rmw, fetch-and-add of a long: own, the target's, one that all units use",
     run_rmw, fetch_add, 0},
    {"armci.lock", "ARMCI_Lock and ARMCI_Unlock: own mutex, the target's, one that all units use", run_lock,
     lock_and_unlock, 0},
    {"armci.barrier", "ARMCI_Barrier of all units", run_barrier_of_all, barrier_of_all, 0},
    {"armci.malloc", "ARMCI_Malloc and ARMCI_Free", run_malloc, malloc_and_free, 0},
    {0},
};
