/* The transposition of a square matrix of ints on Global Arrays, in two ways:
 *   library   GA_Transpose: each process transposes its own block and puts it as one patch.
 *   naive     what a program writes first: get a column, put it as a row. The get reads single elements that lie a row
 *             apart, from all processes that own a part of the column.
 * A third row is GA_Sync, because both ways end with it: with more processes than cores it shows what a process that polls
 * takes from those that have work.
 *
 * The result of each way is compared with the matrix, element by element. Runs on any number of processes.
 *
 * Options: --n rows, --columns that the naive way transposes (0: it is left out), --repeat of each way, --syncs calls of
 * GA_Sync in each of `repeat` batches. */
#include <mpi.h>

#include <ga.h>
#include <macdecls.h>

#include "../rows.h"
#include "../../peers/mpi/end_ga.h"
#include "../options.h"

enum { N_MAX = 32768, REPEAT_MAX = 1000 };

static long n = 6400, columns = N_MAX, repeat = 3, syncs = 20;
static int me, processes, matrix, result;

/* ---- the matrix ---- */

/* No two elements of a matrix of up to 46340 rows are the same. */
static int element(int i, int j) { return i * (int)n + j; }

static int create(char *name) {
  int dims[2] = {(int)n, (int)n};
  const int array = NGA_Create(C_INT, 2, dims, name, NULL);
  if (!array) GA_Error("transpose: no memory for a matrix; pass a smaller --n", (int)n);
  return array;
}

/* Calls `visit` for each element of the caller's block, and returns the sum of what it returns. */
static long visit_own(int array, int (*visit)(int *value, int i, int j)) {
  int lo[2], hi[2], ld[1], *block;
  long sum = 0;
  NGA_Distribution(array, me, lo, hi);
  if (lo[0] < 0 || hi[0] < lo[0]) return 0; /* more processes than blocks */
  NGA_Access(array, lo, hi, &block, ld);
  for (int i = lo[0]; i <= hi[0]; i++)
    for (int j = lo[1]; j <= hi[1]; j++) sum += visit(block + (long)(i - lo[0]) * ld[0] + (j - lo[1]), i, j);
  NGA_Release_update(array, lo, hi);
  return sum;
}

static int set(int *value, int i, int j) {
  *value = element(i, j);
  return 0;
}

static long rows_done; /* of the result; those that follow are still zero */
static int is_wrong(int *value, int i, int j) { return *value != (i < rows_done ? element(j, i) : 0); }

/* ---- the two ways ---- */

static void transpose_library(void) { GA_Transpose(matrix, result); }

static void transpose_naive(void) {
  static int *column;
  if (!column) column = malloc((size_t)n * sizeof *column);
  if (!column) GA_Error("transpose: no memory for a column", (int)n);
  const int first = (int)(columns * me / processes), end = (int)(columns * (me + 1) / processes);
  for (int k = first; k < end; k++) {
    int column_lo[2] = {0, k}, column_hi[2] = {(int)n - 1, k}, column_ld = 1;
    int row_lo[2] = {k, 0}, row_hi[2] = {k, (int)n - 1}, row_ld = (int)n;
    NGA_Get(matrix, column_lo, column_hi, column, &column_ld);
    NGA_Put(result, row_lo, row_hi, column, &row_ld);
  }
  GA_Sync();
}

static void sync_all(void) {
  for (long i = 0; i < syncs; i++) GA_Sync();
}

/* ---- measuring ---- */

/* Fills `samples` with the seconds that the slowest process took for each repetition. */
static void measure(void (*work)(void), double *samples) {
  for (long i = 0; i < repeat; i++) {
    GA_Sync();
    const double begun = study_now();
    work();
    samples[i] = study_now() - begun;
  }
  GA_Dgop(samples, (int)repeat, "max");
}

static void row(const char *work, long bytes, const char *unit, double scale, double *samples) {
  for (long i = 0; i < repeat; i++) samples[i] *= scale;
  if (me == 0) study_row(work, "int", bytes, processes, unit, (int)repeat, samples);
}

/* Transposes the first columns. Returns the number of wrong elements, of all processes. A wrong result gets no row. */
static long run(const char *name, void (*transpose)(void), long columns_n) {
  double samples[REPEAT_MAX];
  rows_done = columns_n;
  GA_Zero(result);
  measure(transpose, samples);
  long wrong = visit_own(result, is_wrong);
  GA_Lgop(&wrong, 1, "+");
  if (!wrong) row(name, columns_n * n * (long)sizeof(int), "ms", 1e3, samples);
  else if (me == 0) fprintf(stderr, "wrong result: %s: %ld of %ld elements\n", name, wrong, n * n);
  return wrong;
}

static int run_all(void) {
  double samples[REPEAT_MAX];
  matrix = create("matrix");
  result = create("result");
  visit_own(matrix, set);
  GA_Sync();
  if (columns > n) columns = n;
  long wrong = run("transpose.library", transpose_library, n);
  if (columns) wrong += run("transpose.naive", transpose_naive, columns);
  if (syncs) {
    measure(sync_all, samples);
    row("transpose.sync", 0, "us", 1e6 / (double)syncs, samples);
  }
  GA_Destroy(result);
  GA_Destroy(matrix);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  const struct option options[] = {{"n", 1, N_MAX, &n, NULL, NULL},
                                   {"columns", 0, N_MAX, &columns, NULL, NULL},
                                   {"repeat", 1, REPEAT_MAX, &repeat, NULL, NULL},
                                   {"syncs", 0, 1000000, &syncs, NULL, NULL}};
  MPI_Init(&argc, &argv);
  GA_Initialize();
  me = GA_Nodeid();
  processes = GA_Nnodes();
  int code = WRONG_OPTIONS;
  if (option_read("transpose", argc, argv, me == 0, sizeof options / sizeof *options, options)) {
    /* GA_Transpose takes a second block from the memory allocator; a block is up to a row and a column longer than its part. */
    const long block = n * n / processes + 4 * n + 4096;
    if (!MA_init(C_INT, block, 4096)) GA_Error("transpose: no memory for MA; pass a smaller --n", (int)n);
    code = run_all();
  }
  end_ga();
  return code;
}
