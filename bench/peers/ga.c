/* Global Arrays, measured by the method of tessera-perf. Debian's library is linked twice: with Tessera's ARMCI, and
 * with Debian's, the peer. */
#include "peer.h"

#include <math.h>

#include <mpi.h>

#include <ga.h>
#include <macdecls.h>

#include "mpi/end_ga.h"

enum { SIDE = 16, MA_DOUBLES = 1 << 26 /* address space for a transposition, which needs the unit's part a second time */ };

static bool result_wrong;

static int create(int type, int rows, int columns, int chunk_rows, int chunk_columns) {
  int dims[2] = {rows, columns}, chunk[2] = {chunk_rows, chunk_columns};
  int array = NGA_Create(type, 2, dims, "bench", chunk);
  if (!array) GA_Error("no memory for an array: ask for less with --bytes", rows);
  return array;
}

/* ---- put, get, accumulate ---- */

/* A patch of doubles in one unit's part of an array, and memory of its shape. */
struct patch {
  int array, lo[2], hi[2], ld[1];
  double *local;
};

/* A unit's part is twice as long and wide as the patch, unless the patch is to be contiguous. */
static void open_patch(const struct perf *p, int rows, int columns, struct patch *at) {
  int gap = rows > 1 ? 2 : 1, first[2], last[2];
  at->array = create(C_DBL, p->units * rows * gap, columns * gap, rows * gap, columns * gap);
  GA_Zero(at->array);
  NGA_Distribution(at->array, p->target, first, last);
  for (int d = 0; d < 2; d++) at->lo[d] = first[d];
  at->hi[0] = first[0] + rows - 1;
  at->hi[1] = first[1] + columns - 1;
  at->ld[0] = columns;
  at->local = perf_buffer((size_t)rows * (size_t)columns * sizeof(double));
  for (long i = 0; i < (long)rows * columns; i++) at->local[i] = 1;
  if (at->hi[0] > last[0] || at->hi[1] > last[1]) GA_Error("not distributed as asked: a patch has several owners", rows);
  GA_Sync();
}

static void close_patch(struct patch *at) {
  GA_Sync();
  GA_Destroy(at->array);
  free(at->local);
}

static void put(void *arg, uint64_t n) {
  struct patch *at = arg;
  while (n--) NGA_Put(at->array, at->lo, at->hi, at->local, at->ld);
}

static void get(void *arg, uint64_t n) {
  struct patch *at = arg;
  while (n--) NGA_Get(at->array, at->lo, at->hi, at->local, at->ld);
}

static void acc(void *arg, uint64_t n) {
  struct patch *at = arg;
  double factor = 1;
  while (n--) NGA_Acc(at->array, at->lo, at->hi, at->local, at->ld, &factor);
}

static void transfer(struct perf *p, const struct perf_work *work, const char *variant, int rows, int columns) {
  struct patch at;
  struct perf_result result;
  struct perf_op op = {work->loop, &at, 1, false};
  open_patch(p, rows, columns, &at);
  perf_measure(p, &op, NULL, &result);
  perf_row_copy(p, work->name, variant, (size_t)rows * (size_t)columns * sizeof(double), &result);
  close_patch(&at);
}

/* One row, or about as many rows as columns. */
static void run_transfer(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    size_t n = p->bytes[i] / sizeof(double);
    int rows = 1;
    if (n < 1 || n > INT32_MAX / 4 / (size_t)p->units) continue;
    while ((size_t)rows * (size_t)rows * 4 <= n && n % ((size_t)rows * 2) == 0) rows *= 2;
    transfer(p, work, "row", 1, (int)n);
    if (rows > 1) transfer(p, work, "patch", rows, (int)n / rows);
  }
}

/* ---- the counter ---- */

struct counter {
  int array, at[2];
};

static void read_inc(void *arg, uint64_t n) {
  struct counter *c = arg;
  while (n--) (void)NGA_Read_inc(c->array, c->at, 1);
}

static void count(struct perf *p, const struct perf_work *work, const char *variant, int unit, int takers_n) {
  struct counter c = {.array = create(C_LONG, p->units, 1, 1, 1)};
  struct perf_op op = {read_inc, &c, takers_n, takers_n > 1};
  struct perf_result result;
  int last[2];
  GA_Zero(c.array);
  NGA_Distribution(c.array, unit, c.at, last);
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, variant, sizeof(long), &result);
  if (takers_n > 1) perf_row_rate(p, work->name, variant, sizeof(long), takers_n, &result);
  GA_Destroy(c.array);
}

static void run_read_inc(struct perf *p, const struct perf_work *work) {
  count(p, work, "own", 0, 1);
  count(p, work, "other", p->target, 1);
  count(p, work, "hot", p->target, p->units);
}

/* ---- collective calls ---- */

static void sync_loop(void *arg, uint64_t n) {
  (void)arg;
  while (n--) GA_Sync();
}

static void create_loop(void *arg, uint64_t n) {
  (void)arg;
  while (n--) GA_Destroy(create(C_DBL, SIDE, SIDE, -1, -1));
}

static void run_collective(struct perf *p, const struct perf_work *work) {
  struct perf_result result;
  struct perf_op op = {work->loop, NULL, p->units, false};
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, "plain", work->choice, &result);
}

/* ---- transposition ---- */

struct pair {
  int from, to;
};

static void transpose_loop(void *arg, uint64_t n) {
  const struct pair *arrays = arg;
  while (n--) GA_Transpose(arrays->from, arrays->to);
}

static int value_at(int i, int j) { return i * 5 + j * 3 + 1; }

/* Calls `visit`, which sets or checks, for each element of this unit's part. */
static int visit_own(const struct perf *p, int array, int (*visit)(int *element, int i, int j)) {
  int lo[2], hi[2], ld[1], sum = 0, *part;
  NGA_Distribution(array, p->unit, lo, hi);
  if (lo[0] < 0 || hi[0] < lo[0]) return 0;
  NGA_Access(array, lo, hi, &part, ld);
  for (int i = lo[0]; i <= hi[0]; i++)
    for (int j = lo[1]; j <= hi[1]; j++) sum += visit(part + (size_t)(i - lo[0]) * (size_t)ld[0] + (j - lo[1]), i, j);
  NGA_Release_update(array, lo, hi);
  return sum;
}

static int set(int *element, int i, int j) {
  *element = value_at(i, j);
  return 0;
}

static int differs(int *element, int i, int j) { return *element != value_at(j, i); }

/* A wrong result is printed with the mode "wrong", and the program fails. */
static void print_transposed(struct perf *p, const struct perf_work *work, int side, int wrong,
                             const struct perf_result *result) {
  if (wrong) {
    result_wrong = true;
    p->mode = "wrong";
    if (p->unit == 0) fprintf(stderr, "ga: %d of %d x %d elements are wrong after GA_Transpose\n", wrong, side, side);
  }
  perf_row_time(p, work->name, "int", (size_t)side * (size_t)side * sizeof(int), result);
  p->mode = NULL;
}

static void run_transpose(struct perf *p, const struct perf_work *work) {
  static const size_t usual[] = {4 << 10, 64 << 10, 1 << 20, 4 << 20, 16 << 20};
  const size_t *bytes = p->bytes_given ? p->bytes : usual;
  int bytes_n = p->bytes_given ? p->bytes_n : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < bytes_n; i++) {
    int side = (int)sqrt((double)bytes[i] / sizeof(int));
    if (side < p->units) continue;
    struct pair arrays = {create(C_INT, side, side, -1, -1), create(C_INT, side, side, -1, -1)};
    struct perf_op op = {transpose_loop, &arrays, p->units, false};
    struct perf_result result;
    visit_own(p, arrays.from, set);
    GA_Zero(arrays.to);
    perf_measure(p, &op, NULL, &result);
    int wrong = visit_own(p, arrays.to, differs);
    GA_Igop(&wrong, 1, "+");
    print_transposed(p, work, side, wrong, &result);
    GA_Destroy(arrays.from);
    GA_Destroy(arrays.to);
  }
}

/* ---- the program ---- */

static const struct perf_work works[] = {
    {"ga.put", "NGA_Put of doubles into one unit's part: one row, and a patch", run_transfer, put, 0},
    {"ga.get", "NGA_Get of the same", run_transfer, get, 0},
    {"ga.acc", "NGA_Acc of the same", run_transfer, acc, 0},
    {"ga.read_inc", "NGA_Read_inc of a long", run_read_inc, NULL, 0},
    {"ga.sync", "GA_Sync", run_collective, sync_loop, 0},
    {"ga.create", "NGA_Create and GA_Destroy of 16 x 16 doubles", run_collective, create_loop, SIDE * SIDE * 8},
    {"ga.transpose", "GA_Transpose of a square of ints, as many as --bytes says", run_transpose, NULL, 0},
    {0},
};

static const struct perf_work *const groups[] = {works, NULL};

static void barrier(void) { GA_Sync(); }
static void share(uint64_t *value) { GA_Brdcst(value, sizeof *value, 0); }

int main(int argc, char **argv) {
  struct perf p = {.program = "ga", .barrier = barrier, .share = share};
  MPI_Init(&argc, &argv);
  GA_Initialize();
  if (!MA_init(C_DBL, MA_DOUBLES, MA_DOUBLES / 16)) GA_Error("no memory for MA", MA_DOUBLES);
  p.unit = GA_Nodeid();
  p.units = GA_Nnodes();
  int code = perf_parse(&p, groups, argc, argv);
  if (code < 0) {
    perf_run(&p, groups);
    code = result_wrong;
  }
  end_ga();
  return code;
}
