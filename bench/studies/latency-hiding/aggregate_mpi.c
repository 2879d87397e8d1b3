/* Aggregation with MPI's one-sided calls: one call for each double, or one call with a type that lists them. MPI has no handle
 * that collects calls. */
#include <mpi.h>

#include <stdlib.h>

#include "../../peers/mpi/end.h"
#include "aggregate.h"

static int rank, ranks, last;
static MPI_Win window;
static int *places; /* of each double at the last rank, in doubles */
static MPI_Datatype listed;

/* The doubles of the last rank. ARMCI's vector calls get a list of addresses; this is the same for MPI. */
static MPI_Datatype make_type(int n) {
  MPI_Datatype type;
  MPI_Type_create_indexed_block(n, 1, places, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

static void open_doubles(doubles *d) {
  const MPI_Aint bytes = (MPI_Aint)d->n * APART * (MPI_Aint)sizeof(double);
  MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &d->other, &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  MPI_Alloc_mem((MPI_Aint)d->n * (MPI_Aint)sizeof(double), MPI_INFO_NULL, &d->own);
  places = calloc((size_t)d->n, sizeof *places);
  if (!places) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < d->n; i++) places[i] = i * APART;
  listed = make_type(d->n);
}

static void close_doubles(doubles *d) {
  MPI_Type_free(&listed);
  MPI_Free_mem(d->own);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  free(places);
}

/* Also orders loads and stores of the own memory with the calls of other ranks. */
static void barrier(void) {
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(window);
}

static void agree(int *wrong) { MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); }

/* ---- the ways ---- */

static void put_one(const doubles *d, int i) { MPI_Put(d->own + i, 1, MPI_DOUBLE, last, places[i], 1, MPI_DOUBLE, window); }
static void get_one(const doubles *d, int i) { MPI_Get(d->own + i, 1, MPI_DOUBLE, last, places[i], 1, MPI_DOUBLE, window); }

/* As a blocking put of ARMCI, each is locally complete before the next, and all are complete in the end. */
static void put_single(const doubles *d) {
  for (int i = 0; i < d->n; i++) {
    put_one(d, i);
    MPI_Win_flush_local(last, window);
  }
  MPI_Win_flush(last, window);
}

static void get_single(const doubles *d) {
  for (int i = 0; i < d->n; i++) {
    get_one(d, i);
    MPI_Win_flush(last, window);
  }
}

static void put_nonblocking(const doubles *d) {
  for (int i = 0; i < d->n; i++) put_one(d, i);
  MPI_Win_flush(last, window);
}

static void get_nonblocking(const doubles *d) {
  for (int i = 0; i < d->n; i++) get_one(d, i);
  MPI_Win_flush(last, window);
}

static void put_typed(const doubles *d) {
  MPI_Put(d->own, d->n, MPI_DOUBLE, last, 0, 1, listed, window);
  MPI_Win_flush(last, window);
}

static void get_typed(const doubles *d) {
  MPI_Get(d->own, d->n, MPI_DOUBLE, last, 0, 1, listed, window);
  MPI_Win_flush(last, window);
}

/* As a vector call, which is told the addresses each time. */
static void put_vector(const doubles *d) {
  MPI_Datatype type = make_type(d->n);
  MPI_Put(d->own, d->n, MPI_DOUBLE, last, 0, 1, type, window);
  MPI_Win_flush(last, window);
  MPI_Type_free(&type);
}

static void get_vector(const doubles *d) {
  MPI_Datatype type = make_type(d->n);
  MPI_Get(d->own, d->n, MPI_DOUBLE, last, 0, 1, type, window);
  MPI_Win_flush(last, window);
  MPI_Type_free(&type);
}

static const way ways[] = {
    {"aggregate.single", put_single, get_single},
    {"aggregate.nonblocking", put_nonblocking, get_nonblocking},
    {"aggregate.vector", put_vector, get_vector},
    {"aggregate.typed", put_typed, get_typed}, /* the type is made once */
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  last = ranks - 1;
  const aggregate_version mpi = {rank, ranks, sizeof ways / sizeof *ways, ways, open_doubles, close_doubles, barrier, agree};
  const int code = aggregate(argc, argv, &mpi);
  end_mpi();
  return code;
}
