/* Collectives of teams, and the functions that the collectives of active sets call. */
#include "api/shmem/shmem_api.h"

#include <string.h>

#include "coll/coll.h"
#include "coll/nb.h"
#include "core/check.h"
#include "core/stats.h"
#include "vis/layout.h"

/* The address by which the other PEs of the node can copy the bytes. A buffer that is not symmetric ends the job, since the other
 * members would wait. */
static void *symmetric_of(const void *buffer, size_t bytes, const char *call) {
  if (!bytes) return (void *)(uintptr_t)buffer;
  return tsr_place_pointer((tsr_addr){TSR_UNIT(tsr_place.self), tsr_shmem_require_symmetric(buffer, bytes, call)});
}
static void *dest_of(void *dest, size_t bytes, const char *call) { return symmetric_of(dest, bytes, call); }

static bool is_private(const void *memory) {
  uint32_t local;
  uint64_t off;
  return memory && !tsr_heap_contains(memory, &local, &off) && !tsr_shmem_is_symmetric(memory, 1, &off);
}

/* The specification asks for a symmetric source. Programs also pass private memory, which the other PEs need not address. */
static const void *source_of(const void *source, size_t bytes, const char *call) {
  return is_private(source) && !tsr_config_check() ? source : symmetric_of(source, bytes, call);
}

static int end_call(tessera_status_t status, enum tsr_stat what, uint64_t begun_ns, size_t bytes) {
  tsr_stats_end(what, begun_ns, bytes);
  return status ? -1 : 0;
}

/* ---- barriers ---- */

static int sync_team(tsr_team *team, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  return end_call(tsr_barrier(team), TSR_STAT_BARRIER, begun_ns, 0);
}
static void sync_all(const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  tsr_barrier_or_abort(tsr_team_world, call);
  end_call(TESSERA_OK, TSR_STAT_BARRIER, begun_ns, 0);
}

int pshmem_team_sync(shmem_team_t handle) {
  const char *call = "shmem_team_sync";
  const struct shmemi_team *team = tsr_shmem_team_if(handle, call);
  return team ? sync_team(team->core, call) : -1;
}

void pshmem_sync_all(void) {
  tsr_shmem_must_be_up("shmem_sync_all");
  sync_all("shmem_sync_all");
}

void pshmem_barrier_all(void) {
  TSR_SHMEM_ENTER("shmem_barrier_all");
  tsr_shmem_quiet(&tsr_shmem_ctx_default);
  sync_all("shmem_barrier_all");
}

/* ---- moving data ---- */

/* With TESSERA_CHECK=1 compares the calls of all members. */
static bool goes_on(tsr_team *team, const char *call, size_t bytes, int root) { return tsr_check_same(team, call, bytes, root, 0); }

int tsr_shmem_broadcast(tsr_team *team, void *dest, const void *source, size_t bytes, int root, bool root_too, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  if (!tsr_team_has(team, TSR_MEMBER(root)))
    tsr_shmem_die("TSR-5014 %s: there is no root %d; pass 0 to %d", call, root, team->size - 1);
  if (!goes_on(team, call, bytes, root)) return -1;
  const bool is_root = team->self == root;
  const void *from = is_root ? source_of(source, bytes, call) : NULL;
  void *to = is_root && !root_too ? NULL : dest_of(dest, bytes, call);
  tessera_status_t status = tsr_bcast(team, is_root ? (void *)(uintptr_t)from : to, bytes, TSR_MEMBER(root));
  if (is_root && root_too && bytes) memmove(to, from, bytes);
  return end_call(status, TSR_STAT_BCAST, begun_ns, bytes);
}

int tsr_shmem_fcollect(tsr_team *team, void *dest, const void *source, size_t bytes, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  if (!goes_on(team, call, bytes, -1)) return -1;
  const void *from = source_of(source, bytes, call);
  void *to = dest_of(dest, tsr_shmem_bytes(bytes, (size_t)team->size, call), call);
  return end_call(tsr_allgather(team, from, to, bytes), TSR_STAT_ALLGATHER, begun_ns, bytes);
}

/* The members exchange their sizes first. */
int tsr_shmem_collect(tsr_team *team, void *dest, const void *source, size_t bytes, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  if (!goes_on(team, call, TSR_CHECK_NO_BYTES, -1)) return -1;
  size_t *counts = tsr_coll_memory(2 * (size_t)team->size * sizeof *counts), *offs = counts + team->size, all = 0;
  const void *from = source_of(source, bytes, call);
  tessera_status_t status = tsr_allgather(team, &bytes, counts, sizeof bytes);
  for (int32_t i = 0; i < team->size; i++) {
    offs[i] = all;
    all += counts[i];
  }
  if (!status) status = tsr_allgatherv(team, from, dest_of(dest, all, call), counts, offs);
  free(counts);
  return end_call(status, TSR_STAT_ALLGATHER, begun_ns, bytes);
}

int tsr_shmem_alltoall(tsr_team *team, void *dest, const void *source, size_t bytes, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  if (!goes_on(team, call, bytes, -1)) return -1;
  const size_t all = tsr_shmem_bytes(bytes, (size_t)team->size, call);
  const void *from = source_of(source, all, call);
  return end_call(tsr_alltoall(team, from, dest_of(dest, all, call), bytes), TSR_STAT_ALLTOALL, begun_ns, bytes);
}

/* Both sides are packed, so that the elements for each member are one block. */
int tsr_shmem_alltoalls(tsr_team *team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t elem_bytes,
                        size_t nelems, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  if (dst < 1 || sst < 1) tsr_shmem_die("TSR-5015 %s: the strides are %td and %td; pass 1 or more", call, dst, sst);
  if (!goes_on(team, call, tsr_shmem_bytes(nelems, elem_bytes, call), -1)) return -1;
  const size_t n = tsr_shmem_bytes(nelems, (size_t)team->size, call), all = tsr_shmem_bytes(n, elem_bytes, call);
  if (!n) return end_call(tsr_alltoall(team, source, dest, 0), TSR_STAT_ALLTOALL, begun_ns, 0);
  const size_t source_bytes = tsr_shmem_extent(n, sst, 1, elem_bytes, call);
  const size_t dest_bytes = tsr_shmem_extent(n, dst, 1, elem_bytes, call);
  const void *from = source_of(source, source_bytes, call);
  void *to = dest_of(dest, dest_bytes, call);
  char *sent = tsr_coll_memory(2 * all), *received = sent + all;
  const tsr_layout apart = tsr_layout_strided(elem_bytes, n, sst * (ptrdiff_t)elem_bytes);
  const tsr_layout spread = tsr_layout_strided(elem_bytes, n, dst * (ptrdiff_t)elem_bytes);
  tsr_layout_pack(sent, from, &apart, 0, all);
  tessera_status_t status = tsr_alltoall(team, sent, received, nelems * elem_bytes);
  tsr_layout_unpack(to, &spread, 0, all, received);
  free(sent);
  return end_call(status, TSR_STAT_ALLTOALL, begun_ns, all);
}

/* ---- combining ---- */

int tsr_shmem_reduce(tsr_team *team, void *dest, const void *source, size_t n, tsr_type type, tsr_arith op, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  const size_t bytes = tsr_shmem_bytes(n, tsr_type_bytes(type), call);
  if (!tsr_check_same(team, call, bytes, -1, tsr_check_builtin(type, op))) return -1;
  const tsr_reducer how = tsr_reducer_make(type, op);
  const void *from = source_of(source, bytes, call);
  return end_call(tsr_allreduce(team, from, dest_of(dest, bytes, call), n, &how), TSR_STAT_ALLREDUCE, begun_ns, bytes);
}

static int run_scan(shmem_team_t handle, void *dest, const void *source, size_t n, tsr_type type, bool exclusive,
                    const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  tsr_team *team = tsr_shmem_team(handle, call)->core;
  const size_t bytes = tsr_shmem_bytes(n, tsr_type_bytes(type), call);
  if (!tsr_check_same(team, call, bytes, -1, tsr_check_builtin(type, TSR_SUM))) return -1;
  const tsr_reducer how = tsr_reducer_make(type, TSR_SUM);
  const void *from = source_of(source, bytes, call);
  void *to = dest_of(dest, bytes, call);
  tsr_schedule_run(tsr_nb_scan(team, from, to, n, &how, exclusive), NULL, NULL);
  if (exclusive && team->self == 0 && bytes) memset(to, 0, bytes);
  return end_call(TESSERA_OK, TSR_STAT_SCAN, begun_ns, bytes);
}

/* ---- the functions ---- */

#define CORE(call) tsr_shmem_team(team, call)->core
#define SIZED(BYTES, call) tsr_shmem_bytes(nelems, BYTES, call)
#define DEFINE_MOVES(BROADCAST, COLLECT, FCOLLECT, ALLTOALL, ALLTOALLS, T, BYTES)                                           \
  int pshmem_##BROADCAST(shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root) {                         \
    const char *call = "shmem_" #BROADCAST;                                                                                 \
    return tsr_shmem_broadcast(CORE(call), dest, source, SIZED(BYTES, call), PE_root, true, call);                          \
  }                                                                                                                         \
  int pshmem_##COLLECT(shmem_team_t team, T *dest, const T *source, size_t nelems) {                                        \
    const char *call = "shmem_" #COLLECT;                                                                                   \
    return tsr_shmem_collect(CORE(call), dest, source, SIZED(BYTES, call), call);                                           \
  }                                                                                                                         \
  int pshmem_##FCOLLECT(shmem_team_t team, T *dest, const T *source, size_t nelems) {                                       \
    const char *call = "shmem_" #FCOLLECT;                                                                                  \
    return tsr_shmem_fcollect(CORE(call), dest, source, SIZED(BYTES, call), call);                                          \
  }                                                                                                                         \
  int pshmem_##ALLTOALL(shmem_team_t team, T *dest, const T *source, size_t nelems) {                                       \
    const char *call = "shmem_" #ALLTOALL;                                                                                  \
    return tsr_shmem_alltoall(CORE(call), dest, source, SIZED(BYTES, call), call);                                          \
  }                                                                                                                         \
  int pshmem_##ALLTOALLS(shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) {        \
    const char *call = "shmem_" #ALLTOALLS;                                                                                 \
    return tsr_shmem_alltoalls(CORE(call), dest, source, dst, sst, BYTES, nelems, call);                                    \
  }
#define ROW(NAME, T) \
  DEFINE_MOVES(NAME##_broadcast, NAME##_collect, NAME##_fcollect, NAME##_alltoall, NAME##_alltoalls, T, sizeof(T))
SHMEMI_RMA_TYPES(ROW)
#undef ROW
DEFINE_MOVES(broadcastmem, collectmem, fcollectmem, alltoallmem, alltoallsmem, void, 1)

#define DEFINE_REDUCE(NAME, T, OP, HOW)                                                                                     \
  int pshmem_##NAME##_##OP##_reduce(shmem_team_t team, T *dest, const T *source, size_t nreduce) {                          \
    const char *call = "shmem_" #NAME "_" #OP "_reduce";                                                                    \
    return tsr_shmem_reduce(CORE(call), dest, source, nreduce, TSR_SHMEM_TYPE(T), HOW, call);                               \
  }
#define ROW(NAME, T) DEFINE_REDUCE(NAME, T, and, TSR_BAND) DEFINE_REDUCE(NAME, T, or, TSR_BOR) DEFINE_REDUCE(NAME, T, xor, TSR_BXOR)
SHMEMI_REDUCE_BITS(ROW)
#undef ROW
#define ROW(NAME, T) DEFINE_REDUCE(NAME, T, max, TSR_MAX) DEFINE_REDUCE(NAME, T, min, TSR_MIN)
SHMEMI_REDUCE_ORDER(ROW)
#undef ROW
#define ROW(NAME, T)                                                                                                        \
  DEFINE_REDUCE(NAME, T, sum, TSR_SUM) DEFINE_REDUCE(NAME, T, prod, TSR_PROD)                                               \
  int pshmem_##NAME##_sum_inscan(shmem_team_t team, T *dest, const T *source, size_t nelems) {                              \
    return run_scan(team, dest, source, nelems, TSR_SHMEM_TYPE(T), false, "shmem_" #NAME "_sum_inscan");                        \
  }                                                                                                                         \
  int pshmem_##NAME##_sum_exscan(shmem_team_t team, T *dest, const T *source, size_t nelems) {                              \
    return run_scan(team, dest, source, nelems, TSR_SHMEM_TYPE(T), true, "shmem_" #NAME "_sum_exscan");                         \
  }
SHMEMI_REDUCE_SUM(ROW)
#undef ROW

#include "api/shmem/names.h"
#include <shmem/collective.h>
