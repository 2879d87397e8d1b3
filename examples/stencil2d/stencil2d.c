/* stencil2d [N [STEPS]]: five-point relaxation of an N x N square with one hot edge, cut into blocks of rows. A unit
 * computes the outer rows of its block first; these rows travel to the neighbours' ghost rows while it computes the
 * inner rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dash/dart/if/dart.h>

#include "../arguments.h"
#include "../clock.h"

enum { N_MAX = 8192, STEPS_MAX = 1000000 };

/* A block is rows + 2 rows of width N + 2: ghost rows above and below, fixed edges left and right. */
static int width, units, me;

/* Parts of the run time, in seconds. */
enum { COMPUTE, PUT, WAIT, BARRIER, PARTS };
static double spent[PARTS];

/* Adds the time since `*since` to this part, and sets `*since` to now. */
static void spend(int part, double *since)
{
  const double t = now();
  spent[part] += t - *since;
  *since = t;
}

static int first_row(int unit) { return (int)((long)unit * (width - 2) / units); }
static int rows_of(int unit) { return first_row(unit + 1) - first_row(unit); }

static void relax(double *to, const double *from, int first, int last)
{
  for (int row = first; row <= last; row++)
    for (int i = row * width + 1; i < (row + 1) * width - 1; i++)
      to[i] = 0.25 * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
}

static void put_row(dart_gptr_t block, int unit, int ghost, const double *row, dart_handle_t *handle)
{
  dart_gptr_setunit(&block, dart_create_team_unit(unit));
  dart_gptr_incaddr(&block, (int64_t)ghost * width * (int64_t)sizeof *row);
  dart_put_handle(block, row, (size_t)width, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE, handle);
}

/* One step from `from` to `to`. Two blocks are used in turns, so one barrier per step is enough: during a step
 * neighbours write the ghost rows of the block that this unit reads only after the barrier. */
static void step(dart_gptr_t to_block, double *to, const double *from)
{
  const int rows = rows_of(me);
  dart_handle_t sent[2] = {DART_HANDLE_NULL, DART_HANDLE_NULL};
  double since = now();
  relax(to, from, 1, 1);
  if (rows > 1) relax(to, from, rows, rows);
  spend(COMPUTE, &since);
  if (me > 0) put_row(to_block, me - 1, rows_of(me - 1) + 1, to + width, &sent[0]);
  if (me + 1 < units) put_row(to_block, me + 1, 0, to + rows * width, &sent[1]);
  spend(PUT, &since);
  relax(to, from, 2, rows - 1);
  spend(COMPUTE, &since);
  dart_waitall(sent, 2);
  spend(WAIT, &since);
  dart_barrier(DART_TEAM_ALL);
  spend(BARRIER, &since);
}

/* Largest difference between this unit's rows and the same computation done by this unit alone. */
static double error_against_serial(const double *mine, int steps)
{
  const size_t n = (size_t)width * (size_t)width;
  double *grid[2] = {calloc(n, sizeof(double)), calloc(n, sizeof(double))}, error = 0.0;
  if (!grid[0] || !grid[1]) dart_abort(DART_EXIT_ABORT);
  for (int i = 0; i < width; i++) grid[0][i] = grid[1][i] = 1.0;
  for (int s = 0; s < steps; s++) relax(grid[(s + 1) % 2], grid[s % 2], 1, width - 2);
  const double *serial = grid[steps % 2] + (size_t)first_row(me) * (size_t)width;
  for (int i = width; i < (rows_of(me) + 1) * width; i++) error = fmax(error, fabs(mine[i] - serial[i]));
  free(grid[0]);
  free(grid[1]);
  return error;
}

/* The slowest unit's time of each part. */
static void report_times(double seconds)
{
  double most[PARTS];
  dart_allreduce(spent, most, PARTS, DART_TYPE_DOUBLE, DART_OP_MAX, DART_TEAM_ALL);
  if (me == 0)
    printf("stencil2d: %.6f s: compute %.6f, put %.6f, wait %.6f, barrier %.6f\n", seconds, most[COMPUTE], most[PUT],
           most[WAIT], most[BARRIER]);
}

int main(int argc, char **argv)
{
  if (dart_init(&argc, &argv) != DART_OK) return 1;
  long cells_n = 128, steps_n = 200;
  size_t size;
  dart_global_unit_t unit;
  dart_myid(&unit);
  dart_size(&size);
  units = (int)size, me = unit.id;
  const struct argument wanted[] = {{"N", units /* a row each */, N_MAX, &cells_n}, {"STEPS", 1, STEPS_MAX, &steps_n}};
  if (!read_arguments("stencil2d", argc, argv, me == 0, 2, wanted)) {
    dart_exit();
    return WRONG_ARGUMENTS;
  }
  const int n = (int)cells_n, steps = (int)steps_n;
  width = n + 2;

  dart_gptr_t block[2];
  double *cells[2];
  void *address;
  const size_t block_cells = (size_t)(n / units + 3) * (size_t)width; /* n/units rows, rounded up, and 2 ghosts */
  for (int b = 0; b < 2; b++) {
    if (dart_team_memalloc_aligned(DART_TEAM_ALL, block_cells, DART_TYPE_DOUBLE, &block[b]) != DART_OK)
      dart_abort(DART_EXIT_ABORT);
    dart_gptr_t here = block[b];
    dart_gptr_setunit(&here, dart_create_team_unit(me));
    dart_gptr_getaddr(here, &address);
    cells[b] = memset(address, 0, block_cells * sizeof(double));
    for (int i = 0; me == 0 && i < width; i++) cells[b][i] = 1.0; /* the hot edge */
  }
  dart_barrier(DART_TEAM_ALL);
  const double start = now();
  for (int s = 0; s < steps; s++) step(block[(s + 1) % 2], cells[(s + 1) % 2], cells[s % 2]);
  report_times(now() - start);
  double mine = error_against_serial(cells[steps % 2], steps), worst = 0.0;
  dart_allreduce(&mine, &worst, 1, DART_TYPE_DOUBLE, DART_OP_MAX, DART_TEAM_ALL);
  const int good = worst <= 1e-12;
  if (me == 0) printf("stencil2d: largest difference from serial %g\n", worst);
  if (me == 0) printf("stencil2d: check %s\n", good ? "passed" : "FAILED");
  for (int b = 1; b >= 0; b--) dart_team_memfree(block[b]);
  dart_exit();
  return good ? 0 : 1;
}
