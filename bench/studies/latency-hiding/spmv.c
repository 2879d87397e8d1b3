#include "spmv.h"

#include <math.h>
#include <string.h>

#include "../../../examples/spmv-armci/input.c"
#include "../../../examples/spmv-armci/generate.c"
#include "../../../examples/spmv-armci/matrix.c"
#include "../../../examples/spmv-armci/matrix_market.c"
#include "../../../examples/spmv-armci/harwell_boeing.c"

#include "../options.h"
#include "../rows.h"

enum { REPEAT_MAX = 999, WAYS_MAX = 8 };

static void require_memory(bool made, size_t n, size_t bytes) {
  if (made) return;
  fprintf(stderr, "spmv: no memory for %zu times %zu bytes\n", n, bytes);
  exit(1);
}

void *spmv_memory(size_t n, size_t bytes) {
  void *made = calloc(n ? n : 1, bytes);
  require_memory(made, n, bytes);
  return made;
}

/* ---- what a rank needs ---- */

spmv_needs spmv_find_needs(const spmv_block *b) {
  char *needed = spmv_memory((size_t)b->columns, 1);
  spmv_needs n = {0, spmv_memory((size_t)b->columns, sizeof(int)), spmv_memory((size_t)b->ranks + 1, sizeof(int))};
  for (long k = 0; k < matrix_entries(&b->part); k++) needed[b->part.column[k]] = 1;
  for (int rank = 0; rank < b->ranks; rank++) {
    n.from[rank] = n.n;
    for (int j = share_first(b->columns, rank, b->ranks); j < share_first(b->columns, rank + 1, b->ranks); j++)
      if (needed[j]) n.column[n.n++] = j;
  }
  n.from[b->ranks] = n.n;
  free(needed);
  return n;
}

void spmv_free_needs(spmv_needs *n) {
  free(n->column);
  free(n->from);
}

/* ---- the product: the entries of own columns, and those of other ranks' columns ---- */

typedef struct {
  matrix own;    /* columns count from the first one of the caller's x */
  matrix others; /* columns are places among the needed elements */
} halves;

static void halve(const spmv_block *b, const spmv_needs *needs, halves *h) {
  const matrix *m = &b->part;
  const int first = share_first(b->columns, b->rank, b->ranks), behind = share_first(b->columns, b->rank + 1, b->ranks);
  int *place = spmv_memory((size_t)b->columns, sizeof *place);
  for (int k = 0; k < needs->n; k++) place[needs->column[k]] = k;
  const long n = matrix_entries(m);
  require_memory(matrix_make(m->rows, m->columns, n, &h->own) && matrix_make(m->rows, m->columns, n, &h->others), (size_t)n,
                 sizeof(int) + sizeof(double));
  for (int i = 0; i < m->rows; i++) {
    long own = h->own.start[i], others = h->others.start[i];
    for (long k = m->start[i] - m->start[0]; k < m->start[i + 1] - m->start[0]; k++) {
      const int j = m->column[k];
      const bool is_own = j >= first && j < behind;
      const matrix *to = is_own ? &h->own : &h->others;
      const long at = is_own ? own++ : others++;
      to->column[at] = is_own ? j - first : place[j];
      to->value[at] = m->value[k];
    }
    h->own.start[i + 1] = own;
    h->others.start[i + 1] = others;
  }
  free(place);
}

static void add_product(const matrix *m, const double *x, double *y) {
  for (int i = 0; i < m->rows; i++) {
    double total = y[i];
    for (long k = m->start[i]; k < m->start[i + 1]; k++) total += m->value[k] * x[m->column[k]];
    y[i] = total;
  }
}

/* ---- checks ---- */

static double x_of(int column, int number) { return 1.0 + (double)((column + 7L * number) % 1009) / 1009.0; }

/* y, and for each of its elements the difference that another order of the sum may make. */
static void expect(const matrix *m, const double *x, double *y, double *allowed) {
  for (int i = 0; i < m->rows; i++) {
    double total = 0, size = 0;
    for (long k = m->start[i] - m->start[0]; k < m->start[i + 1] - m->start[0]; k++) {
      const double term = m->value[k] * x[m->column[k]];
      total += term;
      size += fabs(term);
    }
    y[i] = total;
    allowed[i] = 1e-13 * size;
  }
}

/* ---- measuring ---- */

typedef struct {
  const spmv_version *v;
  const char *ways; /* those that are measured */
  spmv_block b;
  halves halves;
  double *x, *y, *expected, *allowed; /* of one product; x is the whole vector */
  double *product_us[WAYS_MAX], *fetch_us[WAYS_MAX];
  double wrong; /* 1 after a wrong result */
} measurement;

/* The part of a name after the dot is what --ways calls it. */
static const char *name_of(const spmv_way *w) { return strchr(w->work, '.') + 1; }
static bool is_wanted(const measurement *m, int way) { return option_has(m->ways, name_of(&m->v->ways[way])); }

static void multiply(measurement *m, const spmv_way *w, double *product_us, double *fetch_us) {
  m->v->barrier();
  const double start = study_now();
  w->start();
  if (w->overlaps) matrix_multiply(&m->halves.own, m->b.x, m->y);
  if (w->finish) w->finish();
  *fetch_us = 1e6 * (study_now() - start);
  if (!w->overlaps) matrix_multiply(&m->halves.own, m->b.x, m->y);
  add_product(&m->halves.others, m->b.fetched, m->y);
  m->v->barrier();
  *product_us = 1e6 * (study_now() - start);
}

static void check(measurement *m, const spmv_way *w) {
  for (int i = 0; i < m->b.part.rows; i++)
    if (!(fabs(m->y[i] - m->expected[i]) <= m->allowed[i])) {
      if (m->wrong == 0) fprintf(stderr, "wrong result: %s: rank %d, row %d of its block\n", w->work, m->v->rank, i);
      m->wrong = 1;
    }
}

/* One product in each way. Number 0 is not counted, because the first use of everything takes longer. */
static void multiply_all(measurement *m, const spmv_needs *needs, int number) {
  const spmv_block *b = &m->b;
  const int first = share_first(b->columns, b->rank, b->ranks), behind = share_first(b->columns, b->rank + 1, b->ranks);
  for (int j = 0; j < b->columns; j++) m->x[j] = x_of(j, number);
  for (int j = first; j < behind; j++) b->x[j - first] = m->x[j]; /* no unit reads it: a barrier ended the product before */
  expect(&b->part, m->x, m->expected, m->allowed);
  for (int w = 0; w < m->v->ways_n; w++) {
    const int at = number > 0 ? number - 1 : 0;
    if (!is_wanted(m, w)) continue;
    for (int k = 0; k < needs->n; k++) b->fetched[k] = NAN; /* so that an element that does not come is found */
    multiply(m, &m->v->ways[w], &m->product_us[w][at], &m->fetch_us[w][at]);
    check(m, &m->v->ways[w]);
  }
}

static void report(measurement *m, int repeat) {
  for (int w = 0; w < m->v->ways_n; w++) {
    const spmv_way *way = &m->v->ways[w];
    if (!is_wanted(m, w)) continue;
    m->v->most(m->product_us[w], repeat);
    m->v->most(m->fetch_us[w], repeat);
    if (m->v->rank != 0) continue;
    study_row(way->work, "product", 0, m->v->ranks, "us", repeat, m->product_us[w]);
    if (!way->overlaps) study_row(way->work, "fetch", 0, m->v->ranks, "us", repeat, m->fetch_us[w]);
  }
}

static bool measure(const spmv_version *v, const matrix *whole, const char *ways, int repeat) {
  measurement m = {.v = v, .ways = ways, .b = {.rank = v->rank, .ranks = v->ranks}};
  v->distribute(whole, &m.b);
  spmv_needs needs = spmv_find_needs(&m.b);
  halve(&m.b, &needs, &m.halves);
  v->prepare(&m.b, &needs);
  const size_t rows = (size_t)m.b.part.rows;
  m.x = spmv_memory((size_t)m.b.columns, sizeof *m.x);
  m.y = spmv_memory(3 * rows, sizeof *m.y);
  m.expected = m.y + rows, m.allowed = m.expected + rows;
  for (int w = 0; w < v->ways_n; w++) {
    m.product_us[w] = spmv_memory(2 * (size_t)repeat, sizeof(double));
    m.fetch_us[w] = m.product_us[w] + repeat;
  }
  for (int number = 0; number <= repeat; number++) multiply_all(&m, &needs, number);
  v->most(&m.wrong, 1);
  if (m.wrong == 0) report(&m, repeat);
  for (int w = 0; w < v->ways_n; w++) free(m.product_us[w]);
  free(m.x);
  free(m.y);
  v->release(&m.b);
  matrix_free(&m.halves.own);
  matrix_free(&m.halves.others);
  spmv_free_needs(&needs);
  return m.wrong == 0;
}

/* ---- the program ---- */

int spmv(int argc, char **argv, const spmv_version *v) {
  long rows = 41092, nonzeros = 1683902, seed = 1, repeat = 10;
  const char *file = NULL, *ways = "single,nonblocking,aggregated,vector,overlapped", *known[WAYS_MAX];
  const struct option options[] = {{"matrix", 0, 0, NULL, NULL, &file}, /* a file; otherwise one is generated */
                                   {"rows", 1, ROWS_MAX, &rows, NULL, NULL},
                                   {"nonzeros", 0, ENTRIES_MAX, &nonzeros, NULL, NULL},
                                   {"seed", 0, 1L << 62, &seed, NULL, NULL},
                                   {"ways", 0, 0, NULL, NULL, &ways},
                                   {"repeat", 1, REPEAT_MAX, &repeat, NULL, NULL}};
  for (int w = 0; w < v->ways_n; w++) known[w] = name_of(&v->ways[w]);
  if (!option_read("spmv", argc, argv, v->rank == 0, sizeof options / sizeof *options, options) ||
      !option_known("spmv", ways, v->rank == 0, v->ways_n, known))
    return WRONG_OPTIONS;
  if (!file && nonzeros / rows > rows - (nonzeros % rows != 0)) {
    if (v->rank == 0) fprintf(stderr, "spmv: --nonzeros %ld: a matrix of %ld rows has no room for them\n", nonzeros, rows);
    return WRONG_OPTIONS;
  }
  matrix whole = {0};
  double failed = 0;
  if (v->rank == 0 && file) failed = !input_read(file, &whole);
  if (v->rank == 0 && !file) failed = !matrix_generate((int)rows, nonzeros, (unsigned long)seed, &whole);
  v->most(&failed, 1);
  const bool good = failed == 0 && measure(v, &whole, ways, (int)repeat);
  matrix_free(&whole);
  return good ? 0 : failed != 0 ? WRONG_OPTIONS : 1;
}
