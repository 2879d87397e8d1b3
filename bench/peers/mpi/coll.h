/* MPI's collectives on the works coll.*, between private buffers. */
#include <mpi.h>

#include "../../../tools/tessera-perf/coll.c"

static int count_of(const struct perf_coll *c) { return (int)c->bytes; }
static int doubles_of(const struct perf_coll *c) { return (int)(c->bytes / sizeof(double)); }

static void coll_bcast(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++) MPI_Bcast(c->send, count_of(c), MPI_BYTE, perf_coll_root(c, i), MPI_COMM_WORLD);
}

static void coll_reduce(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++)
    MPI_Reduce(c->send, c->recv, doubles_of(c), MPI_DOUBLE, MPI_SUM, perf_coll_root(c, i), MPI_COMM_WORLD);
}

static void coll_allreduce(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++)
    MPI_Allreduce(c->send, c->recv, doubles_of(c), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void coll_gather(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  int count = count_of(c);
  for (uint64_t i = 0; i < n; i++)
    MPI_Gather(c->send, count, MPI_BYTE, c->recv, count, MPI_BYTE, perf_coll_root(c, i), MPI_COMM_WORLD);
}

static void coll_scatter(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  int count = count_of(c);
  for (uint64_t i = 0; i < n; i++)
    MPI_Scatter(c->send, count, MPI_BYTE, c->recv, count, MPI_BYTE, perf_coll_root(c, i), MPI_COMM_WORLD);
}

static void coll_allgather(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  int count = count_of(c);
  for (uint64_t i = 0; i < n; i++) MPI_Allgather(c->send, count, MPI_BYTE, c->recv, count, MPI_BYTE, MPI_COMM_WORLD);
}

static void coll_alltoall(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  int count = count_of(c);
  for (uint64_t i = 0; i < n; i++) MPI_Alltoall(c->send, count, MPI_BYTE, c->recv, count, MPI_BYTE, MPI_COMM_WORLD);
}

/* Counts are int, and a row has at most 1 GiB. */
static void run_coll(struct perf *p, const struct perf_work *work) {
  bool adds = work->loop == coll_reduce || work->loop == coll_allreduce;
  perf_coll_run(p, work, &perf_coll_plain, adds ? sizeof(double) : 1, NULL);
}

static const struct perf_work coll_works[] = {
    {"coll.bcast", "MPI_Bcast", run_coll, coll_bcast, PERF_COLL_SINGLE},
    {"coll.reduce", "MPI_Reduce: sum of doubles", run_coll, coll_reduce, PERF_COLL_SINGLE},
    {"coll.allreduce", "MPI_Allreduce: sum of doubles", run_coll, coll_allreduce, PERF_COLL_SINGLE},
    {"coll.gather", "MPI_Gather", run_coll, coll_gather, PERF_COLL_RECEIVES_ALL},
    {"coll.scatter", "MPI_Scatter", run_coll, coll_scatter, PERF_COLL_SENDS_ALL},
    {"coll.allgather", "MPI_Allgather", run_coll, coll_allgather, PERF_COLL_RECEIVES_ALL},
    {"coll.alltoall", "MPI_Alltoall", run_coll, coll_alltoall, PERF_COLL_ALL},
    {0},
};
