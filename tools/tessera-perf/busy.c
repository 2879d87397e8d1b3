#include "busy.h"

#include <stdlib.h>
#include <time.h>

#include "overlap.h"

enum { CALLS_N = 40, PAUSE_NS = 5000000, STEPS = 10000 };

static double now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The 90th percentile, so that a few time slices lost to the scheduler do not count. Calls that begin after the target
 * has stopped computing are not counted. */
static double time_calls(const struct perf_busy *b, double end_us) {
  double us[CALLS_N];
  int n = 0;
  while (n < CALLS_N && (n == 0 || now_us() < end_us)) {
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    double begun = now_us();
    b->call(b->arg);
    us[n++] = now_us() - begun;
  }
  qsort(us, (size_t)n, sizeof *us, by_time);
  return us[n * 9 / 10];
}

/* The target computes until its word is set. */
static double time_phase(const struct perf *p, const struct perf_busy *b, bool busy) {
  double us = 0;
  *b->over = 0;
  p->barrier();
  double end_us = now_us() + PERF_BUSY_S * 1e6;
  if (p->unit == 0) {
    us = time_calls(b, end_us);
    b->end(b->arg);
  } else if (busy && p->unit == p->target) {
    while (!__atomic_load_n(b->over, __ATOMIC_RELAXED) && now_us() < end_us) perf_compute(STEPS);
  }
  p->barrier();
  return us;
}

void perf_busy(const struct perf *p, const char *work, size_t bytes, const struct perf_busy *busy) {
  double idle_us = time_phase(p, busy, false), busy_us = time_phase(p, busy, true);
  perf_row_figure(p, work, "p90", "us", bytes, busy_us, idle_us);
}
