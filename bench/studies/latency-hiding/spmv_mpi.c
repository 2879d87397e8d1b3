/* The sparse product with MPI. Two-sided: each rank packs the elements that another one needs into one message; which rank needs
 * what is exchanged once. One-sided: a get for each element, or one for each owner with a type that lists the elements. */
#include <mpi.h>

#include <stdlib.h>

#include "../../peers/mpi/end.h"
#include "spmv.h"

static int rank, ranks;
static spmv_block *block;
static const spmv_needs *needs;
static MPI_Win window; /* of x */

/* Two-sided: what the other ranks need of the caller. */
static int *give_n, *give_from, *give; /* for rank u, the elements give[give_from[u]] up to give[give_from[u] + give_n[u] - 1] */
static double *packed;
static MPI_Request *requests;
static MPI_Status *statuses;

/* One-sided: the elements that the caller needs of each owner. */
static MPI_Aint *places;
static MPI_Datatype *listed;

static int needs_of(int owner) { return needs->from[owner + 1] - needs->from[owner]; }
/* Each rank begins with its successor, so that not all fetch from the same one. */
static int owner_at(int turn) { return (rank + turn) % ranks; }

/* ---- distribution ---- */

static long entries_before(const matrix *whole, int other) { return whole->start[share_first(whole->rows, other, ranks)]; }

/* Rank 0 sends each rank its rows. */
static void scatter_rows(const matrix *whole, spmv_block *b) {
  int *n = spmv_memory((size_t)ranks, sizeof *n), *from = spmv_memory((size_t)ranks, sizeof *from);
  matrix *m = &b->part;
  for (int u = 0; rank == 0 && u < ranks; u++) {
    from[u] = share_first(b->rows, u, ranks);
    n[u] = share_first(b->rows, u + 1, ranks) - from[u] + 1; /* with the end of the last row */
  }
  MPI_Scatterv(whole->start, n, from, MPI_LONG, m->start, m->rows + 1, MPI_LONG, 0, MPI_COMM_WORLD);
  const int entries_n = (int)matrix_entries(m);
  m->column = spmv_memory((size_t)entries_n, sizeof *m->column);
  m->value = spmv_memory((size_t)entries_n, sizeof *m->value);
  for (int u = 0; rank == 0 && u < ranks; u++) {
    from[u] = (int)entries_before(whole, u);
    n[u] = (int)(entries_before(whole, u + 1) - from[u]);
  }
  MPI_Scatterv(whole->column, n, from, MPI_INT, m->column, entries_n, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Scatterv(whole->value, n, from, MPI_DOUBLE, m->value, entries_n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  free(n);
  free(from);
}

/* MPICH 4.0 mixes up the parts of a window of one node if their length is no multiple of 16. */
static void make_window(spmv_block *b) {
  const int n = share_first(b->columns, rank + 1, ranks) - share_first(b->columns, rank, ranks);
  const MPI_Aint bytes = ((MPI_Aint)n * (MPI_Aint)sizeof(double) + 63) / 64 * 64;
  MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &b->x, &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

static void distribute(const matrix *whole, spmv_block *b) {
  int size[2] = {whole->rows, whole->columns};
  MPI_Bcast(size, 2, MPI_INT, 0, MPI_COMM_WORLD);
  b->rows = size[0];
  b->columns = size[1];
  b->part.rows = share_first(b->rows, rank + 1, ranks) - share_first(b->rows, rank, ranks);
  b->part.columns = b->columns;
  b->part.start = spmv_memory((size_t)b->part.rows + 1, sizeof *b->part.start);
  scatter_rows(whole, b);
  make_window(b);
}

/* ---- preparation ---- */

/* Tells each owner which of its elements the caller needs. */
static void exchange_needs(void) {
  int *ask_n = spmv_memory((size_t)ranks, sizeof *ask_n), *ask = spmv_memory((size_t)needs->n, sizeof *ask), give_all = 0;
  give_n = spmv_memory((size_t)ranks, sizeof *give_n);
  give_from = spmv_memory((size_t)ranks, sizeof *give_from);
  for (int u = 0; u < ranks; u++) {
    ask_n[u] = needs_of(u);
    for (int k = needs->from[u]; k < needs->from[u + 1]; k++) ask[k] = needs->column[k] - share_first(block->columns, u, ranks);
  }
  MPI_Alltoall(ask_n, 1, MPI_INT, give_n, 1, MPI_INT, MPI_COMM_WORLD);
  for (int u = 0; u < ranks; u++) {
    give_from[u] = give_all;
    give_all += give_n[u];
  }
  give = spmv_memory((size_t)give_all, sizeof *give);
  packed = spmv_memory((size_t)give_all, sizeof *packed);
  MPI_Alltoallv(ask, ask_n, needs->from, MPI_INT, give, give_n, give_from, MPI_INT, MPI_COMM_WORLD);
  free(ask_n);
  free(ask);
}

static void make_types(void) {
  int *at = spmv_memory((size_t)needs->n, sizeof *at);
  places = spmv_memory((size_t)needs->n, sizeof *places);
  listed = spmv_memory((size_t)ranks, sizeof *listed);
  for (int u = 0; u < ranks; u++) {
    for (int k = needs->from[u]; k < needs->from[u + 1]; k++)
      places[k] = at[k] = needs->column[k] - share_first(block->columns, u, ranks);
    MPI_Type_create_indexed_block(needs_of(u), 1, at + needs->from[u], MPI_DOUBLE, &listed[u]);
    MPI_Type_commit(&listed[u]);
  }
  free(at);
}

static void prepare(spmv_block *b, const spmv_needs *n) {
  block = b;
  needs = n;
  b->fetched = spmv_memory((size_t)n->n, sizeof *b->fetched);
  requests = spmv_memory(2 * (size_t)ranks, sizeof *requests);
  statuses = spmv_memory(2 * (size_t)ranks, sizeof *statuses);
  exchange_needs();
  make_types();
}

static void release(spmv_block *b) {
  for (int u = 0; u < ranks; u++) MPI_Type_free(&listed[u]);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  matrix_free(&b->part);
  void *const memory[] = {b->fetched, give_n, give_from, give, packed, requests, statuses, places, listed};
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) free(memory[i]);
}

/* Also orders loads and stores of x with the gets of other ranks. */
static void barrier(void) {
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(window);
}

static void most(double *values, int n) { MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); }

/* ---- the ways: one-sided ---- */

static void get_one(int owner, int k) {
  MPI_Get(&block->fetched[k], 1, MPI_DOUBLE, owner, places[k], 1, MPI_DOUBLE, window);
}

static void single(void) {
  for (int turn = 1; turn < ranks; turn++) {
    const int u = owner_at(turn);
    for (int k = needs->from[u]; k < needs->from[u + 1]; k++) {
      get_one(u, k);
      MPI_Win_flush(u, window);
    }
  }
}

/* MPICH 4.0's flush of all ranks returns before the gets are complete, that of one rank does not. */
static void flush_owners(void) {
  for (int turn = 1; turn < ranks; turn++)
    if (needs_of(owner_at(turn)) > 0) MPI_Win_flush(owner_at(turn), window);
}

static void nonblocking(void) {
  for (int turn = 1; turn < ranks; turn++) {
    const int u = owner_at(turn);
    for (int k = needs->from[u]; k < needs->from[u + 1]; k++) get_one(u, k);
  }
  flush_owners();
}

static void vector(void) {
  for (int turn = 1; turn < ranks; turn++) {
    const int u = owner_at(turn), n = needs_of(u);
    if (n > 0) MPI_Get(&block->fetched[needs->from[u]], n, MPI_DOUBLE, u, 0, 1, listed[u], window);
  }
  flush_owners();
}

/* ---- the ways: two-sided ---- */

static void start_exchange(void) {
  for (int u = 0; u < 2 * ranks; u++) requests[u] = MPI_REQUEST_NULL;
  for (int turn = 1; turn < ranks; turn++) {
    const int u = owner_at(ranks - turn);
    if (needs_of(u) > 0)
      MPI_Irecv(&block->fetched[needs->from[u]], needs_of(u), MPI_DOUBLE, u, 0, MPI_COMM_WORLD, &requests[u]);
  }
  for (int turn = 1; turn < ranks; turn++) {
    const int u = owner_at(turn), from = give_from[u];
    for (int k = from; k < from + give_n[u]; k++) packed[k] = block->x[give[k]];
    if (give_n[u] > 0) MPI_Isend(&packed[from], give_n[u], MPI_DOUBLE, u, 0, MPI_COMM_WORLD, &requests[ranks + u]);
  }
}

static void finish_exchange(void) { MPI_Waitall(2 * ranks, requests, statuses); }

static const spmv_way ways[] = {
    {"spmv.single", single, NULL, false},
    {"spmv.nonblocking", nonblocking, NULL, false},
    {"spmv.aggregated", start_exchange, finish_exchange, false},
    {"spmv.vector", vector, NULL, false},
    {"spmv.overlapped", start_exchange, finish_exchange, true},
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const spmv_version mpi = {rank, ranks, sizeof ways / sizeof *ways, ways, distribute, prepare, release, barrier, most};
  const int code = spmv(argc, argv, &mpi);
  end_mpi();
  return code;
}
