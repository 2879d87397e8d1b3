#include <dash/dart/if/dart_synchronization.h>

#include <pthread.h>

#include "base/pool.h"
#include "core/runtime.h"
#include "core/stats.h"
#include "api/dart/dart_api.h"
#include "rma/lock.h"

/* The program's handle of a lock is its number in this pool, which recognises numbers of destroyed locks. The mutex
 * protects creation and destruction; look-ups do not take it. */
static tsr_pool locks;
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

void tsr_dart_locks_start(void) { tsr_pool_init(&locks, sizeof(tsr_lock)); }

static void drop_lock(void *lock) { tsr_lock_drop(lock); }

void tsr_dart_locks_stop(void) {
  tsr_pool_each(&locks, drop_lock);
  tsr_pool_finish(&locks);
}

static uint64_t number_of(const struct dart_lock_struct *lock) { return (uintptr_t)lock; }

static void free_lock(uint64_t number) {
  pthread_mutex_lock(&changing);
  tsr_pool_give(&locks, number);
  pthread_mutex_unlock(&changing);
}

/* NULL: see no_lock. */
static inline tsr_lock *find_lock(const struct dart_lock_struct *lock) {
  return TSR_LIKELY(tsr_dart_up) ? tsr_pool_find(&locks, number_of(lock)) : NULL;
}

static __attribute__((cold)) dart_ret_t no_lock(const char *call, dart_lock_t lock) {
  if (!tsr_dart_up) return tsr_dart_code(tsr_runtime_not_up(call));
  if (!lock) return tsr_dart_invalid("TSR-2082 %s: the lock is DART_LOCK_NULL; create it with dart_team_lock_init", call);
  return tsr_dart_invalid("TSR-2083 %s: unknown lock %p; it was destroyed, ended with an earlier dart_exit, or did not come "
                          "from dart_team_lock_init", call, (void *)lock);
}

/* A unit with wrong arguments still takes part in the collective, so that the other units fail instead of waiting. */
dart_ret_t dart_team_lock_init(dart_team_t teamid, dart_lock_t *lock) {
  tsr_team *team = tsr_dart_team(teamid);
  if (lock) *lock = DART_LOCK_NULL;
  if (!team) return tsr_dart_no_team(__func__, teamid);
  uint64_t number = 0;
  pthread_mutex_lock(&changing);
  tsr_lock *made = lock ? tsr_pool_take(&locks, &number) : NULL;
  pthread_mutex_unlock(&changing);
  tessera_status_t status = tsr_lock_create(team, made);
  if (!lock) return tsr_dart_invalid("TSR-2084 %s: lock is NULL; pass where to store the lock", __func__);
  if (!made)
    return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2081 %s: no private memory for one more lock; destroy some first", __func__);
  if (status) free_lock(number);
  else *lock = (dart_lock_t)(uintptr_t)number;
  return tsr_dart_code(status);
}

dart_ret_t dart_team_lock_destroy(dart_lock_t *lock) {
  if (!lock) return tsr_dart_invalid("TSR-2085 %s: lock is NULL; pass the address of the lock", __func__);
  if (!tsr_dart_up) *lock = DART_LOCK_NULL; /* dart_exit has dropped it */
  if (*lock == DART_LOCK_NULL) return DART_OK;
  tsr_lock *found = find_lock(*lock);
  if (!found) return no_lock(__func__, *lock);
  tessera_status_t status = tsr_lock_destroy(found);
  if (status == TESSERA_ERR_STATE)
    return tsr_dart_invalid("TSR-2086 %s: lock %p is held or waited for on this unit; release it, then destroy it again",
                            __func__, (void *)*lock);
  if (status) return tsr_dart_code(status);
  free_lock(number_of(*lock));
  *lock = DART_LOCK_NULL;
  return DART_OK;
}

dart_ret_t dart_lock_acquire(dart_lock_t lock) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_lock *found = find_lock(lock);
  if (!TSR_LIKELY(found)) return no_lock(__func__, lock);
  tessera_status_t status = tsr_lock_acquire(found);
  if (!TSR_LIKELY(status != TESSERA_ERR_STATE))
    return tsr_dart_invalid("TSR-2087 %s: the calling thread already holds lock %p; release it first, locks are not recursive",
                            __func__, (void *)lock);
  if (!TSR_LIKELY(!status)) return tsr_dart_code(status);
  tsr_stats_end(TSR_STAT_LOCK, begun_ns, 0);
  return DART_OK;
}

dart_ret_t dart_lock_try_acquire(dart_lock_t lock, int32_t *result) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_lock *found = find_lock(lock);
  if (!TSR_LIKELY(found)) return no_lock(__func__, lock);
  if (!TSR_LIKELY(result)) return tsr_dart_invalid("TSR-2088 %s: result is NULL; pass where to store the answer", __func__);
  bool got = false;
  tessera_status_t status = tsr_lock_try(found, &got);
  if (status) return tsr_dart_code(status);
  *result = got;
  if (got) tsr_stats_end(TSR_STAT_LOCK, begun_ns, 0);
  return DART_OK;
}

dart_ret_t dart_lock_release(dart_lock_t lock) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_lock *found = find_lock(lock);
  if (!TSR_LIKELY(found)) return no_lock(__func__, lock);
  tessera_status_t status = tsr_lock_release(found);
  if (!TSR_LIKELY(status != TESSERA_ERR_STATE))
    return tsr_dart_invalid("TSR-2089 %s: the calling thread does not hold lock %p; release it in the thread that acquired it",
                            __func__, (void *)lock);
  if (!TSR_LIKELY(!status)) return tsr_dart_code(status);
  tsr_stats_end(TSR_STAT_UNLOCK, begun_ns, 0);
  return DART_OK;
}

bool dart_lock_initialized(const struct dart_lock_struct *lock) { return find_lock(lock) != NULL; }
