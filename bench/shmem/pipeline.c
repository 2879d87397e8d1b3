/* pipeline: synchronisation from point to point, as in the kernel Synch_p2p of the Parallel Research Kernels.
 *
 * Each PE has some columns of a grid. An element is computed from those above, to the left, and above on the left:
 * a(i, j) = a(i-1, j) + a(i, j-1) - a(i-1, j-1). So the PEs form a pipeline: a PE can compute a row once the last
 * element of the row's part on the left has come, which a put with signal brings. At the end of a round the negative of
 * the last element becomes the first one, and the next round depends on all of this one. Checked: after n rounds the
 * last element is n * (rows + columns - 2).
 *
 * Options: --rows, --columns, --rounds; a round more is not timed. */
#include "bench.h"

static int me, pes;
static long rows = 1000, columns = 1000, rounds = 10;

/* This PE's columns, and before them the last one of the PE to the left. */
static long width; /* of a row, with that column */
static double *grid;

/* What comes from other PEs, with the number of the round as signal. Of two puts the later may arrive first, so each
 * row has a signal of its own. */
static double *left;       /* symmetric, one for each row */
static uint64_t *left_set; /* symmetric */
static double corner;      /* for PE 0, from the last PE: the first element */
static uint64_t corner_set;

static long first_column(int pe) { return columns * pe / pes; }

static void set_up(void) {
  const long first = first_column(me), own = first_column(me + 1) - first;
  width = own + 1;
  grid = private_memory((size_t)(rows * width), sizeof *grid);
  left = symmetric_memory((size_t)rows, sizeof *left);
  left_set = symmetric_memory((size_t)rows, sizeof *left_set);
  for (long j = 0; j < width; j++) grid[j] = (double)(first + j - 1);
  for (long i = 0; me == 0 && i < rows; i++) grid[i * width + 1] = (double)i;
}

static void pass_on(long row, uint64_t round) {
  const double *last = &grid[row * width + width - 1];
  if (me + 1 < pes) shmem_double_put_signal(&left[row], last, 1, &left_set[row], round, SHMEM_SIGNAL_SET, me + 1);
}

static void compute_row(long row) {
  double *own = grid + row * width;
  const double *above = own - width;
  for (long j = me == 0 ? 2 : 1; j < width; j++) own[j] = above[j] + own[j - 1] - above[j - 1];
}

/* The first row has nothing above; only its very first element changes. */
static void compute(uint64_t round) {
  for (long row = 0; row < rows; row++) {
    if (me > 0) {
      shmem_signal_wait_until(&left_set[row], SHMEM_CMP_GE, round);
      grid[row * width] = left[row];
    }
    if (row > 0) compute_row(row);
    pass_on(row, round);
  }
}

static void close_round(uint64_t round) {
  if (me == pes - 1) {
    const double last = -grid[rows * width - 1];
    shmem_double_put_signal(&corner, &last, 1, &corner_set, round, SHMEM_SIGNAL_SET, 0);
  }
  if (me == 0) {
    shmem_signal_wait_until(&corner_set, SHMEM_CMP_GE, round);
    grid[1] = corner;
  }
}

static void pipeline_round(uint64_t round) {
  compute(round);
  close_round(round);
}

int main(int argc, char **argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  const struct option options[] = {
      {"rows", 2, 1000000, &rows}, {"columns", 2L * pes, 1000000, &columns}, {"rounds", 1, 1000000, &rounds}};
  if (!read_options("pipeline", argc, argv, 3, options)) {
    shmem_finalize();
    return WRONG_ARGUMENTS;
  }
  set_up();
  const double seconds = time_rounds(rounds, pipeline_round);

  const double expected = (double)(rounds + 1) * (double)(rows + columns - 2);
  const bool is_wrong = me == pes - 1 && grid[rows * width - 1] != expected;
  const double operations = 2.0 * (double)(rows - 1) * (double)(columns - 1) * (double)rounds;
  const int status = report("pipeline", seconds, 1e-6 * operations, "Mflop", is_wrong);
  shmem_free(left_set);
  shmem_free(left);
  free(grid);
  shmem_finalize();
  return status;
}
