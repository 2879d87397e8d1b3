/* mandelbrot-shmem: a picture of the Mandelbrot set. Some rows take much longer than others, so each PE takes its next row from a
 * counter on PE 0. It puts a finished row into the picture on PE 0 with a signal, and PE 0 waits for the signals.
 *
 * A PE computes a row while the previous row is being transferred. It has two buffers, each with its own context. Before it fills a
 * buffer, it therefore waits for the transfer from that buffer only.
 *
 * Usage: mandelbrot-shmem [N [ITERATIONS]] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <shmem.h>

#include "../arguments.h"

enum { BUFFERS = 2, N_MAX = 8192, ITERATIONS_MAX = 1000000 };

/* Static variables are symmetric: other PEs can access them. */
static long next_row; /* that of PE 0 is used */
static int good = 1, all_good;

typedef struct {
  long n;            /* rows, and points of a row */
  long iterations;   /* after so many a point counts as one of the set */
  int *points;       /* n * n of them, how many iterations each took; those of PE 0 are the picture */
  uint64_t *arrived; /* a signal for each row: 0, or 1 + the PE that has computed it */
  int me, pes;
} picture;

static int iterations_of(double x, double y, long most)
{
  double a = 0, b = 0;
  int i = 0;
  for (; i < most && a * a + b * b <= 4; i++) {
    const double next = a * a - b * b + x;
    b = 2 * a * b + y;
    a = next;
  }
  return i;
}

static void compute(const picture *p, long row, int *points)
{
  const double step = 2.5 / (double)p->n, y = step * (double)row - 1.25;
  for (long i = 0; i < p->n; i++) points[i] = iterations_of(step * (double)i - 2, y, p->iterations);
}

static void compute_rows(const picture *p, int *buffers[], const shmem_ctx_t contexts[])
{
  long row;
  for (int i = 0; (row = shmem_long_atomic_fetch_inc(&next_row, 0)) < p->n; i = (i + 1) % BUFFERS) {
    shmem_ctx_quiet(contexts[i]); /* the row that was in this buffer has arrived */
    compute(p, row, buffers[i]);
    shmem_ctx_int_put_signal_nbi(contexts[i], p->points + row * p->n, buffers[i], (size_t)p->n, &p->arrived[row],
                                 (uint64_t)p->me + 1, SHMEM_SIGNAL_SET, 0);
  }
}

/* Compares each row, when it has arrived, with the same row as PE 0 computes it. */
static int check(const picture *p, int *row_again)
{
  long inside = 0, wrong = 0;
  for (long row = 0; row < p->n; row++) {
    const int *points = p->points + row * p->n;
    shmem_signal_wait_until(&p->arrived[row], SHMEM_CMP_NE, 0);
    compute(p, row, row_again);
    for (long i = 0; i < p->n; i++) {
      inside += points[i] == p->iterations;
      wrong += points[i] != row_again[i];
    }
  }
  for (int pe = 0; pe < p->pes; pe++) {
    long rows = 0;
    for (long row = 0; row < p->n; row++) rows += p->arrived[row] == (uint64_t)pe + 1;
    printf("mandelbrot-shmem: PE %d has computed %ld row%s\n", pe, rows, rows == 1 ? "" : "s");
  }
  printf("mandelbrot-shmem: %ld of %ld points are in the set\n", inside, p->n * p->n);
  printf("mandelbrot-shmem: check %s\n", wrong ? "FAILED" : "passed");
  return !wrong;
}

static void stop_without_memory(long n)
{
  fprintf(stderr, "mandelbrot-shmem: no memory for N = %ld\n", n);
  shmem_global_exit(1);
}

static void set_up(picture *p, int *buffers[], shmem_ctx_t contexts[])
{
  p->points = shmem_malloc((size_t)(p->n * p->n) * sizeof *p->points);
  p->arrived = shmem_calloc((size_t)p->n, sizeof *p->arrived);
  if (!p->points || !p->arrived) stop_without_memory(p->n);
  for (int i = 0; i < BUFFERS; i++) {
    buffers[i] = malloc((size_t)p->n * sizeof *buffers[i]);
    if (!buffers[i] || shmem_ctx_create(SHMEM_CTX_PRIVATE, &contexts[i])) stop_without_memory(p->n);
  }
}

int main(int argc, char **argv)
{
  shmem_init();
  picture p = {.n = 200, .iterations = 1000, .me = shmem_my_pe(), .pes = shmem_n_pes()};
  const struct argument wanted[] = {{"N", 1, N_MAX, &p.n}, {"ITERATIONS", 1, ITERATIONS_MAX, &p.iterations}};
  if (!read_arguments("mandelbrot-shmem", argc, argv, p.me == 0, 2, wanted)) {
    shmem_finalize();
    return WRONG_ARGUMENTS;
  }
  int *buffers[BUFFERS];
  shmem_ctx_t contexts[BUFFERS];
  set_up(&p, buffers, contexts);

  compute_rows(&p, buffers, contexts);
  for (int i = 0; i < BUFFERS; i++) shmem_ctx_destroy(contexts[i]); /* the last rows have arrived */
  if (p.me == 0) good = check(&p, buffers[0]);
  shmem_int_min_reduce(SHMEM_TEAM_WORLD, &all_good, &good, 1);

  for (int i = 0; i < BUFFERS; i++) free(buffers[i]);
  shmem_free(p.arrived);
  shmem_free(p.points);
  shmem_finalize();
  return all_good ? 0 : 1;
}
