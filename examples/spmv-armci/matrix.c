/* matrix: entries in any order, and sorted into rows. */
#include <stdlib.h>

#include "matrix.h"

static bool add_one(entries *e, int row, int column, double value)
{
  if (e->n == e->room) {
    const long room = e->room ? 2 * e->room : 1024;
    struct entry *grown = realloc(e->entry, (size_t)room * sizeof *grown);
    if (!grown) return false;
    e->entry = grown;
    e->room = room;
  }
  e->entry[e->n++] = (struct entry){row, column, value};
  return true;
}

bool entries_add(entries *e, int row, int column, double value, symmetry kind)
{
  if (!add_one(e, row, column, value)) return false;
  if (kind == GENERAL || row == column) return true;
  return add_one(e, column, row, kind == SKEW ? -value : value);
}

bool matrix_make(int rows, int columns, long n, matrix *out)
{
  *out = (matrix){rows, columns, calloc((size_t)rows + 1, sizeof(long)), malloc((size_t)(n + 1) * sizeof(int)),
                  malloc((size_t)(n + 1) * sizeof(double))};
  if (out->start && out->column && out->value) return true;
  matrix_free(out);
  return false;
}

void matrix_free(matrix *m)
{
  free(m->start);
  free(m->column);
  free(m->value);
  *m = (matrix){0};
}

bool matrix_from_entries(const entries *e, matrix *out)
{
  if (!matrix_make(e->rows, e->columns, e->n, out)) return false;
  long *start = out->start;
  for (long k = 0; k < e->n; k++) start[e->entry[k].row + 1]++;
  for (int i = 0; i < e->rows; i++) start[i + 1] += start[i];

  for (long k = 0; k < e->n; k++) { /* start[i] moves from the first entry of row i to the place after its last */
    const long at = start[e->entry[k].row]++;
    out->column[at] = e->entry[k].column;
    out->value[at] = e->entry[k].value;
  }
  for (int i = e->rows; i > 0; i--) start[i] = start[i - 1];
  start[0] = 0;
  return true;
}

void matrix_multiply(const matrix *m, const double *x, double *y)
{
  const long origin = m->start[0];
  for (int i = 0; i < m->rows; i++) {
    double sum = 0.0;
    for (long k = m->start[i] - origin; k < m->start[i + 1] - origin; k++) sum += m->value[k] * x[m->column[k]];
    y[i] = sum;
  }
}
