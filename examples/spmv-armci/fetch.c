/* fetch: the elements of x that a unit needs, and the ways to get them from their owners. */
#include <stdlib.h>

#include "spmv.h"

/* ---- the plan ---- */

/* Numbers the columns that have entries, in ascending order: place[j] is the number of column j. Returns how many. */
static int number_columns(const problem *p, int *place)
{
  const long entries = matrix_entries(&p->part);
  int n = 0;
  for (long k = 0; k < entries; k++) place[p->part.column[k]] = 1;
  for (int j = 0; j < p->columns; j++)
    if (place[j]) place[j] = ++n;
  for (int j = 0; j < p->columns; j++) place[j]--; /* -1: not needed */
  return n;
}

static void find_owners(const problem *p, const int *place, plan *f)
{
  int n = 0;
  for (int u = 0; u < p->units; u++) {
    const int first = share_first(p->columns, u, p->units), behind = share_first(p->columns, u + 1, p->units);
    f->from[u] = n;
    for (int j = first; j < behind; j++) {
      if (place[j] < 0) continue;
      f->there[n] = (double *)p->x.of[u] + (j - first);
      f->here[n] = f->x + n;
      n++;
    }
  }
  f->from[p->units] = n;
}

void plan_make(problem *p, plan *f)
{
  int *place = memory((size_t)p->columns, sizeof *place);
  const int n = number_columns(p, place);
  const size_t units = (size_t)p->units;
  *f = (plan){.p = p, .n = n};
  f->from = memory(units + 1, sizeof *f->from);
  f->x = ARMCI_Malloc_local((armci_size_t)((size_t)(n + 1) * sizeof *f->x));
  f->there = memory((size_t)n, sizeof *f->there);
  f->here = memory((size_t)n, sizeof *f->here);
  f->aggregate = memory(units, sizeof *f->aggregate);
  f->plain = memory(units, sizeof *f->plain);
  require(f->x == NULL, "ARMCI_Malloc_local");
  find_owners(p, place, f);
  for (size_t u = 0; u < units; u++) {
    ARMCI_INIT_HANDLE(&f->plain[u]);
    ARMCI_INIT_HANDLE(&f->aggregate[u]);
    ARMCI_SET_AGGREGATE_HANDLE(&f->aggregate[u]);
  }
  const long entries = matrix_entries(&p->part);
  for (long k = 0; k < entries; k++) p->part.column[k] = place[p->part.column[k]];
  free(place);
}

void plan_free(plan *f)
{
  require(ARMCI_Free_local(f->x), "ARMCI_Free_local");
  free(f->from);
  free(f->there);
  free(f->here);
  free(f->aggregate);
  free(f->plain);
}

int plan_remote(const plan *f)
{
  const int me = f->p->unit;
  return f->n - (f->from[me + 1] - f->from[me]);
}

/* ---- the ways ---- */

/* A unit's own elements need no transfer. */
static void copy_own(const plan *f)
{
  for (int k = f->from[f->p->unit]; k < f->from[f->p->unit + 1]; k++) f->x[k] = *(const double *)f->there[k];
}

/* Every unit begins with its successor, so that not all fetch from the same one. */
static int owner(const plan *f, int turn) { return (f->p->unit + turn) % f->p->units; }

static void fetch_single(const plan *f)
{
  for (int turn = 1; turn < f->p->units; turn++) {
    const int u = owner(f, turn);
    for (int k = f->from[u]; k < f->from[u + 1]; k++)
      require(ARMCI_Get(f->there[k], f->here[k], sizeof(double), u), "ARMCI_Get");
  }
}

static void fetch_nonblocking(const plan *f)
{
  for (int turn = 1; turn < f->p->units; turn++) {
    const int u = owner(f, turn);
    for (int k = f->from[u]; k < f->from[u + 1]; k++)
      require(ARMCI_NbGet(f->there[k], f->here[k], sizeof(double), u, NULL), "ARMCI_NbGet");
  }
  require(ARMCI_WaitAll(), "ARMCI_WaitAll");
}

static void fetch_aggregate(const plan *f)
{
  for (int turn = 1; turn < f->p->units; turn++) {
    const int u = owner(f, turn);
    for (int k = f->from[u]; k < f->from[u + 1]; k++)
      require(ARMCI_NbGet(f->there[k], f->here[k], sizeof(double), u, &f->aggregate[u]), "ARMCI_NbGet");
  }
  for (int turn = 1; turn < f->p->units; turn++) require(ARMCI_Wait(&f->aggregate[owner(f, turn)]), "ARMCI_Wait");
}

static void fetch_vector(const plan *f)
{
  for (int turn = 1; turn < f->p->units; turn++) {
    const int u = owner(f, turn), first = f->from[u];
    armci_giov_t pieces = {.src_ptr_array = f->there + first, .dst_ptr_array = f->here + first, .bytes = sizeof(double),
                           .ptr_array_len = f->from[u + 1] - first};
    if (pieces.ptr_array_len > 0) require(ARMCI_NbGetV(&pieces, 1, u, &f->plain[u]), "ARMCI_NbGetV");
  }
  for (int turn = 1; turn < f->p->units; turn++) require(ARMCI_Wait(&f->plain[owner(f, turn)]), "ARMCI_Wait");
}

const way ways[WAYS] = {
    {"single", "a blocking get for each element", fetch_single},
    {"nonblocking", "a non-blocking get for each, then one wait", fetch_nonblocking},
    {"aggregate", "the same on an aggregate handle for each owner", fetch_aggregate},
    {"vector", "one vector get for each owner", fetch_vector},
};

void plan_fetch(const plan *f, int way)
{
  copy_own(f);
  ways[way].fetch(f);
}
