/* matmul-ga: the product of two distributed matrices on Global Arrays, with dynamic load balance. The product is cut
 * into blocks. Each block is a task; a process that has finished a task takes the next one from a shared counter. It
 * gets the next blocks of both factors while it multiplies the current ones, and puts its block of the product.
 *
 * The factors are chosen such that every element of the product is known, and exact in doubles.
 *
 * Usage: matmul-ga [N [BLOCK]] */
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_DEFAULT = 600, BLOCK_DEFAULT = 64, N_MAX = 20000, BLOCK_MAX = 2000 };

/* ---- The matrices: elements are small whole numbers ---- */

static double element_a(long i, long k) { return (double)(i % 7 + k % 3); }
static double element_b(long k, long j) { return (double)(k % 5 - j % 4); }

/* Returns the sum over k of a(i,k) b(k,j): (x + k%3)(k%5 - y); its parts are the same for all elements. */
static double element_c(long n, long i, long j)
{
  static long n_known, sum_3, sum_5, sum_35;
  if (n_known != n) {
    n_known = n;
    sum_3 = sum_5 = sum_35 = 0;
    for (long k = 0; k < n; k++) sum_3 += k % 3, sum_5 += k % 5, sum_35 += k % 3 * (k % 5);
  }
  const long x = i % 7, y = j % 4;
  return (double)(x * sum_5 - x * y * n + sum_35 - y * sum_3);
}

static int make(const char *name, int n)
{
  int dims[2] = {n, n};
  int matrix = NGA_Create(C_DBL, 2, dims, (char *)name, NULL);
  if (!matrix) GA_Error("matmul-ga: no memory for a matrix", n);
  return matrix;
}

/* Each process fills its own part in place. */
static void fill(int matrix, double (*element)(long, long))
{
  int lo[2], hi[2], ld;
  double *part;
  NGA_Distribution(matrix, GA_Nodeid(), lo, hi);
  if (lo[0] < 0 || hi[0] < lo[0]) return;
  NGA_Access(matrix, lo, hi, &part, &ld);
  for (int i = lo[0]; i <= hi[0]; i++)
    for (int j = lo[1]; j <= hi[1]; j++) part[(long)(i - lo[0]) * ld + (j - lo[1])] = element(i, j);
  NGA_Release_update(matrix, lo, hi);
}

/* Returns the number of wrong elements in the part of this process. */
static long count_wrong(int matrix, int n)
{
  int lo[2], hi[2], ld;
  long wrong = 0;
  double *part;
  NGA_Distribution(matrix, GA_Nodeid(), lo, hi);
  if (lo[0] < 0 || hi[0] < lo[0]) return 0;
  NGA_Access(matrix, lo, hi, &part, &ld);
  for (int i = lo[0]; i <= hi[0]; i++)
    for (int j = lo[1]; j <= hi[1]; j++) wrong += part[(long)(i - lo[0]) * ld + (j - lo[1])] != element_c(n, i, j);
  NGA_Release(matrix, lo, hi);
  return wrong;
}

/* ---- Blocks ---- */

/* The rows and columns of a block, including both ends, and a copy of it. */
typedef struct block {
  int lo[2], hi[2], ld;
  double *values;
  ga_nbhdl_t arriving;
} block;

static double *room(int block_n)
{
  double *values = malloc((size_t)block_n * (size_t)block_n * sizeof *values);
  if (!values) GA_Error("matmul-ga: no memory for a block; pass a smaller one", block_n);
  return values;
}

static void place(block *b, int row, int column, int n, int block_n)
{
  b->lo[0] = row * block_n;
  b->lo[1] = column * block_n;
  for (int d = 0; d < 2; d++) b->hi[d] = b->lo[d] + block_n < n ? b->lo[d] + block_n - 1 : n - 1;
  b->ld = b->hi[1] - b->lo[1] + 1;
}

static void fetch(int matrix, block *b) { NGA_NbGet(matrix, b->lo, b->hi, b->values, &b->ld, &b->arriving); }

/* product += a * b */
static void multiply(block *product, const block *a, const block *b)
{
  const int rows = product->hi[0] - product->lo[0] + 1, columns = product->ld, inner = a->ld;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < inner; k++) {
      const double factor = a->values[i * inner + k];
      for (int j = 0; j < columns; j++) product->values[i * columns + j] += factor * b->values[k * columns + j];
    }
}

/* ---- The product ---- */

typedef struct work {
  int n, block_n, blocks; /* rows, rows of a block, blocks along each side */
  int a, b, product, counter;
  block left[2], right[2], result; /* two of each factor: one arrives while the other is used */
} work;

static void start_fetch(work *w, int row, int column, int k)
{
  place(&w->left[k % 2], row, k, w->n, w->block_n);
  place(&w->right[k % 2], k, column, w->n, w->block_n);
  fetch(w->a, &w->left[k % 2]);
  fetch(w->b, &w->right[k % 2]);
}

static void do_task(work *w, int row, int column)
{
  block *c = &w->result;
  place(c, row, column, w->n, w->block_n);
  for (int i = 0; i < (c->hi[0] - c->lo[0] + 1) * c->ld; i++) c->values[i] = 0;
  start_fetch(w, row, column, 0);
  for (int k = 0; k < w->blocks; k++) {
    NGA_NbWait(&w->left[k % 2].arriving);
    NGA_NbWait(&w->right[k % 2].arriving);
    if (k + 1 < w->blocks) start_fetch(w, row, column, k + 1);
    multiply(c, &w->left[k % 2], &w->right[k % 2]);
  }
  NGA_Put(w->product, c->lo, c->hi, c->values, &c->ld);
}

/* Returns the number of tasks that this process did. */
static long do_tasks(work *w)
{
  int first = 0;
  long done = 0, tasks = (long)w->blocks * w->blocks;
  for (long task; (task = NGA_Read_inc(w->counter, &first, 1)) < tasks; done++)
    do_task(w, (int)(task / w->blocks), (int)(task % w->blocks));
  GA_Sync();
  return done;
}

static void prepare(work *w)
{
  int one = 1;
  w->blocks = (w->n + w->block_n - 1) / w->block_n;
  w->a = make("a", w->n);
  w->b = make("b", w->n);
  w->product = make("product", w->n);
  w->counter = NGA_Create(C_LONG, 1, &one, "counter", NULL);
  if (!w->counter) GA_Error("matmul-ga: no memory for a counter", 1);
  block *blocks[] = {&w->left[0], &w->left[1], &w->right[0], &w->right[1], &w->result};
  for (int i = 0; i < 5; i++) blocks[i]->values = room(w->block_n);
  fill(w->a, element_a);
  fill(w->b, element_b);
  GA_Zero(w->counter);
  GA_Sync();
}

static void drop(work *w)
{
  block *blocks[] = {&w->left[0], &w->left[1], &w->right[0], &w->right[1], &w->result};
  for (int i = 0; i < 5; i++) free(blocks[i]->values);
  GA_Destroy(w->counter);
  GA_Destroy(w->product);
  GA_Destroy(w->b);
  GA_Destroy(w->a);
}

static bool read_number(const char *text, int most, int *number)
{
  char *end;
  long value = strtol(text, &end, 10);
  if (end == text || *end || value < 1 || value > most) return false;
  *number = (int)value;
  return true;
}

static bool read_arguments(int argc, char **argv, work *w)
{
  w->n = N_DEFAULT;
  w->block_n = BLOCK_DEFAULT;
  if (argc > 1 && !read_number(argv[1], N_MAX, &w->n)) return false;
  if (argc > 2 && !read_number(argv[2], BLOCK_MAX, &w->block_n)) return false;
  return argc <= 3;
}

static int run(work *w)
{
  prepare(w);
  double begun = GA_Wtime();
  long done = do_tasks(w), least = done, most = done, wrong;
  double seconds = GA_Wtime() - begun;
  wrong = count_wrong(w->product, w->n);
  GA_Lgop(&wrong, 1, "+");
  GA_Lgop(&least, 1, "min");
  GA_Lgop(&most, 1, "max");
  if (GA_Nodeid() == 0) {
    printf("matmul-ga: %d x %d, tasks: %ld, processes: %d, which did %ld to %ld tasks each\n", w->n, w->n,
           (long)w->blocks * w->blocks, GA_Nnodes(), least, most);
    printf("matmul-ga: %.3f s, %.2f Gflop/s\n", seconds, 2e-9 * w->n * w->n * w->n / seconds);
    printf("matmul-ga: check %s\n", wrong ? "FAILED" : "passed");
  }
  drop(w);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  work w = {0};
  MPI_Init(&argc, &argv);
  GA_Initialize();
  int result = EXIT_FAILURE;
  if (!MA_init(C_DBL, 10000, 10000)) GA_Error("matmul-ga: MA_init failed", 1);
  if (read_arguments(argc, argv, &w)) result = run(&w);
  else if (GA_Nodeid() == 0)
    fprintf(stderr, "usage: matmul-ga [N [BLOCK]]: rows of the matrices, 1 to %d, and of a block, 1 to %d\n", N_MAX, BLOCK_MAX);
  GA_Terminate();
  MPI_Finalize();
  return result;
}
