/* The kernel Transpose of the Parallel Research Kernels: for a matrix A of order N, whose columns are spread over the
 * PEs, each round adds the transpose of A to B, and then 1 to every element of A.
 *
 * A PE sends each of the others a block, transposed tile by tile, as a put with signal. Two buffers and two contexts
 * are used in turns: a quiet on one context says that its buffer may be filled again, while the other's put is under
 * way. */
#ifndef BENCH_SHMEM_TRANSPOSE_H
#define BENCH_SHMEM_TRANSPOSE_H

#include "bench.h"

enum { TILE = 32 };

static int me, pes;
static long order = 1024, rounds = 10;

/* Element (i, j) of A is a[(j - me * width) * order + i], on the PE that has column j. All arrays are symmetric. */
static long width; /* columns of a PE */
static double *a, *b, *arrived;
static uint64_t *arrived_set; /* one for each PE: the number of the last round whose block is in `arrived` */
static double *leaving[2];
static shmem_ctx_t context[2];

/* The element at the start. */
static double first_value(long i, long j) { return (double)(order * j + i); }

static void open_matrix(void) {
  order = (order + pes - 1) / pes * pes;
  width = order / pes;
  const size_t n = (size_t)(order * width);
  a = symmetric_memory(n, sizeof *a);
  b = symmetric_memory(n, sizeof *b);
  arrived = symmetric_memory(n, sizeof *arrived);
  arrived_set = symmetric_memory((size_t)pes, sizeof *arrived_set);
  for (int k = 0; k < 2; k++) {
    leaving[k] = symmetric_memory((size_t)(width * width), sizeof *leaving[k]);
    require(shmem_ctx_create(0, &context[k]) == 0, "shmem_ctx_create");
  }
  for (long j = 0; j < width; j++) {
    for (long i = 0; i < order; i++) a[j * order + i] = first_value(i, me * width + j);
  }
  shmem_barrier_all();
}

static void close_matrix(void) {
  for (int k = 1; k >= 0; k--) {
    shmem_ctx_destroy(context[k]);
    shmem_free(leaving[k]);
  }
  shmem_free(arrived_set);
  shmem_free(arrived);
  shmem_free(b);
  shmem_free(a);
}

/* block = the transpose of the rows of A that are PE `pe`'s columns of B. */
static void transpose_block(double *block, int pe) {
  const double *rows = a + pe * width;
  for (long jj = 0; jj < width; jj += TILE) {
    for (long ii = 0; ii < width; ii += TILE) {
      for (long j = jj; j < smaller(jj + TILE, width); j++) {
        for (long i = ii; i < smaller(ii + TILE, width); i++) block[i * width + j] = rows[j * order + i];
      }
    }
  }
}

/* Adds a block that PE `pe` made to its rows of B. */
static void add_block(const double *block, int pe) {
  for (long j = 0; j < width; j++) {
    for (long i = 0; i < width; i++) b[j * order + pe * width + i] += block[j * width + i];
  }
}

static void transpose_round(uint64_t round) {
  const long n = width * width;
  for (int phase = 0; phase < pes; phase++) {
    const int to = (me + phase) % pes, from = (me + pes - phase) % pes;
    double *block = leaving[phase % 2];
    shmem_ctx_quiet(context[phase % 2]);
    transpose_block(block, to);
    if (phase == 0) {
      add_block(block, me);
      continue;
    }
    shmem_ctx_double_put_signal_nbi(context[phase % 2], arrived + me * n, block, (size_t)n, &arrived_set[me], round,
                                    SHMEM_SIGNAL_SET, to);
    shmem_signal_wait_until(&arrived_set[from], SHMEM_CMP_GE, round);
    add_block(arrived + from * n, from);
  }
  for (long k = 0; k < order * width; k++) a[k] += 1;
  shmem_sync_all(); /* all have added what has arrived: it may be overwritten */
}

/* An element of B from the one of A at the start: the sum of what A was in all rounds. */
static double expected_from(double value) {
  return (double)(rounds + 1) * value + 0.5 * (double)(rounds + 1) * (double)rounds;
}

/* A and B are read and written in each round. */
static double megabytes(void) { return 2e-6 * sizeof *a * (double)order * (double)order * (double)rounds; }

static bool read_transpose_options(const char *program, int argc, char **argv) {
  const struct option options[] = {{"order", pes, 1000000, &order}, {"rounds", 1, 1000000, &rounds}};
  return read_options(program, argc, argv, 2, options);
}

#endif
