/* What both versions of the fetch-add test share: the options, and how long and how often.
 *
 *   latency     Unit 0 adds to a counter of the last unit, and waits for each old value.
 *   throughput  The same with many fetch-adds under way.
 *   hotspot     All units add to one counter of unit 0, each with many under way.
 *
 * A sample lasts --ms milliseconds, not a number of operations: so a slow system with many units per core ends in time, too.
 *
 * The check: nothing else changes the counters, so that the old values that all units fetched are 0 to n - 1, each once.
 * Their sum and the sum of their squares (modulo 2^64) must be those of these numbers, and the counter n. */
#ifndef BENCH_STUDIES_GASNET_FETCHADD_H
#define BENCH_STUDIES_GASNET_FETCHADD_H

#include <stdbool.h>
#include <stdint.h>

#include "../rows.h"
#include "../options.h"
#include "repeats.h"

enum { FETCH_WINDOW_MAX = 1024, FETCH_ALONE_MAX = 64 };

static long window_n = 64, milliseconds = 20, samples_n = 5;

static const struct option fetch_options[] = {
    {"window", 1, FETCH_WINDOW_MAX, &window_n, NULL, NULL},
    {"ms", 1, MS_MAX, &milliseconds, NULL, NULL},
    {"samples", 1, SAMPLES_MAX, &samples_n, NULL, NULL},
};
enum { FETCH_OPTIONS_N = sizeof fetch_options / sizeof *fetch_options };

/* What a unit, or all units together, fetched. */
struct fetched {
  uint64_t n, sum, squares;
};

static inline void note_old(struct fetched *f, uint64_t old) {
  f->n++;
  f->sum += old;
  f->squares += old * old;
}

static inline bool is_each_once(const struct fetched *f) {
  struct fetched right = {0, 0, 0};
  while (right.n < f->n) note_old(&right, right.n);
  return right.sum == f->sum && right.squares == f->squares;
}

/* Adds n times to the counter of the owner. */
typedef void (*adder)(int owner, long n, struct fetched *f);

/* Adds for the time of a sample. Returns the seconds it took. To read the clock takes as long as a fast fetch-add, and a
 * slow one takes longer than the sample: if they run alone, their number between two readings therefore doubles. */
static inline double add_for_a_while(adder add, int owner, bool alone, struct fetched *f) {
  const double since = study_now(), until = since + 1e-3 * (double)milliseconds;
  long n = alone ? 1 : window_n;
  double now;
  do {
    add(owner, n, f);
    now = study_now();
    if (alone && n < FETCH_ALONE_MAX) n *= 2;
  } while (now < until);
  return now - since;
}

/* The value of a sample: ns for each operation if alone, else million operations a second. */
static inline double fetch_value(bool alone, double seconds, uint64_t n) {
  return alone ? 1e9 * seconds / (double)n : 1e-6 * (double)n / seconds;
}

#endif
