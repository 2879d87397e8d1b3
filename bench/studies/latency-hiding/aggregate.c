#include "aggregate.h"

#include <stdbool.h>

#include "../options.h"
#include "../rows.h"

enum { DOUBLES_MAX = 1000000, REPEAT_MAX = 999, BATCH_MAX = 100 };

typedef struct {
  const aggregate_version *v;
  doubles d;
  int batch, repeat;
} measurement;

/* The values of a transfer differ from those of the one before. */
static double value_of(int i, int transfer) { return (double)(i + 1) + 0.001 * transfer; }

static bool is_last(const measurement *m) { return m->v->rank == m->v->ranks - 1; }

static void fill_other(const measurement *m, double value) {
  for (int i = 0; i < m->d.n * APART; i++) m->d.other[i] = value;
}

/* Prints the time of one transfer. */
static void time_transfers(const measurement *m, const way *w, const char *variant, void (*transfer)(const doubles *d)) {
  double us[REPEAT_MAX];
  transfer(&m->d); /* the first one takes longer */
  for (int i = 0; i < m->repeat; i++) {
    const double start = study_now();
    for (int k = 0; k < m->batch; k++) transfer(&m->d);
    us[i] = 1e6 * (study_now() - start) / m->batch;
  }
  study_row(w->work, variant, (long)m->d.n * (long)sizeof(double), m->v->ranks, "us", m->repeat, us);
}

/* Returns whether the last rank then has the doubles, and has nothing else between them. */
static bool measure_put(const measurement *m, const way *w, int transfer) {
  int wrong = 0;
  if (is_last(m)) fill_other(m, -1);
  m->v->barrier();
  if (m->v->rank == 0) {
    for (int i = 0; i < m->d.n; i++) m->d.own[i] = value_of(i, transfer);
    time_transfers(m, w, "put", w->put);
  }
  m->v->barrier();
  for (int i = 0; is_last(m) && i < m->d.n * APART; i++)
    wrong |= m->d.other[i] != (i % APART ? -1 : value_of(i / APART, transfer));
  m->v->agree(&wrong);
  return !wrong;
}

static bool measure_get(const measurement *m, const way *w, int transfer) {
  int wrong = 0;
  if (is_last(m)) {
    fill_other(m, -1);
    for (int i = 0; i < m->d.n; i++) m->d.other[i * APART] = value_of(i, transfer);
  }
  m->v->barrier();
  if (m->v->rank == 0) {
    for (int i = 0; i < m->d.n; i++) m->d.own[i] = 0;
    time_transfers(m, w, "get", w->get);
    for (int i = 0; i < m->d.n; i++) wrong |= m->d.own[i] != value_of(i, transfer);
  }
  m->v->agree(&wrong);
  return !wrong;
}

int aggregate(int argc, char **argv, const aggregate_version *v) {
  long n = 1000, batch = 10, repeat = 9;
  const struct option options[] = {{"doubles", 1, DOUBLES_MAX, &n, NULL, NULL},
                                   {"batch", 1, BATCH_MAX, &batch, NULL, NULL}, /* transfers of which one time is taken */
                                   {"repeat", 1, REPEAT_MAX, &repeat, NULL, NULL}};
  if (!option_read("aggregate", argc, argv, v->rank == 0, sizeof options / sizeof *options, options)) return WRONG_OPTIONS;
  measurement m = {v, {.n = (int)n}, (int)batch, (int)repeat};
  bool right = true;
  v->open(&m.d);
  for (int i = 0; right && i < v->ways_n; i++) {
    right = measure_put(&m, &v->ways[i], 2 * i) && measure_get(&m, &v->ways[i], 2 * i + 1);
    if (!right && v->rank == 0) fprintf(stderr, "wrong result: %s: other doubles than were sent\n", v->ways[i].work);
  }
  v->close(&m.d);
  return right ? 0 : 1;
}
