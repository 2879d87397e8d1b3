/* OpenSHMEM's collectives on all units: of the active set (`set`), and from 1.5 on of the team (`team`). */
#include <stdlib.h>
#include <string.h>

#include "coll.h"
#include "limits.h"
#include "shmem_coll.h"
#include "shmem_works.h"

/* A work array may be reused when all units have left its last call. With this number of arrays one barrier per SYNCS_N
 * calls is enough. (Calls in which every unit needs every other unit need only two arrays.) */
enum { SYNCS_N = 64 };
static long bcast_syncs[SYNCS_N][SHMEM_BCAST_SYNC_SIZE], reduce_syncs[2][SHMEM_REDUCE_SYNC_SIZE];
static long collect_syncs[2][SHMEM_COLLECT_SYNC_SIZE], alltoall_syncs[2][SHMEM_ALLTOALL_SYNC_SIZE];
static double *reduce_work[2];

/* ---- memory ---- */

static void *take(const struct perf *p, size_t bytes) {
  (void)p;
  return memset(perf_symmetric(bytes), 1, bytes);
}

static void give(const struct perf *p, void *memory) {
  (void)p;
  shmem_free(memory);
}

/* ---- the active set ---- */

void perf_shmem_bcast(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++) {
    if (i && i % SYNCS_N == 0) shmem_barrier_all();
    shmem_broadcast64(c->recv, c->send, c->bytes / 8, perf_coll_root(c, i), 0, 0, c->units, bcast_syncs[i % SYNCS_N]);
  }
}

void perf_shmem_reduce(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++)
    shmem_double_sum_to_all(c->recv, c->send, (int)(c->bytes / sizeof(double)), 0, 0, c->units, reduce_work[i % 2],
                            reduce_syncs[i % 2]);
}

static void collect(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++) shmem_collect64(c->recv, c->send, c->bytes / 8, 0, 0, c->units, collect_syncs[i % 2]);
}

void perf_shmem_fcollect(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++) shmem_fcollect64(c->recv, c->send, c->bytes / 8, 0, 0, c->units, collect_syncs[i % 2]);
}

void perf_shmem_alltoall(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++) shmem_alltoall64(c->recv, c->send, c->bytes / 8, 0, 0, c->units, alltoall_syncs[i % 2]);
}

/* ---- the team ---- */

#if PERF_SHMEM_1_5
static void team_bcast(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  int bad = 0;
  for (uint64_t i = 0; i < n; i++) bad |= shmem_broadcastmem(SHMEM_TEAM_WORLD, c->recv, c->send, c->bytes, perf_coll_root(c, i));
  perf_shmem_require(!bad, "shmem_broadcastmem");
}

static void team_reduce(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  int bad = 0;
  while (n--) bad |= shmem_double_sum_reduce(SHMEM_TEAM_WORLD, c->recv, c->send, c->bytes / sizeof(double));
  perf_shmem_require(!bad, "shmem_double_sum_reduce");
}

static void team_collect(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  int bad = 0;
  while (n--) bad |= shmem_collectmem(SHMEM_TEAM_WORLD, c->recv, c->send, c->bytes);
  perf_shmem_require(!bad, "shmem_collectmem");
}

static void team_fcollect(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  int bad = 0;
  while (n--) bad |= shmem_fcollectmem(SHMEM_TEAM_WORLD, c->recv, c->send, c->bytes);
  perf_shmem_require(!bad, "shmem_fcollectmem");
}

static void team_alltoall(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  int bad = 0;
  while (n--) bad |= shmem_alltoallmem(SHMEM_TEAM_WORLD, c->recv, c->send, c->bytes);
  perf_shmem_require(!bad, "shmem_alltoallmem");
}

static const struct { perf_loop of_set, of_team; } pairs[] = {{perf_shmem_bcast, team_bcast},
                                                               {perf_shmem_reduce, team_reduce},
                                                               {collect, team_collect},
                                                               {perf_shmem_fcollect, team_fcollect},
                                                               {perf_shmem_alltoall, team_alltoall}};

static void run_team(struct perf *p, const struct perf_work *work) {
  const struct perf_coll_memory symmetric = {"team", take, give};
  struct perf_work team = *work;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i].of_set == work->loop) team.loop = pairs[i].of_team;
  perf_coll_run(p, &team, &symmetric, sizeof(uint64_t), NULL);
}
#endif

/* ---- the works ---- */

static void fill_syncs(long *syncs, size_t longs_n) {
  for (size_t i = 0; i < longs_n; i++) syncs[i] = SHMEM_SYNC_VALUE;
}

static void open_sets(size_t bytes) {
  size_t work_n = bytes / sizeof(double) / 2 + 1;
  work_n = work_n > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? work_n : SHMEM_REDUCE_MIN_WRKDATA_SIZE;
  fill_syncs(bcast_syncs[0], sizeof bcast_syncs / sizeof(long));
  fill_syncs(reduce_syncs[0], sizeof reduce_syncs / sizeof(long));
  fill_syncs(collect_syncs[0], sizeof collect_syncs / sizeof(long));
  fill_syncs(alltoall_syncs[0], sizeof alltoall_syncs / sizeof(long));
  for (int i = 0; i < 2; i++) reduce_work[i] = perf_symmetric(work_n * sizeof(double));
  shmem_barrier_all();
}

static void close_sets(void) {
  shmem_free(reduce_work[1]);
  shmem_free(reduce_work[0]);
}

void perf_shmem_run_sets(struct perf *p, const struct perf_work *work, const char *variant) {
  const struct perf_coll_memory symmetric = {variant, take, give};
  size_t longest = 0;
  for (int i = 0; i < p->bytes_n; i++) longest = p->bytes[i] > longest ? p->bytes[i] : longest;
  open_sets(longest);
  perf_coll_run(p, work, &symmetric, sizeof(uint64_t), NULL);
  close_sets();
}

static void run(struct perf *p, const struct perf_work *work) {
  perf_shmem_run_sets(p, work, "set");
#if PERF_SHMEM_1_5
  run_team(p, work);
#endif
}

const struct perf_work shmem_coll_works[] = {
    {"shmem.reduce", "sum of doubles by all: of the active set, of the team", run, perf_shmem_reduce, PERF_COLL_SINGLE},
    {"shmem.broadcast", "the same for broadcast", run, perf_shmem_bcast, PERF_COLL_SINGLE},
    {"shmem.collect", "the same for collect, of one size", run, collect, PERF_COLL_RECEIVES_ALL},
    {"shmem.fcollect", "the same for fcollect", run, perf_shmem_fcollect, PERF_COLL_RECEIVES_ALL},
    {"shmem.alltoall", "the same for alltoall", run, perf_shmem_alltoall, PERF_COLL_ALL},
    {0},
};
