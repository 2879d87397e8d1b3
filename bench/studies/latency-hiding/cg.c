/* CG itself: the product, the method, and the measurement. */
#include "cg_matrix.h"

enum { SOLVER_ITERATIONS = 25 };

static const struct {
  int rows, nonzeros, iterations;
  double shift, zeta; /* published */
} classes[] = {
    {1400, 7, 15, 10, 8.5971775078648},
    {7000, 8, 15, 12, 10.362595087124},
    {14000, 11, 15, 20, 17.130235054029},
    {75000, 13, 75, 60, 22.712745482631},
};

static int me, units;
static bool overlap;
static long *first, own_n; /* of the units, units + 1 entries: unit i has rows first[i] up to first[i + 1] - 1 */
static cg_block *blocks;   /* own rows, by the unit that has the columns */
static double *copy, *p;   /* all of the vector to multiply, and its own part */
static double *x, *z, *r, *q;
static double exchange_s, sum_s;

/* ---- The product, which is where units wait for data of others ---- */

static void multiply_rows(const cg_block *b, long from, long end, double *y) {
  for (long i = from; i < end; i++) {
    double sum = y[i];
    for (long k = b->start[i]; k < b->start[i + 1]; k++) sum += b->value[k] * copy[b->column[k]];
    y[i] = sum;
  }
}

static void multiply(int unit, double *y) { multiply_rows(&blocks[unit], 0, own_n, y); }

/* The own part of the vector is there at once. */
static void multiply_own(double *y) {
  enum { PARTS = 8 };
  for (int i = 0; i < PARTS; i++) {
    multiply_rows(&blocks[me], own_n * i / PARTS, own_n * (i + 1) / PARTS, y);
    if (overlap && units > 1) cg_share_progress();
  }
}

static void wait_for(int unit) {
  const double since = study_now();
  cg_share_wait(unit);
  exchange_s += study_now() - since;
}

/* y = A p. With overlap the parts of other units are waited for one by one, each when it is needed. */
static void product(double *y) {
  const double since = study_now();
  cg_share_start();
  exchange_s += study_now() - since;
  for (int i = 1; i < units && !overlap; i++) wait_for((me + i) % units);
  memset(y, 0, (size_t)own_n * sizeof *y);
  multiply_own(y);
  for (int i = 1; i < units; i++) {
    const int unit = (me + i) % units;
    if (overlap) wait_for(unit);
    multiply(unit, y);
  }
  const double then = study_now();
  cg_share_finish();
  exchange_s += study_now() - then;
}

/* ---- The method ---- */

static double dot(const double *a, const double *b) {
  double sum = 0;
  for (long i = 0; i < own_n; i++) sum += a[i] * b[i];
  return sum;
}

static void sum_all(double *sums, int n) {
  const double since = study_now();
  cg_sum(sums, n);
  sum_s += study_now() - since;
}

static double dot_all(const double *a, const double *b) {
  double sum = dot(a, b);
  sum_all(&sum, 1);
  return sum;
}

/* Solves A z = x. Returns the norm of the residual. */
static double solve(void) {
  for (long i = 0; i < own_n; i++) z[i] = 0, p[i] = r[i] = x[i];
  double rho = dot_all(r, r);
  for (int k = 0; k < SOLVER_ITERATIONS; k++) {
    product(q);
    const double alpha = rho / dot_all(p, q);
    for (long i = 0; i < own_n; i++) z[i] += alpha * p[i], r[i] -= alpha * q[i];
    const double previous = rho;
    rho = dot_all(r, r);
    const double beta = rho / previous;
    for (long i = 0; i < own_n; i++) p[i] = r[i] + beta * p[i];
  }
  memcpy(p, z, (size_t)own_n * sizeof *p);
  product(q);
  for (long i = 0; i < own_n; i++) r[i] = x[i] - q[i];
  return sqrt(dot_all(r, r));
}

/* Returns the estimate of the eigenvalue, moved by the shift. */
static double iterate(int iterations, double shift) {
  double zeta = 0;
  for (long i = 0; i < own_n; i++) x[i] = 1;
  for (int k = 0; k < iterations; k++) {
    solve();
    double sums[2] = {dot(x, z), dot(z, z)};
    sum_all(sums, 2);
    zeta = shift + 1 / sums[0];
    const double scale = 1 / sqrt(sums[1]);
    for (long i = 0; i < own_n; i++) x[i] = scale * z[i];
  }
  return zeta;
}

/* ---- The benchmark ---- */

typedef struct {
  double zeta, whole, exchange, sum, compute; /* seconds: until all units have ended, then means of the units */
} result;

static result timed(int iterations, double shift) {
  result t;
  cg_barrier();
  exchange_s = sum_s = 0;
  const double since = study_now();
  t.zeta = iterate(iterations, shift);
  double means[3] = {exchange_s / units, sum_s / units, (study_now() - since - exchange_s - sum_s) / units};
  cg_barrier();
  t.whole = study_now() - since;
  cg_sum(means, 3);
  t.exchange = means[0], t.sum = means[1], t.compute = means[2];
  return t;
}

bool cg_can_run(const char *program, const nas_options *options, int unit, int n) {
  if (n <= classes[options->size].rows) return true;
  if (unit == 0) fprintf(stderr, "%s: %d units are too many for class %c\n", program, n, NAS_CLASSES[options->size]);
  return false;
}

static double *vector(void) { return nas_private((size_t)own_n, sizeof(double)); }

static void set_up(const nas_options *options, int unit, int n) {
  me = unit, units = n, overlap = options->overlap;
  const int size = options->size, rows = classes[size].rows;
  first = nas_private((size_t)units + 1, sizeof *first);
  for (int i = 0; i <= units; i++) first[i] = (long)rows * i / units;
  own_n = first[me + 1] - first[me];
  blocks = nas_private((size_t)units, sizeof *blocks);
  cg_make_matrix(blocks, rows, classes[size].nonzeros, classes[size].shift, first, me, units);
  copy = cg_copy(first), p = copy + first[me];
  x = vector(), z = vector(), r = vector(), q = vector();
}

static void report(int size, long rounds, const result *results) {
  double whole[NAS_ROUNDS_MAX], exchange[NAS_ROUNDS_MAX], sum[NAS_ROUNDS_MAX], compute[NAS_ROUNDS_MAX];
  for (long i = 0; i < rounds; i++) {
    whole[i] = results[i].whole, exchange[i] = results[i].exchange;
    sum[i] = results[i].sum, compute[i] = results[i].compute;
  }
  nas_row("cg", size, "whole", units, rounds, whole);
  if (units > 1) nas_row("cg", size, "exchange", units, rounds, exchange);
  if (units > 1) nas_row("cg", size, "reduce", units, rounds, sum);
  nas_row("cg", size, "compute", units, rounds, compute);
}

bool cg_run(const nas_options *options, int unit, int n) {
  const int size = options->size;
  result results[NAS_ROUNDS_MAX];
  set_up(options, unit, n);
  timed(1, classes[size].shift); /* warms up */
  bool right = true;
  for (long i = 0; i < options->rounds; i++) {
    results[i] = timed(classes[size].iterations, classes[size].shift);
    right &= nas_is_right(me == 0, "CG's zeta", size, results[i].zeta, classes[size].zeta, 1e-10);
  }
  if (me == 0 && right) report(size, options->rounds, results);
  cg_free_matrix(blocks, units);
  free(blocks), free(first), free(x), free(z), free(r), free(q);
  return right;
}
