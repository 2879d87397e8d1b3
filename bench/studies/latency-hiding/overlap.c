#include "overlap.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../options.h"
#include "../rows.h"

enum { REPEAT_MAX = 999, STEPS_PER_TEST = 1000, ONCE_S_MILLIONTHS = 200 };

static const int shares[] = {25, 50, 75, 100, 150, 200}; /* the computation's time, in percent of the get's */
enum { SHARES = sizeof shares / sizeof *shares };

/* Each step waits for the one before; no step uses memory. */
static void compute(uint64_t steps) {
  uint64_t x = steps;
  for (uint64_t i = 0; i < steps; i++) {
    x = x * UINT64_C(6364136223846793005) + i;
    __asm__ __volatile__("" : "+r"(x));
  }
}

typedef struct {
  const overlap_version *v;
  size_t bytes;
  char *to, *expected;
  uint64_t steps; /* of the computation */
  int batch, repeat;
} measurement;

/* ---- what is timed: the time of one, in seconds ---- */

static double time_gets(const measurement *m) {
  const double start = study_now();
  for (int i = 0; i < m->batch; i++) {
    m->v->start(m->to, m->bytes);
    m->v->complete();
  }
  return (study_now() - start) / m->batch;
}

static double time_computation(const measurement *m) {
  const double start = study_now();
  for (int i = 0; i < m->batch; i++) compute(m->steps);
  return (study_now() - start) / m->batch;
}

static double time_both(const measurement *m) {
  const double start = study_now();
  for (int i = 0; i < m->batch; i++) {
    m->v->start(m->to, m->bytes);
    compute(m->steps);
    m->v->complete();
  }
  return (study_now() - start) / m->batch;
}

static double median_of(int n, const double *samples) {
  double sorted[REPEAT_MAX];
  memcpy(sorted, samples, (size_t)n * sizeof *sorted);
  qsort(sorted, (size_t)n, sizeof *sorted, study_by_value);
  return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* ---- checks ---- */

static char byte_of(size_t i, int rank) { return (char)(i * 31 + (i >> 8) * 7 + (size_t)rank * 13 + 1); }

static bool is_right(const measurement *m) { return memcmp(m->to, m->expected, m->bytes) == 0; }

/* ---- rank 0 ---- */

/* As many gets in a batch as make it long enough for the clock. */
static void choose_batch(measurement *m) {
  m->batch = 1;
  const double once = time_gets(m), wanted = 1e-6 * ONCE_S_MILLIONTHS;
  m->batch = once >= wanted ? 1 : 1 + (int)(wanted / (once > 1e-8 ? once : 1e-8));
}

/* How much of the shorter one the longer one hides, in percent. The three times are taken in turns. */
static bool measure_share(measurement *m, const char *work, int share, uint64_t steps_per_get) {
  double hidden[REPEAT_MAX];
  char variant[32];
  m->steps = 1 + steps_per_get * (uint64_t)share / 100;
  bool right = true;
  for (int i = 0; i < m->repeat; i++) {
    const double get = time_gets(m), computation = time_computation(m);
    memset(m->to, 0, m->bytes);
    const double both = time_both(m), shorter = get < computation ? get : computation;
    right = right && is_right(m);
    const double part = 100 * (get + computation - both) / shorter;
    hidden[i] = part < 1 ? 1 : part > 100 ? 100 : part; /* at least 1, so that a ratio is defined */
  }
  snprintf(variant, sizeof variant, "compute.%03d", share);
  if (right) study_row(work, variant, (long)m->bytes, m->v->ranks, "%", m->repeat, hidden);
  return right;
}

static bool measure(measurement *m, const char *work) {
  double gets[REPEAT_MAX], us[REPEAT_MAX];
  time_gets(m); /* the first one takes longer */
  choose_batch(m);
  for (int i = 0; i < m->repeat; i++) us[i] = 1e6 * (gets[i] = time_gets(m));
  m->steps = STEPS_PER_TEST;
  const double step = time_computation(m) / STEPS_PER_TEST;
  const uint64_t steps_per_get = (uint64_t)(median_of(m->repeat, gets) / step);
  study_row(work, "get", (long)m->bytes, m->v->ranks, "us", m->repeat, us);
  for (int i = 0; i < SHARES; i++)
    if (!measure_share(m, work, shares[i], steps_per_get)) return false;
  return true;
}

/* ---- all ranks ---- */

static void *private_memory(size_t bytes) {
  void *made = aligned_alloc(64, bytes);
  if (made) return memset(made, 0, bytes);
  fprintf(stderr, "overlap: no memory for %zu bytes\n", bytes);
  exit(1);
}

static bool measure_size(const overlap_version *v, size_t bytes, int repeat) {
  void *mine;
  int wrong = 0;
  measurement m = {.v = v, .bytes = bytes, .expected = private_memory(bytes), .batch = 1, .repeat = repeat};
  char *buffer = private_memory(bytes);
  v->open(2 * bytes, &mine); /* what is read, and after it what the caller's gets write */
  for (size_t i = 0; i < bytes; i++) ((char *)mine)[i] = byte_of(i, v->rank), m.expected[i] = byte_of(i, v->ranks - 1);
  v->barrier();
  if (v->rank == 0) {
    m.to = (char *)mine + bytes;
    wrong = !measure(&m, "overlap.direct");
    m.to = buffer;
    wrong = wrong || !measure(&m, "overlap.buffered");
  }
  v->agree(&wrong);
  v->close();
  if (wrong && v->rank == 0) fprintf(stderr, "wrong result: overlap: a get of %zu bytes has other data\n", bytes);
  free(buffer);
  free(m.expected);
  return !wrong;
}

int overlap(int argc, char **argv, const overlap_version *v) {
  long bytes[OPTION_LIST_MAX] = {4096, 65536, 1048576}, repeat = 9;
  int bytes_n = 3;
  const struct option options[] = {{"bytes", 64, 1L << 30, bytes, &bytes_n, NULL},
                                   {"repeat", 1, REPEAT_MAX, &repeat, NULL, NULL}};
  if (!option_read("overlap", argc, argv, v->rank == 0, sizeof options / sizeof *options, options)) return WRONG_OPTIONS;
  for (int i = 0; i < bytes_n; i++)
    if (!measure_size(v, (size_t)(bytes[i] + 63) / 64 * 64, (int)repeat)) return 1;
  return 0;
}
