/* How long a sample lasts: a number of repetitions that takes about --ms milliseconds, so that slow systems end in time and
 * fast ones are not measured by a few operations. Both sides of a test must know the number: it is found by trial before
 * the samples, and unit 0 decides. */
#ifndef BENCH_STUDIES_GASNET_REPEATS_H
#define BENCH_STUDIES_GASNET_REPEATS_H

enum { TRIALS_N = 4, REPEATS_MAX = 1000000, MS_MAX = 100000, SAMPLES_MAX = 1000 };

/* The first trials warm up, and others may be disturbed: the shortest one counts. */
static inline double shorter(double x, double y) { return x < y ? x : y; }

static inline long repeats_in(long milliseconds, double seconds_each) {
  const double n = 1e-3 * (double)milliseconds / seconds_each;
  return n < 1 ? 1 : n > REPEATS_MAX ? REPEATS_MAX : (long)n;
}

#endif
