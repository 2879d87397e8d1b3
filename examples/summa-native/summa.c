/* summa-native: the product C = A B of N x N matrices. The units form a grid, and each owns a block of each matrix.
 *
 * The product is a sum over panels: some columns of A times the same rows of B. For each panel a unit needs a part of
 * A from a unit in its row of the grid, and a part of B from a unit in its column. It gets the parts of the next panel
 * while it multiplies those of the present one. The program of an owner takes no part in these transfers, as it would
 * in a broadcast: each unit starts with another panel and goes at its own pace, and the product needs no barrier.
 *
 * Usage: summa-native [N] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera.h>
#include <tessera/memory.h>

#include "../arguments.h"
#include "../clock.h"
#include "../random.h"

enum { N_MAX = 16384, WIDTH_MAX = 128, ROWS_BETWEEN_TESTS = 16, REAL = sizeof(double) };

static long me, units, grid_rows = 1, grid_cols, my_row, my_col; /* unit = row * grid_cols + column */
static long n = 200, size;      /* rows and columns: wanted, and stored; those from n on contain zeros */
static long rows, cols;         /* of a block: the same for all */
static long panels, width;      /* columns of A, or rows of B, in a panel */
static tessera_memory_t blocks; /* each unit's blocks of A and B, row by row */
static double *a, *b, *c;       /* the caller's blocks; the one of C is private */

/* The library has printed the error. */
static void require(tessera_status_t status) { if (status != TESSERA_OK) exit(EXIT_FAILURE); }

static double *zeros(long elements)
{
  double *p = calloc((size_t)elements, REAL);
  if (!p) abort();
  return p;
}

typedef struct {
  double *a, *b; /* the caller's parts of a panel: rows x width elements, and width x cols elements */
  tessera_request_t requests[2];
} panel;

/* Starts to get lines of `length` elements from a unit's blocks, beginning with element `first`. */
static void get(double *to, long unit, long first, long lines, long length, tessera_request_t *request)
{
  const tessera_address_t from = tessera_address(blocks, (int32_t)unit, (uint64_t)(first * REAL));
  const size_t count = (size_t)lines;
  const ptrdiff_t there = cols * REAL, here = length * REAL; /* bytes from one line to the next */
  require(tessera_get_blocks_nb(to, from, &(tessera_blocks_t){(size_t)here, 1, &count, &there, &here}, request));
}

static void fetch(panel *p, long number)
{
  const long at = number * width;
  get(p->a, my_row * grid_cols + at / cols, at % cols, rows, width, &p->requests[0]);
  get(p->b, at / rows * grid_cols + my_col, (rows + at % rows) * cols, width, cols, &p->requests[1]);
}

/* Adds a panel's product to C. Now and then it tests the gets of the next panel, so that they make progress. */
static void multiply(const panel *p, panel *next)
{
  bool complete;
  for (long i = 0; i < rows; i++) {
    double *restrict sums = c + i * cols;
    for (long k = 0; k < width; k++) {
      const double factor = p->a[i * width + k], *line = p->b + k * cols;
      for (long j = 0; j < cols; j++) sums[j] += factor * line[j];
    }
    for (int r = 0; r < 2 && i % ROWS_BETWEEN_TESTS == 0; r++) require(tessera_test(&next->requests[r], &complete));
  }
}

/* Returns the seconds spent in gets and in waiting for them. The units of a row of the grid start with panels of
 * different columns, and those of a column with panels of different rows, so that they do not all ask one owner. */
static double product(void)
{
  panel buffer[2] = {{zeros(rows * width), zeros(width * cols), {{0}, {0}}},
                     {zeros(rows * width), zeros(width * cols), {{0}, {0}}}};
  const long start = panels / grid_cols * my_col + panels / grid_rows * my_row;
  double since = now(), waited = 0.0;
  fetch(&buffer[0], start % panels);
  for (long step = 0; step < panels; step++) {
    panel *present = &buffer[step % 2], *next = &buffer[1 - step % 2];
    if (step + 1 < panels) fetch(next, (start + step + 1) % panels);
    require(tessera_wait_all(present->requests, 2));
    waited += now() - since;
    multiply(present, next);
    since = now();
  }
  for (int i = 0; i < 2; i++) free(buffer[i].a), free(buffer[i].b);
  return waited;
}

/* Returns a whole number from -2 to 2: no sum of products is rounded, so the order of its terms does not matter. */
static double element(long matrix, long i, long j)
{
  return i < n && j < n ? (double)(random_number((uint64_t)((matrix * N_MAX + i) * N_MAX + j)) % 5) - 2.0 : 0.0;
}

/* Chooses the grid that is closest to a square, and panels that no border between blocks cuts: their number is a
 * multiple of grid_rows and of grid_cols. Allocates and fills the blocks. */
static void make_blocks(void)
{
  for (long i = 1; i * i <= units; i++) grid_rows = units % i ? grid_rows : i;
  grid_cols = units / grid_rows, my_row = me / grid_cols, my_col = me % grid_cols;
  panels = units * ((n - 1) / (units * WIDTH_MAX) + 1), width = (n - 1) / panels + 1, size = panels * width;
  rows = size / grid_rows, cols = size / grid_cols;

  void *mine;
  const size_t bytes = (size_t)(2 * rows * cols * REAL);
  require(tessera_memory_allocate(tessera_team_world(), bytes, &blocks));
  require(tessera_address_pointer(tessera_address(blocks, (int32_t)me, 0), bytes, &mine));
  a = mine, b = a + rows * cols, c = zeros(rows * cols);
  for (long k = 0; k < 2 * rows * cols; k++)
    a[k] = element(k / (rows * cols), my_row * rows + k / cols % rows, my_col * cols + k % cols);
}

static void sum_up(double *x, long elements)
{
  const tessera_reduction_t sum = tessera_builtin(TESSERA_F64, TESSERA_SUM);
  require(tessera_allreduce(tessera_team_world(), TESSERA_IN_PLACE, x, (size_t)elements, sum));
}

/* Stores the product of a matrix and x in y, which contains zeros. Each unit multiplies its block. */
static void apply(const double *block, const double *x, double *y)
{
  for (long k = 0; k < rows * cols; k++) y[my_row * rows + k / cols] += block[k] * x[my_col * cols + k % cols];
  sum_up(y, size);
}

/* Whether C x = A (B x) for one vector x. A wrong C hardly ever passes. */
static bool check(void)
{
  double *x = zeros(4 * size), *bx = x + size, *abx = bx + size, *cx = abx + size;
  for (long j = 0; j < n; j++) x[j] = element(2, 0, j);
  apply(b, x, bx), apply(a, bx, abx), apply(c, x, cx);
  const bool good = memcmp(abx, cx, (size_t)(size * REAL)) == 0;
  free(x);
  return good;
}

int main(int argc, char **argv)
{
  const struct argument wanted[] = {{"N", 1, N_MAX, &n}};
  if (tessera_init(&argc, &argv) != TESSERA_OK) return 1;
  me = tessera_unit(), units = tessera_units();
  if (!read_arguments("summa-native", argc, argv, me == 0, 1, wanted)) return tessera_exit(), WRONG_ARGUMENTS;
  make_blocks();
  require(tessera_barrier(tessera_team_world()));
  const double begun = now();
  double waited = product();
  require(tessera_barrier(tessera_team_world()));
  const double total = now() - begun;
  sum_up(&waited, 1);
  const bool good = check();
  if (me == 0) {
    printf("summa-native: size %ld on %ld x %ld units, panels: %ld\n", n, grid_rows, grid_cols, panels);
    printf("summa-native: %.2f GFlop/s, %.1f %% of the time in gets and waiting for them\n",
           2e-9 * (double)(n * n * n) / total, 100.0 * waited / (total * (double)units));
    printf("summa-native: check %s\n", good ? "passed" : "FAILED");
  }
  free(c);
  require(tessera_memory_free(&blocks));
  require(tessera_exit());
  return good ? 0 : 1;
}
