/* generate: a matrix from a seed, to measure sizes for which there is no file. */
#include <stdint.h>

#include "matrix.h"

/* Pseudo-random numbers: a counter with a large odd step, with its bits mixed. */
static uint64_t next(uint64_t *state)
{
  uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
  return bits ^ bits >> 31;
}

/* Returns the k-th of n distinct numbers: one from each of `n` equal parts of 0 .. span-1. */
static int pick(uint64_t *state, int k, int n, int span)
{
  const int first = (int)((long)k * span / n), behind = (int)((long)(k + 1) * span / n);
  return first + (int)(next(state) % (uint64_t)(behind - first));
}

/* Chooses the columns of a row with `n` entries, all different. */
static void choose_columns(uint64_t *state, int row, int rows, int n, int *column)
{
  int far = n / 10, near = n - far;
  int band = rows / 4 < near ? rows : 4 * near;
  if (rows - band < far) { /* no room outside the band */
    near = n, far = 0;
    band = rows / 4 < near ? rows : 4 * near;
  }
  int first = row - band / 2;
  first = first < 0 ? 0 : first > rows - band ? rows - band : first;
  for (int k = 0; k < near; k++) column[k] = first + pick(state, k, near, band);
  for (int k = 0; k < far; k++) {
    const int outside = pick(state, k, far, rows - band);
    column[near + k] = outside < first ? outside : outside + band;
  }
}

bool matrix_generate(int rows, long n, unsigned long seed, matrix *out)
{
  uint64_t state = seed;
  if (!matrix_make(rows, rows, n, out)) return false;
  for (int row = 0; row < rows; row++) {
    const long at = out->start[row];
    const int row_n = (int)(n / rows + (row < n % rows));
    out->start[row + 1] = at + row_n;
    choose_columns(&state, row, rows, row_n, out->column + at);
    for (int k = 0; k < row_n; k++) out->value[at + k] = (double)(next(&state) >> 11) * 0x1p-52 - 1.0;
  }
  return true;
}
