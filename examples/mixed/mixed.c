/* mixed: one array, three interfaces. DART allocates a row of numbers on every unit; the program's own MPI fills the
 * row and sums it up; GASNet-EX rotates it and adds to it. No data is copied from one interface to another, and
 * GASNet needs no segment.
 *
 * dart_gptr_getpointer gives the arguments of GASNet's calls: a rank, and the address in that rank's process. Between
 * two interfaces the program completes the operations of the first one, and calls a barrier.
 *
 * Usage: mixed [N] */
#define GASNET_SEQ 1
#include <gasnetex.h>
#include <gasnet_ratomic.h>

#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_ext.h>

#include <mpi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../arguments.h"

enum { N_MAX = 1 << 20 }; /* numbers of each unit */

static int me, units;
static gex_TM_t everybody;

/* A place in DART's memory, as GASNet names it. */
typedef struct {
  gex_Rank_t rank;
  int64_t *address;
} place;

static place place_of(dart_gptr_t base, int unit)
{
  dart_global_unit_t owner;
  void *address;
  dart_gptr_setunit(&base, DART_TEAM_UNIT_ID(unit));
  if (dart_gptr_getpointer(base, &owner, &address) != DART_OK) exit(EXIT_FAILURE);
  return (place){(gex_Rank_t)owner.id, address};
}

/* Returns the address of this unit's row: ordinary memory, also for MPI. */
static int64_t *own_row(dart_gptr_t base)
{
  void *address;
  dart_gptr_setunit(&base, DART_TEAM_UNIT_ID(me));
  if (dart_gptr_getaddr(base, &address) != DART_OK) exit(EXIT_FAILURE);
  return address;
}

/* Unit 0 has all data, and MPI scatters it directly into DART's memory. */
static void fill(int64_t *row, int n)
{
  int64_t *all = NULL;
  if (me == 0) {
    all = malloc((size_t)n * (size_t)units * sizeof *all);
    if (!all) exit(EXIT_FAILURE);
    for (int i = 0; i < n * units; i++) all[i] = i;
  }
  MPI_Scatter(all, n, MPI_INT64_T, row, n, MPI_INT64_T, 0, MPI_COMM_WORLD);
  free(all);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Rotates the rows: GASNet puts each row into the second half of the next unit's row. */
static void rotate(place next, int64_t *row, int n)
{
  gex_Event_Wait(gex_RMA_PutNB(everybody, next.rank, next.address + n, row, (size_t)n * sizeof *row, GEX_EVENT_DEFER, 0));
  gex_Coll_BarrierBlocking(everybody, 0);
  for (int i = 0; i < n; i++) row[i] = row[n + i];
  gex_Coll_BarrierBlocking(everybody, 0);
}

/* All units add to the first number of unit 0, first by GASNet, then by DART. */
static void add(dart_gptr_t base, place first)
{
  const int64_t one = 1;
  gex_AD_t domain;
  gex_AD_Create(&domain, everybody, GEX_DT_I64, GEX_OP_ADD, 0);
  gex_Event_Wait(gex_AD_OpNB_I64(domain, NULL, first.rank, first.address, GEX_OP_ADD, 1, 0, 0));
  gex_Coll_BarrierBlocking(everybody, 0);
  gex_AD_Destroy(domain);
  dart_gptr_setunit(&base, DART_TEAM_UNIT_ID(0));
  dart_accumulate(base, &one, 1, DART_TYPE_LONG, DART_OP_SUM);
  dart_flush(base);
  dart_barrier(DART_TEAM_ALL);
}

int main(int argc, char **argv)
{
  gex_Client_t client;
  gex_EP_t endpoint;
  dart_gptr_t base;
  long n = 1000;
  const struct argument wanted[] = {{"N", 1, N_MAX, &n}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me); /* the same number in all three interfaces */
  MPI_Comm_size(MPI_COMM_WORLD, &units);
  if (!read_arguments("mixed", argc, argv, me == 0, 1, wanted)) {
    MPI_Finalize();
    return WRONG_ARGUMENTS;
  }
  if (dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  if (gex_Client_Init(&client, &endpoint, &everybody, "MIXED", &argc, &argv, 0) != GASNET_OK) return EXIT_FAILURE;
  if (dart_team_memalloc_aligned(DART_TEAM_ALL, 2 * (size_t)n, DART_TYPE_LONG, &base) != DART_OK) return EXIT_FAILURE;
  int64_t *row = own_row(base), sum = 0, total = 0;
  fill(row, (int)n);
  rotate(place_of(base, (me + 1) % units), row, (int)n);
  int wrong = row[n - 1] != n * ((me + units - 1) % units) + n - 1;
  add(base, place_of(base, 0));
  for (int i = 0; i < n; i++) sum += row[i];
  MPI_Allreduce(&sum, &total, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  const int64_t all = n * units;
  wrong |= total != all * (all - 1) / 2 + 2 * units;
  if (me == 0) printf("%ld numbers on %d units, their sum %lld: %s\n", n, units, (long long)total, wrong ? "WRONG" : "right");
  dart_team_memfree(base);
  tessera_gex_finalize(client);
  dart_exit();
  MPI_Finalize();
  return wrong;
}
