/* What the studies' programs share: time, medians, and rows on standard output, one JSON object per line as tessera-perf prints
 * them. One process of a job prints: the caller decides which. A row of ours and one of a peer are compared if work, variant,
 * bytes and unit are the same. */
#ifndef BENCH_STUDIES_ROWS_H
#define BENCH_STUDIES_ROWS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* In seconds, from a fixed moment. */
static inline double study_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int study_by_value(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

/* `unit`: ns, us, ms, s or KiB, of which less is better, or GB/s, Mop/s or %, of which more is better. `bytes` 0: the row has no
 * size. The row's value is the median of the n samples, which are sorted here. */
static inline void study_row(const char *work, const char *variant, long bytes, int units, const char *unit, int n,
                             double *samples) {
  qsort(samples, (size_t)n, sizeof *samples, study_by_value);
  const double median = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
  printf("{\"work\": \"%s\", \"variant\": \"%s\", \"bytes\": %ld, \"units\": %d, \"value\": %.6g, \"min\": %.6g, \"max\": %.6g, "
         "\"unit\": \"%s\"}\n",
         work, variant, bytes, units, median, samples[0], samples[n - 1], unit);
  fflush(stdout);
}

/* Ends the process if a result is wrong: a figure of a program that computes something else is worth nothing. */
static inline void study_verify(int right, const char *what) {
  if (right) return;
  fprintf(stderr, "wrong result: %s\n", what);
  exit(1);
}

#endif
