/* OpenSHMEM's collectives on the works coll.*. They take symmetric buffers only. There is no gather, no scatter, and no
 * reduction to one unit. */
#include <shmem.h>

#include "../../../tools/tessera-perf/coll.c"

/* A work array may be reused when all units have left its last call. With this number of arrays one barrier per SYNCS_N
 * calls is enough. (Calls in which every unit needs every other unit need only two arrays.) */
enum { SYNCS_N = 64 };
static long bcast_syncs[SYNCS_N][SHMEM_BCAST_SYNC_SIZE], reduce_syncs[2][SHMEM_REDUCE_SYNC_SIZE];
static long collect_syncs[2][SHMEM_COLLECT_SYNC_SIZE], alltoall_syncs[2][SHMEM_ALLTOALL_SYNC_SIZE];
static double *reduce_work[2];

static void set_sync(long *sync, size_t longs_n) {
  for (size_t i = 0; i < longs_n; i++) sync[i] = SHMEM_SYNC_VALUE;
}

static void coll_bcast(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++) {
    if (i && i % SYNCS_N == 0) shmem_barrier_all();
    shmem_broadcast64(c->recv, c->send, c->bytes / 8, perf_coll_root(c, i), 0, 0, c->units, bcast_syncs[i % SYNCS_N]);
  }
}

static void coll_allreduce(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++)
    shmem_double_sum_to_all(c->recv, c->send, (int)(c->bytes / sizeof(double)), 0, 0, c->units, reduce_work[i % 2],
                            reduce_syncs[i % 2]);
}

static void coll_allgather(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++)
    shmem_fcollect64(c->recv, c->send, c->bytes / 8, 0, 0, c->units, collect_syncs[i % 2]);
}

static void coll_alltoall(void *arg, uint64_t n) {
  const struct perf_coll *c = arg;
  for (uint64_t i = 0; i < n; i++)
    shmem_alltoall64(c->recv, c->send, c->bytes / 8, 0, 0, c->units, alltoall_syncs[i % 2]);
}

static void *take_symmetric(const struct perf *p, size_t bytes) {
  (void)p;
  void *memory = symmetric(bytes);
  memset(memory, 1, bytes);
  return memory;
}

static void give_symmetric(const struct perf *p, void *memory) {
  (void)p;
  shmem_free(memory);
}

static const struct perf_coll_memory symmetric_memory = {"global", take_symmetric, give_symmetric};

static void open_syncs(size_t bytes) {
  for (int i = 0; i < SYNCS_N; i++) set_sync(bcast_syncs[i], SHMEM_BCAST_SYNC_SIZE);
  for (int i = 0; i < 2; i++) {
    size_t n = bytes / sizeof(double) / 2 + 1;
    set_sync(reduce_syncs[i], SHMEM_REDUCE_SYNC_SIZE);
    set_sync(collect_syncs[i], SHMEM_COLLECT_SYNC_SIZE);
    set_sync(alltoall_syncs[i], SHMEM_ALLTOALL_SYNC_SIZE);
    n = n > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? n : SHMEM_REDUCE_MIN_WRKDATA_SIZE;
    reduce_work[i] = symmetric(n * sizeof(double));
  }
  shmem_barrier_all();
}

static void run_coll(struct perf *p, const struct perf_work *work) {
  size_t longest = 0;
  for (int i = 0; i < p->bytes_n; i++) longest = p->bytes[i] > longest ? p->bytes[i] : longest;
  open_syncs(longest);
  perf_coll_run(p, work, &symmetric_memory, sizeof(uint64_t), NULL);
  shmem_free(reduce_work[1]);
  shmem_free(reduce_work[0]);
}

static const struct perf_work coll_works[] = {
    {"coll.bcast", "shmem_broadcast64", run_coll, coll_bcast, PERF_COLL_SINGLE},
    {"coll.allreduce", "shmem_double_sum_to_all", run_coll, coll_allreduce, PERF_COLL_SINGLE},
    {"coll.allgather", "shmem_fcollect64", run_coll, coll_allgather, PERF_COLL_RECEIVES_ALL},
    {"coll.alltoall", "shmem_alltoall64", run_coll, coll_alltoall, PERF_COLL_ALL},
    {0},
};
