/* coll.*: each blocking collective of DART on all units, from private and from global memory. */
#include <stdlib.h>

#include "coll.h"
#include "limits.h"
#include "works.h"

static dart_team_unit_t root(const struct perf_coll *c, uint64_t i) {
  return dart_create_team_unit(perf_coll_root(c, i));
}

static size_t doubles_n(const struct perf_coll *c) { return c->bytes / sizeof(double); }

static void bcast(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) bad |= dart_bcast(c->send, c->bytes, DART_TYPE_BYTE, root(c, i), DART_TEAM_ALL);
  works_check(bad, "dart_bcast");
}

static void reduce(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++)
    bad |= dart_reduce(c->send, c->recv, doubles_n(c), DART_TYPE_DOUBLE, DART_OP_SUM, root(c, i), DART_TEAM_ALL);
  works_check(bad, "dart_reduce");
}

static void allreduce(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++)
    bad |= dart_allreduce(c->send, c->recv, doubles_n(c), DART_TYPE_DOUBLE, DART_OP_SUM, DART_TEAM_ALL);
  works_check(bad, "dart_allreduce");
}

static void gather(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++)
    bad |= dart_gather(c->send, c->recv, c->bytes, DART_TYPE_BYTE, root(c, i), DART_TEAM_ALL);
  works_check(bad, "dart_gather");
}

static void scatter(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++)
    bad |= dart_scatter(c->send, c->recv, c->bytes, DART_TYPE_BYTE, root(c, i), DART_TEAM_ALL);
  works_check(bad, "dart_scatter");
}

static void allgather(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) bad |= dart_allgather(c->send, c->recv, c->bytes, DART_TYPE_BYTE, DART_TEAM_ALL);
  works_check(bad, "dart_allgather");
}

static void alltoall(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) bad |= dart_alltoall(c->send, c->recv, c->bytes, DART_TYPE_BYTE, DART_TEAM_ALL);
  works_check(bad, "dart_alltoall");
}

/* ---- global memory ---- */

enum { GLOBALS_MAX = 2 /* that one work holds at a time */ };
static dart_gptr_t globals[GLOBALS_MAX];
static int globals_n;

static void *take_global(const struct perf *p, size_t bytes) {
  void *own;
  globals[globals_n] = works_alloc(p, bytes, p->unit);
  works_check(dart_gptr_getaddr(globals[globals_n++], &own), "dart_gptr_getaddr");
  return own;
}

static void give_global(const struct perf *p, void *memory) {
  (void)p, (void)memory;
  works_free(globals[--globals_n]);
}

static const struct perf_coll_memory global = {"global", take_global, give_global};

/* ---- limits ---- */

enum { CARRIED_BYTES = 64 /* one cache line, which a barrier writes in any case */ };

static const struct perf_op *no_less_than_barrier(const struct perf *p, size_t bytes) {
  return bytes <= CARRIED_BYTES ? limits_barrier(p) : NULL;
}

/* Every unit but the root copies data that another unit wrote. */
static const struct perf_op *barrier_or_copy(const struct perf *p, size_t bytes) {
  return bytes >= PERF_BANDWIDTH_FROM ? limits_copy(p, LIMITS_GET, bytes) : no_less_than_barrier(p, bytes);
}

static void run(struct perf *p, const struct perf_work *work) {
  perf_coll_limit limit = work->loop == bcast ? barrier_or_copy : no_less_than_barrier;
  size_t elem_bytes = work->loop == reduce || work->loop == allreduce ? sizeof(double) : 1;
  /* Peers have private memory only. It comes first here, too: a TCP connection is slower after some traffic (docs/mpi-notes.md). */
  perf_coll_run(p, work, &perf_coll_plain, elem_bytes, limit);
  perf_coll_run(p, work, &global, elem_bytes, limit);
}

const struct perf_work coll_works[] = {
    {"coll.bcast", "dart_bcast: private memory (plain), global memory", run, bcast, PERF_COLL_SINGLE},
    {"coll.reduce", "dart_reduce: sum of doubles", run, reduce, PERF_COLL_SINGLE},
    {"coll.allreduce", "dart_allreduce: sum of doubles", run, allreduce, PERF_COLL_SINGLE},
    {"coll.gather", "dart_gather: bytes of each unit", run, gather, PERF_COLL_RECEIVES_ALL},
    {"coll.scatter", "dart_scatter: bytes for each unit", run, scatter, PERF_COLL_SENDS_ALL},
    {"coll.allgather", "dart_allgather: bytes of each unit", run, allgather, PERF_COLL_RECEIVES_ALL},
    {"coll.alltoall", "dart_alltoall: bytes from each unit to each", run, alltoall, PERF_COLL_ALL},
    {0},
};
