/* Mutexes come in sets: one set of ARMCI_Create_mutexes, and any number of sets of armcix.h. A set is an allocation
 * with a home (rma/lock) for each mutex. A process creates its view of a mutex at the first use.
 *
 * The program's handle of a set is its number in a pool, which recognises the numbers of destroyed sets. */
#include <armcix.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "core/bootstrap.h"
#include "core/check.h"
#include "core/segment.h"
#include "core/stats.h"
#include "api/armci/address.h"
#include "api/armci/group.h"
#include "rma/lock.h"

/* This process's view of a mutex. */
struct view {
  _Atomic bool ready;
  tsr_lock lock;
};

struct set {
  struct tsr_armci_group *group;
  tsr_segment *homes;
  _Atomic(struct view *) *views; /* by rank; NULL: not used yet */
};

static tsr_pool sets;
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER; /* protects the pool and the creation of views */
static uint64_t single; /* the set without a handle; 0: none */

void tsr_armci_mutexes_start(void) { tsr_pool_init(&sets, sizeof(struct set)); }

static int count_of(const struct set *set, int32_t rank) {
  return (int)(tsr_segment_bytes(set->homes, TSR_MEMBER(rank)) / TSR_LOCK_HOME_BYTES);
}

/* Calls visit for all views that are ready, and returns the sum of the results. */
static int each_view(const struct set *set, int (*visit)(struct view *view)) {
  int sum = 0;
  for (int32_t rank = 0; rank < set->group->team->size; rank++) {
    struct view *views = atomic_load(&set->views[rank]);
    for (int i = 0; views && i < count_of(set, rank); i++) sum += atomic_load(&views[i].ready) ? visit(&views[i]) : 0;
  }
  return sum;
}

static int drop_view(struct view *view) {
  tsr_lock_drop(&view->lock);
  return 1;
}
static int is_in_use(struct view *view) { return atomic_load(&view->lock.tickets_n) != atomic_load(&view->lock.serving); }

static void free_views(const struct set *set) {
  for (int32_t rank = 0; set->views && rank < set->group->team->size; rank++) free(atomic_load(&set->views[rank]));
  free((void *)set->views);
}

static void drop_set(void *arg) {
  const struct set *set = arg;
  each_view(set, drop_view);
  free_views(set);
}

/* The runtime frees the homes with all memory of the interface. */
void tsr_armci_mutexes_stop(void) {
  tsr_pool_each(&sets, drop_set);
  tsr_pool_finish(&sets);
  single = 0;
}

/* ---- creation and destruction ---- */

static void release_set(uint64_t number) {
  pthread_mutex_lock(&changing);
  tsr_pool_give(&sets, number);
  pthread_mutex_unlock(&changing);
}

static tessera_status_t make_homes(struct set *set, int n) {
  tsr_team *team = set->group->team;
  size_t bytes = n < 0 || !set->views ? TSR_SEGMENT_FAILED : (size_t)n * TSR_LOCK_HOME_BYTES;
  tessera_status_t status = tsr_segment_alloc(team, bytes, &set->homes);
  if (status) return status;
  set->homes->api = TSR_API_ARMCI;
  set->homes->is_internal = true;
  memset(tsr_heap_at(tsr_heap.self, tsr_segment_off(set->homes, TSR_MEMBER(team->self))), 0, bytes);
  tsr_bootstrap_barrier(team); /* no process uses a home before it is cleared */
  return TESSERA_OK;
}

/* A process with an error still takes part in the collective, so that the others fail, too. 0: failed, logged. */
static uint64_t create_set(const char *call, int n, struct tsr_armci_group *group) {
  uint64_t number = 0;
  pthread_mutex_lock(&changing);
  struct set *set = tsr_pool_take(&sets, &number);
  pthread_mutex_unlock(&changing);
  if (!set) tsr_armci_die("TSR-3076 %s: no private memory for one more set of mutexes; destroy some first", call);
  *set = (struct set){.group = group, .views = calloc((size_t)group->team->size, sizeof *set->views)};
  if (n < 0) tsr_fail(TESSERA_ERR_ARG, "TSR-3077 %s: the number of mutexes is %d; pass 0 or more", call, n);
  else if (!set->views)
    tsr_fail(TESSERA_ERR_MEMORY, "TSR-3078 %s: no private memory for mutexes of %d processes; free some", call,
             group->team->size);
  if (!make_homes(set, n)) {
    atomic_fetch_add(&group->sets_n, 1);
    return number;
  }
  free_views(set);
  release_set(number);
  return 0;
}

static int destroy_set(const char *call, uint64_t number) {
  struct set *set = tsr_pool_find(&sets, number);
  if (!set) return tsr_armci_fail(FAIL, "TSR-3079 %s: there are no mutexes; create them first", call);
  tsr_team *team = set->group->team;
  int64_t used_n = each_view(set, is_in_use);
  if (used_n) tsr_fail(TESSERA_ERR_STATE, "TSR-3080 %s: this process holds %d of the mutexes; unlock them first", call,
                       (int)used_n);
  if (!tsr_check_name(team, "ARMCI_Destroy_mutexes")) return FAIL;
  tsr_bootstrap_max(team, &used_n, 1);
  if (used_n) return FAIL;
  drop_set(set);
  const tessera_status_t status = tsr_segment_free(set->homes);
  atomic_fetch_sub(&set->group->sets_n, 1);
  release_set(number);
  return status ? FAIL : 0;
}

/* ---- locking ---- */

/* A mutex as named by a call: `proc` is a rank in the world or in the set's group, `rank` is one in the group. */
struct name {
  const char *call;
  struct set *set;
  int mutex, proc;
  int32_t rank;
};

/* These calls have no result: an error ends the job. */
static void check_mutex(const struct name *name) {
  tsr_armci_must_be_up(name->call);
  if (!name->set)
    tsr_armci_die("TSR-3082 %s: there are no mutexes: they were not created, or were destroyed; call ARMCI_Create_mutexes first",
                  name->call);
  const tsr_team *team = name->set->group->team;
  if (!tsr_team_has(team, TSR_MEMBER(name->rank)))
    tsr_armci_die("TSR-3083 %s: process %d has no mutexes: it is not one of the %d processes that created them; name one of those",
                  name->call, name->proc, team->size);
  int n = count_of(name->set, name->rank);
  if ((unsigned)name->mutex >= (unsigned)n)
    tsr_armci_die("TSR-3084 %s: process %d has no mutex %d; it created %d, numbered from 0", name->call, name->proc,
                  name->mutex, n);
}

/* One thread creates the view, other threads wait for it. */
static __attribute__((noinline)) struct view *make_view(const struct name *name) {
  _Atomic(struct view *) *slot = &name->set->views[name->rank];
  pthread_mutex_lock(&changing);
  struct view *views = atomic_load(slot);
  if (!views) views = calloc((size_t)count_of(name->set, name->rank), sizeof *views);
  struct view *view = views ? &views[name->mutex] : NULL;
  tsr_addr home = tsr_segment_address(name->set->homes, TSR_MEMBER(name->rank), (uint64_t)name->mutex * TSR_LOCK_HOME_BYTES);
  if (!view || (!atomic_load(&view->ready) && tsr_lock_attach(&view->lock, home)))
    tsr_armci_die("TSR-3085 %s: no memory for mutex %d of process %d; enlarge TESSERA_HEAP_SIZE", name->call, name->mutex,
                  name->proc);
  atomic_store_explicit(&view->ready, true, memory_order_release); /* partner: the acquire in find_lock() */
  atomic_store_explicit(slot, views, memory_order_release);
  pthread_mutex_unlock(&changing);
  return view;
}

static tsr_lock *find_lock(const struct name *name) {
  check_mutex(name);
  struct view *views = atomic_load_explicit(&name->set->views[name->rank], memory_order_acquire);
  bool ready = views && atomic_load_explicit(&views[name->mutex].ready, memory_order_acquire);
  return &(ready ? &views[name->mutex] : make_view(name))->lock;
}

static __attribute__((cold, noreturn)) void fail_mutex(const struct name *name, tessera_status_t status, const char *why) {
  if (status != TESSERA_ERR_STATE) why = "no memory is left for the request";
  tsr_armci_die("TSR-3086 %s: mutex %d of process %d: %s", name->call, name->mutex, name->proc, why);
}

static void lock_mutex(const struct name *name) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = tsr_lock_acquire(find_lock(name));
  if (status) fail_mutex(name, status, "the caller holds it already; unlock it first, mutexes are not recursive");
  tsr_stats_end(TSR_STAT_LOCK, begun_ns, 0);
}

/* The fence completes the holder's operations on that process before the next holder gets the mutex. */
static void unlock_mutex(const struct name *name) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_lock *found = find_lock(name);
  PARMCI_Fence(tsr_team_unit(name->set->group->team, TSR_MEMBER(name->rank)).id);
  tessera_status_t status = tsr_lock_release(found);
  if (status) fail_mutex(name, status, "the caller does not hold it; unlock it in the process that locked it");
  tsr_stats_end(TSR_STAT_UNLOCK, begun_ns, 0);
}

/* ---- the set without a handle ---- */

static struct name name_single(const char *call, int mutex, int proc) {
  struct name name = {call, tsr_pool_find(&sets, single), mutex, proc, -1};
  if (name.set && tsr_armci_has(proc)) name.rank = tsr_team_member(name.set->group->team, TSR_UNIT(proc)).id;
  return name;
}

/* Created by all processes, whatever the default group is: Global Arrays spreads a group's mutexes over the world. */
int PARMCI_Create_mutexes(int n) {
  static const char call[] = "ARMCI_Create_mutexes";
  ARMCI_Group world;
  if (tsr_armci_check_up(call)) return FAIL;
  if (single)
    return tsr_armci_fail(FAIL, "TSR-3087 %s: mutexes exist already; destroy them first, or use ARMCIX_Create_mutexes_hdl",
                          call);
  PARMCI_Group_get_world(&world);
  single = create_set(call, n, tsr_armci_group_must(call, &world));
  return single ? 0 : FAIL;
}

int PARMCI_Destroy_mutexes(void) {
  static const char call[] = "ARMCI_Destroy_mutexes";
  if (tsr_armci_check_up(call)) return FAIL;
  int answer = destroy_set(call, single);
  if (!answer) single = 0;
  return answer;
}

void PARMCI_Lock(int mutex, int proc) {
  struct name name = name_single("ARMCI_Lock", mutex, proc);
  lock_mutex(&name);
}

void PARMCI_Unlock(int mutex, int proc) {
  struct name name = name_single("ARMCI_Unlock", mutex, proc);
  unlock_mutex(&name);
}

/* ---- sets with handles ---- */

static uint64_t number_of(armcix_mutex_hdl_t mutexes) { return (uintptr_t)mutexes; }

static struct name name_handled(const char *call, armcix_mutex_hdl_t mutexes, int mutex, int proc) {
  return (struct name){call, tsr_pool_find(&sets, number_of(mutexes)), mutex, proc, proc};
}

armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int n, ARMCI_Group *group) {
  if (tsr_armci_check_up(__func__) || !tsr_armci_check_team(__func__, group)) return NULL;
  return (armcix_mutex_hdl_t)(uintptr_t)create_set(__func__, n, tsr_armci_group_find(group));
}

int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t mutexes) {
  return tsr_armci_check_up(__func__) ? FAIL : destroy_set(__func__, number_of(mutexes));
}

void ARMCIX_Lock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc) {
  struct name name = name_handled(__func__, mutexes, mutex, proc);
  lock_mutex(&name);
}

int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc) {
  uint64_t begun_ns = tsr_stats_begin();
  struct name name = name_handled(__func__, mutexes, mutex, proc);
  bool got = false;
  tessera_status_t status = tsr_lock_try(find_lock(&name), &got);
  if (status) fail_mutex(&name, status, "");
  if (got) tsr_stats_end(TSR_STAT_LOCK, begun_ns, 0);
  return !got;
}

void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc) {
  struct name name = name_handled(__func__, mutexes, mutex, proc);
  unlock_mutex(&name);
}

TSR_ARMCI_NAME(Create_mutexes);
TSR_ARMCI_NAME(Destroy_mutexes);
TSR_ARMCI_NAME(Lock);
TSR_ARMCI_NAME(Unlock);
