/* Collectives of active sets. Each set has a team, which is made when the set is first used and found again by start, stride and
 * size. If several threads may be in collectives of one set at once, pSync distinguishes their calls, and each pSync has a team of
 * its own. */
#include "api/shmem/shmem_api.h"

#include <pthread.h>

#include "coll/coll.h"
#include "core/stats.h"

struct set {
  int start, log_stride, size;
  uint64_t sync; /* the name of pSync, the same on all PEs; 0: one team serves all */
  tsr_team *team;
};
static struct {
  struct set *sets;
  size_t n, room;
} known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the table: threads may use different sets at once */

void tsr_shmem_sets_stop(void) {
  free(known.sets);
  known.sets = NULL;
  known.n = known.room = 0;
}

static void check_set(const struct set *set, const char *call) {
  tsr_shmem_must_be_up(call);
  const int n = tsr_place.units_n;
  bool good = set->start >= 0 && set->size >= 1 && set->log_stride >= 0 && set->log_stride < 31;
  if (good) good = set->start + ((int64_t)(set->size - 1) << set->log_stride) < n;
  if (!good)
    tsr_shmem_die("TSR-5000 %s: the active set of PE_start %d, logPE_stride %d and PE_size %d has PEs outside 0 to %d; name PEs "
                  "that exist",
                  call, set->start, set->log_stride, set->size, n - 1);
  int64_t distance = (int64_t)tsr_place.self - set->start;
  if (distance < 0 || distance & ((1 << set->log_stride) - 1) || distance >> set->log_stride >= set->size)
    tsr_shmem_die("TSR-5001 %s: PE %d is not in the active set; call from its PEs only", call, tsr_place.self);
}

static tsr_team *make_team(const struct set *set, const char *call) {
  tsr_unit *units = malloc((size_t)set->size * sizeof *units);
  tsr_team *team = NULL;
  if (!units)
    tsr_shmem_die("TSR-5002 %s: no private memory for an active set of %d PE%s; " TSR_REMEDY_MEMORY, call, set->size,
                  set->size == 1 ? "" : "s");
  for (int i = 0; i < set->size; i++) units[i] = TSR_UNIT(set->start + (i << set->log_stride));
  /* The key distinguishes threads that make teams of one list at the same time. */
  if (tsr_team_create_alone(set->size, units, (int32_t)(set->sync / sizeof(long) ^ set->sync >> 33), &team))
    tsr_shmem_die("TSR-5003 %s: no team could be made of the active set; the line above says why", call);
  free(units);
  team->api = TSR_API_SHMEM;
  return team;
}

static tsr_team *find_team(const struct set *set) {
  tsr_team *team = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = known.n; i-- > 0 && !team;) {
    const struct set *old = &known.sets[i];
    if (old->start == set->start && old->size == set->size && old->log_stride == set->log_stride && old->sync == set->sync)
      team = old->team;
  }
  pthread_mutex_unlock(&lock);
  return team;
}

static void add_set(const struct set *set, const char *call) {
  pthread_mutex_lock(&lock);
  if (known.n == known.room) {
    known.room = known.room ? 2 * known.room : 16;
    known.sets = realloc(known.sets, known.room * sizeof *known.sets);
    if (!known.sets) tsr_shmem_die("TSR-5004 %s: no private memory for %zu active sets; " TSR_REMEDY_MEMORY, call, known.room);
  }
  known.sets[known.n++] = *set;
  pthread_mutex_unlock(&lock);
}

static tsr_team *team_of(int start, int log_stride, int size, const long *sync, const char *call) {
  struct set set = {.start = start, .log_stride = log_stride, .size = size};
  check_set(&set, call);
  uint64_t off;
  if (tsr_shmem_level == SHMEM_THREAD_MULTIPLE && tsr_shmem_is_symmetric(sync, sizeof *sync, &off)) set.sync = tsr_shmem_name(sync);
  if (size == tsr_place.units_n && !set.sync) return tsr_team_world;
  tsr_team *team = find_team(&set);
  if (team) return team;
  set.team = make_team(&set, call);
  add_set(&set, call);
  return set.team;
}

void pshmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync) {
  TSR_SHMEM_ENTER("shmem_barrier");
  tsr_team *team = team_of(PE_start, logPE_stride, PE_size, pSync, "shmem_barrier");
  tsr_shmem_quiet(&tsr_shmem_ctx_default);
  tsr_barrier_or_abort(team, "shmem_barrier");
}
void pshmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync) {
  TSR_SHMEM_ENTER("shmem_sync");
  tsr_barrier_or_abort(team_of(PE_start, logPE_stride, PE_size, pSync, "shmem_sync"), "shmem_sync");
}

#define SET int PE_start, int logPE_stride, int PE_size
#define TEAM team_of(PE_start, logPE_stride, PE_size, pSync, call)
#define ROW(SIZE)                                                                                                           \
  void pshmem_broadcast##SIZE(void *dest, const void *source, size_t nelems, int PE_root, SET, long *pSync) {               \
    const char *call = "shmem_broadcast" #SIZE;                                                                             \
    tsr_shmem_broadcast(TEAM, dest, source, tsr_shmem_bytes(nelems, SIZE / 8, call), PE_root, false, call);                 \
  }                                                                                                                         \
  void pshmem_collect##SIZE(void *dest, const void *source, size_t nelems, SET, long *pSync) {                              \
    const char *call = "shmem_collect" #SIZE;                                                                               \
    tsr_shmem_collect(TEAM, dest, source, tsr_shmem_bytes(nelems, SIZE / 8, call), call);                                   \
  }                                                                                                                         \
  void pshmem_fcollect##SIZE(void *dest, const void *source, size_t nelems, SET, long *pSync) {                             \
    const char *call = "shmem_fcollect" #SIZE;                                                                              \
    tsr_shmem_fcollect(TEAM, dest, source, tsr_shmem_bytes(nelems, SIZE / 8, call), call);                                  \
  }                                                                                                                         \
  void pshmem_alltoall##SIZE(void *dest, const void *source, size_t nelems, SET, long *pSync) {                             \
    const char *call = "shmem_alltoall" #SIZE;                                                                              \
    tsr_shmem_alltoall(TEAM, dest, source, tsr_shmem_bytes(nelems, SIZE / 8, call), call);                                  \
  }                                                                                                                         \
  void pshmem_alltoalls##SIZE(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, SET,             \
                              long *pSync) {                                                                                \
    const char *call = "shmem_alltoalls" #SIZE;                                                                             \
    tsr_shmem_alltoalls(TEAM, dest, source, dst, sst, SIZE / 8, nelems, call);                                              \
  }
SHMEMI_SET_SIZES(ROW)
#undef ROW

#define DEFINE_TO_ALL(NAME, T, OP, HOW)                                                                                     \
  void pshmem_##NAME##_##OP##_to_all(T *dest, const T *source, int nreduce, SET, T *pWrk, long *pSync) {                    \
    const char *call = "shmem_" #NAME "_" #OP "_to_all";                                                                    \
    (void)pWrk;                                                                                                             \
    if (nreduce < 0) tsr_shmem_die("TSR-5005 %s: nreduce is %d; pass 0 or more", call, nreduce);                            \
    tsr_shmem_reduce(TEAM, dest, source, (size_t)nreduce, TSR_SHMEM_TYPE(T), HOW, call);                                    \
  }
#define ROW(NAME, T) DEFINE_TO_ALL(NAME, T, and, TSR_BAND) DEFINE_TO_ALL(NAME, T, or, TSR_BOR) DEFINE_TO_ALL(NAME, T, xor, TSR_BXOR)
SHMEMI_SET_BITS(ROW)
#undef ROW
#define ROW(NAME, T) DEFINE_TO_ALL(NAME, T, max, TSR_MAX) DEFINE_TO_ALL(NAME, T, min, TSR_MIN)
SHMEMI_SET_ORDER(ROW)
#undef ROW
#define ROW(NAME, T) DEFINE_TO_ALL(NAME, T, sum, TSR_SUM) DEFINE_TO_ALL(NAME, T, prod, TSR_PROD)
SHMEMI_SET_SUM(ROW)
#undef ROW

#include "api/shmem/names.h"
#include <shmem/active_set.h>
