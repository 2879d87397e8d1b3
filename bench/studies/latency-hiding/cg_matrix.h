/* The matrix of CG: A = sum of w[i] x[i] x[i]^T + (0.1 - shift) I, with sparse random vectors x[i]. The weights fall from 1 to
 * 0.1. */
#ifndef BENCH_STUDIES_CG_MATRIX_H
#define BENCH_STUDIES_CG_MATRIX_H

#include "cg.h"

enum { CG_NONZEROS_MAX = 14 /* of one vector, in class B */ };

/* Some rows of the matrix, and of these the columns that one unit has the vector's elements of. Row i has elements start[i] up to
 * start[i + 1] - 1. */
typedef struct {
  long *start;
  int *column;
  double *value;
  long n, room; /* elements so far, and those that there is memory for */
} cg_block;

typedef struct {
  int n, column[CG_NONZEROS_MAX];
  double value[CG_NONZEROS_MAX];
} cg_vector;

/* ---- The random vectors, the same on every unit ---- */

static inline bool cg_has(const cg_vector *x, int column, int *at) {
  for (*at = 0; *at < x->n; ++*at)
    if (x->column[*at] == column) return true;
  return false;
}

/* Some elements at random places: the value comes first, then the place, which is drawn from a power of two, and again if there
 * is no such place or an element is there already. Element i is then 0.5. */
static inline void cg_draw_vector(cg_vector *x, int i, int nonzeros, int rows, uint64_t *random) {
  int places = 1, at;
  while (places < rows) places *= 2;
  for (x->n = 0; x->n < nonzeros;) {
    const double value = nas_random(random);
    const int column = (int)(places * nas_random(random));
    if (column >= rows || cg_has(x, column, &at)) continue;
    x->column[x->n] = column, x->value[x->n++] = value;
  }
  if (!cg_has(x, i, &at)) x->column[x->n++] = i;
  x->value[at] = 0.5;
}

/* ---- Rows ---- */

/* For each of the own rows: which vectors have an element there. */
typedef struct {
  long *start;
  int *vector;
} cg_index;

static inline cg_index cg_index_vectors(const cg_vector *x, int rows, long first, long end) {
  cg_index index = {nas_private((size_t)(end - first) + 2, sizeof(long)), NULL};
  long *next = index.start + 1; /* next[r]: the place for the next vector of row r, and when all are there the end of the row */
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < x[i].n; k++)
      if (x[i].column[k] >= first && x[i].column[k] < end) next[x[i].column[k] - first + 1]++;
  for (long r = 0; r < end - first; r++) next[r + 1] += next[r];
  index.vector = nas_private((size_t)next[end - first], sizeof(int));
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < x[i].n; k++)
      if (x[i].column[k] >= first && x[i].column[k] < end) index.vector[next[x[i].column[k] - first]++] = i;
  return index;
}

static inline int cg_by_column(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static inline void cg_append(cg_block *b, int column, double value) {
  if (b->n == b->room) {
    b->room = 2 * b->room + 4096;
    b->column = realloc(b->column, (size_t)b->room * sizeof *b->column);
    b->value = realloc(b->value, (size_t)b->room * sizeof *b->value);
    if (!b->column || !b->value) abort();
  }
  b->column[b->n] = column, b->value[b->n++] = value;
}

/* A row that is being added up: the sums of all columns, and those columns that have one. */
typedef struct {
  double *sum;
  bool *has;
  int *columns, n;
} cg_row;

static inline void cg_add_vector(cg_row *row, const cg_vector *x, double factor) {
  for (int k = 0; k < x->n; k++) {
    const int column = x->column[k];
    if (!row->has[column]) row->has[column] = true, row->columns[row->n++] = column;
    row->sum[column] += factor * x->value[k];
  }
}

/* Appends the row to the blocks of the units that have its columns, and clears it. */
static inline void cg_store_row(cg_row *row, cg_block *blocks, const long *first) {
  qsort(row->columns, (size_t)row->n, sizeof *row->columns, cg_by_column);
  for (int k = 0, unit = 0; k < row->n; k++) {
    const int column = row->columns[k];
    while (column >= first[unit + 1]) unit++;
    cg_append(&blocks[unit], column, row->sum[column]);
    row->sum[column] = 0, row->has[column] = false;
  }
  row->n = 0;
}

/* Makes the own rows, in one block per unit. */
static inline void cg_make_rows(cg_block *blocks, const cg_vector *x, int rows, double shift, const long *first, int unit,
                                int units) {
  const long own_n = first[unit + 1] - first[unit];
  const cg_index index = cg_index_vectors(x, rows, first[unit], first[unit + 1]);
  cg_row row = {nas_private((size_t)rows, sizeof(double)), nas_private((size_t)rows, sizeof(bool)),
                nas_private((size_t)rows, sizeof(int)), 0};
  for (int i = 0; i < units; i++) blocks[i].start = nas_private((size_t)own_n + 1, sizeof(long));
  for (long r = 0; r < own_n; r++) {
    const int own = (int)(first[unit] + r);
    for (long k = index.start[r]; k < index.start[r + 1]; k++) {
      const int i = index.vector[k];
      int at;
      cg_has(&x[i], own, &at);
      cg_add_vector(&row, &x[i], pow(0.1, (double)i / rows) * x[i].value[at]);
    }
    row.sum[own] += 0.1 - shift;
    cg_store_row(&row, blocks, first);
    for (int i = 0; i < units; i++) blocks[i].start[r + 1] = blocks[i].n;
  }
  free(row.sum), free(row.has), free(row.columns), free(index.start), free(index.vector);
}

/* Each vector is drawn with numbers that follow those of the previous one. The benchmark leaves out the first number of all. */
static inline void cg_make_matrix(cg_block *blocks, int rows, int nonzeros, double shift, const long *first, int unit,
                                  int units) {
  cg_vector *x = nas_private((size_t)rows, sizeof *x);
  uint64_t random = NAS_SEED;
  nas_random(&random);
  for (int i = 0; i < rows; i++) cg_draw_vector(&x[i], i, nonzeros, rows, &random);
  cg_make_rows(blocks, x, rows, shift, first, unit, units);
  free(x);
}

static inline void cg_free_matrix(cg_block *blocks, int units) {
  for (int i = 0; i < units; i++) free(blocks[i].start), free(blocks[i].column), free(blocks[i].value);
}

#endif
