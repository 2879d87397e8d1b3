/* halo-gasnet: a five-point stencil on a square that is cut into blocks along both axes. Each process writes the
 * edges of its block directly into the halos of its neighbours: rows by contiguous puts, columns by strided puts.
 *
 * There are two copies of the grid: a step writes one copy, and the next step reads it after a barrier.
 *
 * Usage: halo-gasnet [N [STEPS]] */
#define GASNET_SEQ 1
#include <gasnetex.h>
#include <gasnet_coll.h>
#include <gasnet_vis.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../arguments.h"

enum { N_MAX = 8192, STEPS_MAX = 1000000 };

/* A block with its halo. Copies 0 and 1 follow each other in the segment of each process. */
typedef struct {
  int first_x, first_y, nx, ny; /* in the square */
} block;

static gex_TM_t everybody;
static gex_Rank_t me;
static int n, steps;
static int blocks_x, blocks_y; /* processes along each axis */
static int pitch;              /* cells from one row to the next: the same in all blocks */
static size_t copy_bytes;
static char *my_segment, **segments; /* addresses in their owners */

static block block_of(gex_Rank_t rank)
{
  const int bx = (int)rank % blocks_x, by = (int)rank / blocks_x;
  block b = {bx * n / blocks_x, by * n / blocks_y, 0, 0};
  b.nx = (bx + 1) * n / blocks_x - b.first_x;
  b.ny = (by + 1) * n / blocks_y - b.first_y;
  return b;
}

/* Returns cell (x, y) of the block in a segment; 0, nx + 1 and ny + 1 are the halo. */
static double *cell(char *segment, int copy, int x, int y)
{
  return (double *)(void *)(segment + (size_t)copy * copy_bytes) + (size_t)y * (size_t)pitch + x;
}

/* ---- The halo exchange ---- */

/* An edge: a number of cells below each other, or beside each other. */
static void put_column(gex_Rank_t to, double *there, double *here, int cells)
{
  const ptrdiff_t stride = pitch * (ptrdiff_t)sizeof(double);
  const size_t count = (size_t)cells;
  gex_VIS_StridedPutNBI(everybody, to, there, &stride, here, &stride, sizeof(double), &count, 1, 0);
}
static void put_row(gex_Rank_t to, double *there, const double *here, int cells)
{
  gex_RMA_PutNBI(everybody, to, there, here, (size_t)cells * sizeof(double), GEX_EVENT_DEFER, 0);
}

static void write_halos(block b, int copy)
{
  const int bx = (int)me % blocks_x, by = (int)me / blocks_x;
  const gex_Rank_t west = me - 1, east = me + 1, north = me - (gex_Rank_t)blocks_x, south = me + (gex_Rank_t)blocks_x;
  if (bx > 0) put_column(west, cell(segments[west], copy, block_of(west).nx + 1, 1), cell(my_segment, copy, 1, 1), b.ny);
  if (bx < blocks_x - 1) put_column(east, cell(segments[east], copy, 0, 1), cell(my_segment, copy, b.nx, 1), b.ny);
  if (by > 0) put_row(north, cell(segments[north], copy, 1, block_of(north).ny + 1), cell(my_segment, copy, 1, 1), b.nx);
  if (by < blocks_y - 1) put_row(south, cell(segments[south], copy, 1, 0), cell(my_segment, copy, 1, b.ny), b.nx);
  gex_NBI_Wait(GEX_EC_PUT, 0); /* the caller's puts are complete, */
  gex_Event_Wait(gex_Coll_BarrierNB(everybody, 0)); /* and those of all processes */
}

/* ---- The computation ---- */

static double initial(int x, int y) { return (double)((x * 31 + y * 17 + x * y) % 101); }

static void advance(const double *old, double *new_, int row, int nx, int ny)
{
  for (int y = 1; y <= ny; y++) {
    for (int x = 1; x <= nx; x++) {
      const double *at = old + (size_t)y * (size_t)row + x;
      new_[(size_t)y * (size_t)row + (size_t)x] = 0.5 * at[0] + 0.125 * (at[-1] + at[1] + at[-row] + at[row]);
    }
  }
}

static void run(block b)
{
  memset(my_segment, 0, 2 * copy_bytes);
  for (int y = 1; y <= b.ny; y++)
    for (int x = 1; x <= b.nx; x++) *cell(my_segment, 0, x, y) = initial(b.first_x + x - 1, b.first_y + y - 1);
  gex_Event_Wait(gex_Coll_BarrierNB(everybody, 0));
  write_halos(b, 0);
  for (int step = 0; step < steps; step++) {
    const int now = step % 2, next = 1 - now;
    advance(cell(my_segment, now, 0, 0), cell(my_segment, next, 0, 0), pitch, b.nx, b.ny);
    write_halos(b, next);
  }
}

/* ---- The check: each process computes the whole square alone ---- */

static int check(block b)
{
  const int row = n + 2;
  const size_t cells = (size_t)row * (size_t)row;
  double *copies[2] = {calloc(cells, sizeof(double)), calloc(cells, sizeof(double))};
  if (!copies[0] || !copies[1]) abort();
  for (int y = 1; y <= n; y++)
    for (int x = 1; x <= n; x++) copies[0][(size_t)y * (size_t)row + (size_t)x] = initial(x - 1, y - 1);
  for (int step = 0; step < steps; step++) advance(copies[step % 2], copies[1 - step % 2], row, n, n);
  int good = 1;
  for (int y = 1; y <= b.ny; y++) {
    const double *mine = cell(my_segment, steps % 2, 1, y);
    const double *right = copies[steps % 2] + (size_t)(b.first_y + y) * (size_t)row + b.first_x + 1;
    good &= memcmp(mine, right, (size_t)b.nx * sizeof(double)) == 0;
  }
  free(copies[0]);
  free(copies[1]);
  return good;
}

/* Chooses blocks that are as square as the number of processes allows. */
static void cut(gex_Rank_t units)
{
  blocks_x = 1;
  for (int i = 2; i * i <= (int)units; i++)
    if ((int)units % i == 0) blocks_x = i;
  blocks_y = (int)units / blocks_x;
}

/* Call it when the numbers of blocks and cells are known. */
static void size_blocks(void)
{
  pitch = (n + blocks_x - 1) / blocks_x + 2;
  copy_bytes = (size_t)pitch * (size_t)((n + blocks_y - 1) / blocks_y + 2) * sizeof(double);
}

/* Each block has at least one cell. */
static void read_sizes(int argc, char **argv, gex_Rank_t units)
{
  long cells = 96, rounds = 50;
  cut(units);
  const struct argument wanted[] = {{"N", blocks_y /* the larger one */, N_MAX, &cells}, {"STEPS", 1, STEPS_MAX, &rounds}};
  if (!read_arguments("halo-gasnet", argc, argv, me == 0, 2, wanted)) gasnet_exit(WRONG_ARGUMENTS);
  n = (int)cells;
  steps = (int)rounds;
  size_blocks();
}

static int start(int *argc, char ***argv)
{
  gex_Client_t client;
  gex_EP_t endpoint;
  gex_Segment_t segment;
  if (gex_Client_Init(&client, &endpoint, &everybody, "HALO", argc, argv, 0)) return 0;
  me = gex_TM_QueryRank(everybody);
  const gex_Rank_t units = gex_TM_QuerySize(everybody);
  read_sizes(*argc, *argv, units);
  const size_t bytes = (2 * copy_bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
  if (gex_Segment_Attach(&segment, everybody, bytes)) {
    if (me == 0) fprintf(stderr, "halo-gasnet: %d x %d cells need %zu bytes of each process; pass a smaller N\n", n, n, bytes);
    gasnet_exit(1);
  }
  my_segment = gex_Segment_QueryAddr(segment);
  segments = calloc(units, sizeof *segments);
  if (!segments) abort();
  for (gex_Rank_t unit = 0; unit < units; unit++)
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(everybody, unit, (void **)&segments[unit], NULL, NULL, 0));
  return 1;
}

int main(int argc, char **argv)
{
  if (!start(&argc, &argv)) return 1;
  const block b = block_of(me);
  run(b);
  uint32_t bad = !check(b), bad_units = 0;
  gex_Event_Wait(gex_Coll_ReduceToAllNB(everybody, &bad_units, &bad, GEX_DT_U32, sizeof bad, 1, GEX_OP_ADD, NULL, NULL, 0));
  if (me == 0) {
    printf("halo-gasnet: %d x %d cells in %d x %d blocks, %d steps\n", n, n, blocks_x, blocks_y, steps);
    printf("halo-gasnet: check %s\n", bad_units ? "FAILED" : "passed");
  }
  free(segments);
  gasnet_exit(bad_units ? 1 : 0);
}
