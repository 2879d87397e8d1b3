/* The kernel Stencil of the Parallel Research Kernels: a star-shaped stencil of radius 2 on a square grid, which is cut
 * into a rectangle for each PE. Each round adds the stencil's values of `in` to `out`, and then 1 to every element of
 * `in`.
 *
 * The halo of a PE is what its neighbours have next to its own rectangle. While it is under way, the PE computes the
 * elements that need none of it. A program that includes this file says how halos travel: send_halo, receive_halo,
 * complete_halo. */
#ifndef BENCH_SHMEM_STENCIL_H
#define BENCH_SHMEM_STENCIL_H

#include <math.h>

#include "bench.h"

enum { RADIUS = 2, OUT_PER_ROUND = 2 /* of every element, as `in` is row + column at first */ };
enum { NORTH, SOUTH, WEST, EAST, SIDES }; /* side ^ 1 is the opposite one */

static int me, pes;
static long order = 1000, rounds = 10;

static int across, down;     /* PEs in a row, and in a column */
static int neighbour[SIDES]; /* -1: none */

/* Own elements are (RADIUS, RADIUS) to (RADIUS + rows - 1, RADIUS + columns - 1) of `in`; `out` has no halo. */
static long rows, columns, first_row, first_column;
static double *in, *out;
static double *leaving[SIDES]; /* what goes to each neighbour */

/* For the including program: puts all sides; waits for all sides, and unpacks them; makes `leaving` free again. */
static void send_halo(uint64_t round);
static void receive_halo(uint64_t round);
static void complete_halo(void);

static double *at(long row, long column) { return &in[(row + RADIUS) * (columns + 2 * RADIUS) + column + RADIUS]; }

/* The most elements of a side on any PE. */
static size_t side_max(void) { return (size_t)(RADIUS * (order / (across < down ? across : down) + 1)); }
static size_t side_n(int side) { return (size_t)(RADIUS * (side < WEST ? columns : rows)); }

/* ---- the grid of PEs ---- */

/* The PE that many places along the team; -1: there is none. */
static int along(shmem_team_t team, int places) {
  const int member = shmem_team_my_pe(team) + places;
  if (member < 0 || member >= shmem_team_n_pes(team)) return -1;
  return shmem_team_translate_pe(team, member, SHMEM_TEAM_WORLD);
}

/* As square as the number of PEs allows. */
static void choose_grid(void) {
  for (down = (int)sqrt(pes); pes % down; down--) continue;
  across = pes / down;
}

static void find_neighbours(void) {
  shmem_team_t row, column;
  shmem_team_split_2d(SHMEM_TEAM_WORLD, across, NULL, 0, &row, NULL, 0, &column);
  neighbour[NORTH] = along(column, -1);
  neighbour[SOUTH] = along(column, 1);
  neighbour[WEST] = along(row, -1);
  neighbour[EAST] = along(row, 1);
  const int x = shmem_team_my_pe(row), y = shmem_team_my_pe(column);
  first_row = order * y / down, rows = order * (y + 1) / down - first_row;
  first_column = order * x / across, columns = order * (x + 1) / across - first_column;
  shmem_team_destroy(row);
  shmem_team_destroy(column);
}

static void open_grid(void) {
  find_neighbours();
  in = private_memory((size_t)((rows + 2 * RADIUS) * (columns + 2 * RADIUS)), sizeof *in);
  out = private_memory((size_t)(rows * columns), sizeof *out);
  for (int side = 0; side < SIDES; side++) leaving[side] = private_memory(side_max(), sizeof *leaving[side]);
  for (long i = 0; i < rows; i++) {
    for (long j = 0; j < columns; j++) *at(i, j) = (double)(first_row + i + first_column + j);
  }
}

static void close_grid(void) {
  for (int side = 0; side < SIDES; side++) free(leaving[side]);
  free(in), free(out);
}

/* ---- halos ---- */

/* Copies the RADIUS rows or columns of a side, beginning with `row` and `column`, to or from one piece. */
static void copy_side(double *piece, int side, long row, long column, bool unpack) {
  const long height = side < WEST ? RADIUS : rows, breadth = side < WEST ? columns : RADIUS;
  for (long i = 0; i < height; i++, piece += breadth) {
    double *line = at(row + i, column);
    memcpy(unpack ? line : piece, unpack ? piece : line, (size_t)breadth * sizeof *line);
  }
}

static void pack_side(int side) {
  copy_side(leaving[side], side, side == SOUTH ? rows - RADIUS : 0, side == EAST ? columns - RADIUS : 0, false);
}

static void unpack_side(int side, double *arrived) {
  const long row = side == NORTH ? -RADIUS : side == SOUTH ? rows : 0;
  copy_side(arrived, side, row, side == WEST ? -RADIUS : side == EAST ? columns : 0, true);
}

/* ---- computation ---- */

/* Elements nearer to the edge of the whole grid than RADIUS stay as they are. */
static void compute(long row, long row_end, long column, long column_end) {
  const long wide = columns + 2 * RADIUS;
  row = larger(row, RADIUS - first_row), row_end = smaller(row_end, order - RADIUS - first_row);
  column = larger(column, RADIUS - first_column), column_end = smaller(column_end, order - RADIUS - first_column);
  for (long i = row; i < row_end; i++) {
    for (long j = column; j < column_end; j++) {
      const double *here = at(i, j);
      double sum = 0;
      for (long k = 1; k <= RADIUS; k++)
        sum += (here[k] - here[-k] + here[k * wide] - here[-k * wide]) / (double)(2 * k * RADIUS);
      out[i * columns + j] += sum;
    }
  }
}

static void stencil_round(uint64_t round) {
  send_halo(round);
  compute(RADIUS, rows - RADIUS, RADIUS, columns - RADIUS);
  receive_halo(round);
  compute(0, RADIUS, 0, columns);
  compute(rows - RADIUS, rows, 0, columns);
  compute(RADIUS, rows - RADIUS, 0, RADIUS);
  compute(RADIUS, rows - RADIUS, columns - RADIUS, columns);
  for (long i = 0; i < rows; i++) {
    for (long j = 0; j < columns; j++) *at(i, j) += 1;
  }
  complete_halo();
}

static long wrong_elements(void) {
  long wrong_n = 0;
  for (long i = 0; i < rows; i++) {
    for (long j = 0; j < columns; j++) {
      const long row = first_row + i, column = first_column + j;
      const bool is_edge = row < RADIUS || row >= order - RADIUS || column < RADIUS || column >= order - RADIUS;
      const double expected = is_edge ? 0 : OUT_PER_ROUND * (double)(rounds + 1);
      wrong_n += !(fabs(out[i * columns + j] - expected) <= 1e-8 * (1 + expected));
    }
  }
  return wrong_n;
}

static double megaflops(void) {
  const double inner = (double)(order - 2 * RADIUS);
  return 1e-6 * inner * inner * (double)rounds * (2 * 4 * RADIUS + 1);
}

static bool read_stencil_options(const char *program, int argc, char **argv) {
  choose_grid();
  const struct option options[] = {{"order", 2L * RADIUS * across, 100000, &order}, {"rounds", 1, 1000000, &rounds}};
  return read_options(program, argc, argv, 2, options);
}

#endif
