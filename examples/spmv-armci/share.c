/* share: memory of all units, and the distribution of the matrix from unit 0. */
#include <stdlib.h>
#include <string.h>

#include "spmv.h"

/* Rounds up to whole cache lines, so that the data of two units share none. Also, ARMCI-MPI on MPICH 4.0 mixes up
 * parts of one node whose length is not a multiple of 16. */
shared shared_make(size_t bytes)
{
  shared s = {memory((size_t)armci_msg_nproc(), sizeof(void *))};
  require(ARMCI_Malloc(s.of, (armci_size_t)((bytes + 63) / 64 * 64)), "ARMCI_Malloc");
  return s;
}

void shared_free(shared *s)
{
  require(ARMCI_Free(s->of[armci_msg_me()]), "ARMCI_Free");
  free(s->of);
}

static int part_rows(const problem *p, int unit)
{
  return share_first(p->rows, unit + 1, p->units) - share_first(p->rows, unit, p->units);
}

static int part_columns(const problem *p, int unit)
{
  return share_first(p->columns, unit + 1, p->units) - share_first(p->columns, unit, p->units);
}

static void put(void *from, const shared *to, size_t bytes, int unit)
{
  require(ARMCI_Put(from, to->of[unit], (int)bytes, unit), "ARMCI_Put");
}

/* The number of the first entry of each unit's rows: from it a unit computes how many entries it will receive. */
static void give_starts(const matrix *whole, const problem *p)
{
  for (int u = 0; u < p->units; u++)
    put(whole->start + share_first(p->rows, u, p->units), &p->start, ((size_t)part_rows(p, u) + 1) * sizeof(long), u);
}

static void give_entries(const matrix *whole, const problem *p)
{
  for (int u = 0; u < p->units; u++) {
    const long first = whole->start[share_first(p->rows, u, p->units)];
    const size_t n = (size_t)(whole->start[share_first(p->rows, u + 1, p->units)] - first);
    put(whole->column + first, &p->column, n * sizeof(int), u);
    put(whole->value + first, &p->value, n * sizeof(double), u);
  }
}

void problem_make(const matrix *whole, problem *out)
{
  problem *p = out;
  const int me = armci_msg_me();
  *p = (problem){.unit = me, .units = armci_msg_nproc(), .rows = whole->rows, .columns = whole->columns};
  armci_msg_bcast(&p->rows, sizeof p->rows, 0);
  armci_msg_bcast(&p->columns, sizeof p->columns, 0);

  const int rows = part_rows(p, me);
  p->start = shared_make(((size_t)rows + 1) * sizeof(long));
  if (me == 0) give_starts(whole, p);
  ARMCI_Barrier();
  p->part = (matrix){.rows = rows, .columns = p->columns, .start = p->start.of[me]};
  p->entries = matrix_entries(&p->part);

  p->column = shared_make((size_t)p->entries * sizeof(int));
  p->value = shared_make((size_t)p->entries * sizeof(double));
  p->x = shared_make((size_t)part_columns(p, me) * sizeof(double));
  p->y = shared_make((size_t)rows * sizeof(double));
  if (me == 0) give_entries(whole, p);
  ARMCI_Barrier();
  p->part.column = p->column.of[me];
  p->part.value = p->value.of[me];
  armci_msg_lgop(&p->entries, 1, "+");
}

void problem_free(problem *p)
{
  shared_free(&p->y);
  shared_free(&p->x);
  shared_free(&p->value);
  shared_free(&p->column);
  shared_free(&p->start);
}
