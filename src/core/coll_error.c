#include "core/coll_error.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/wait.h"
#include "core/conflict.h"
#include "core/sync.h"
#include "core/handlers.h"
#include "core/op.h"
#include "core/place.h"
#include "core/runtime.h"

#define STARTED ((uint64_t)1 << 63)

/* A call that some members have left; removed when all have left it. */
struct coll_error {
  struct coll_error *next;
  int32_t team;
  uint64_t call;   /* with STARTED: a non-blocking call; these have numbers of their own */
  int32_t told_n;  /* nodes that have reported it; units, if it is a non-blocking call */
  int32_t unit;    /* the unit that reported last */
  bool own;        /* this unit has left it, too */
};

static struct coll_error *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int open_n; /* collective errors in the list */
_Atomic bool tsr_coll_error_pending;

/* The caller holds the lock. */
static struct coll_error **find_error(int32_t team, uint64_t call) {
  struct coll_error **link = &first;
  while (*link && ((*link)->team != team || (*link)->call != call)) link = &(*link)->next;
  if (*link) return link;
  *link = calloc(1, sizeof **link);
  if (!*link)
    tsr_abort(EXIT_FAILURE, "TSR-0308 no private memory to note that a member has left a call of team %d; " TSR_REMEDY_MEMORY,
              team);
  (*link)->team = team;
  (*link)->call = call;
  atomic_fetch_add(&open_n, 1);
  return link;
}

static void remove_at(struct coll_error **link) {
  struct coll_error *old = *link;
  *link = old->next;
  free(old);
  atomic_fetch_sub(&open_n, 1);
}

/* A report from another node. Waits in collective calls end on it. */
static void on_error(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  int32_t team = (int32_t)in->args[0];
  pthread_mutex_lock(&lock);
  struct coll_error **link = find_error(team, in->args[1]);
  (*link)->told_n++;
  (*link)->unit = (int32_t)in->args[2];
  bool own = (*link)->own;
  if (own && (*link)->told_n == (int32_t)in->args[3]) remove_at(link);
  if (!own) atomic_store(&tsr_coll_error_pending, true);
  pthread_mutex_unlock(&lock);
  if (!own && in->args[1] & STARTED) tsr_coll_error_poll();
  else if (!own) tsr_wait_nudge();
}

static __attribute__((constructor)) void register_handler(void) { tsr_net_register(TSR_H_COLL_ERROR, on_error); }

/* Called on any thread; the program's threads may end the team meanwhile. */
static bool is_in_or_beyond(const struct coll_error *coll_error) {
  if (coll_error->own) return false;
  tsr_teams_lock();
  const tsr_team *team = tsr_team_find(coll_error->team);
  const uint64_t *calls_n = !team ? NULL : coll_error->call & STARTED ? &team->started_n : &team->calls_n;
  bool has_begun = calls_n && __atomic_load_n(calls_n, __ATOMIC_SEQ_CST) >= (coll_error->call & ~STARTED);
  tsr_teams_unlock();
  return has_begun;
}

_Noreturn static void end_for(const struct coll_error *found) {
  const bool started = found->call & STARTED;
  tsr_abort(EXIT_FAILURE, "TSR-0309 unit %d%s left %s call %llu of team %d with an error, which a line of that %s describes; "
            "this unit is in that call or beyond, whose messages cannot be taken back. Correct the arguments%s", found->unit,
            started ? "" : " and its node", started ? "non-blocking collective" : "collective",
            (unsigned long long)(found->call & ~STARTED), found->team, started ? "unit" : "node",
            started ? "" : "; with TESSERA_CHECK=1 every unit gets the error");
}

void tsr_coll_error_poll(void) {
  struct coll_error found = {0};
  pthread_mutex_lock(&lock);
  atomic_store(&tsr_coll_error_pending, false);
  for (struct coll_error *at = first; at && !found.call; at = at->next) {
    if (is_in_or_beyond(at)) found = *at;
  }
  pthread_mutex_unlock(&lock);
  if (found.call) end_for(&found);
}

/* Calls that all have left are not in the list. */
void tsr_coll_error_misfit(int32_t team) {
  struct coll_error found = {0};
  pthread_mutex_lock(&lock);
  for (struct coll_error *at = first; at && !found.call; at = at->next) {
    if (at->team == team && (at->own || is_in_or_beyond(at))) found = *at;
  }
  pthread_mutex_unlock(&lock);
  if (found.own) found.unit = tsr_place.self;
  if (found.call) end_for(&found);
}

/* With TESSERA_CHECK=1 the calls have been compared already. */
static void digest_call(tsr_team *team, uint64_t brief) {
  if (tsr_config_check() || team->calls_digest == TSR_CALLS_FAILED) return;
  team->calls_digest = (int64_t)(tsr_hash_add((uint64_t)team->calls_digest, brief) >> 1);
}

/* Counts first and then polls: a collective error that is reported in between sees the count. */
static void count_call(tsr_team *team, const char *name, uint64_t brief) {
  team->last_call = name;
  digest_call(team, brief);
  __atomic_add_fetch(&team->calls_n, 1, __ATOMIC_SEQ_CST);
  if (__builtin_expect(atomic_load(&open_n) != 0, 0)) tsr_coll_error_poll();
}

/* With TESSERA_CHECK=1 the check sets the digest of its own rounds. */
bool tsr_call_begin_slow(tsr_team *team, enum tsr_call_kind kind, uint64_t bytes, int32_t root, uint64_t how) {
  const char *name = tsr_call_name(kind);
  tsr_conflict_sync();
  if (team->nodes_n > 1) count_call(team, name, tsr_check_brief(name, bytes, root, how));
  bool same = tsr_check_same(team, name, bytes, root, how);
  tsr_sync_set_call(team, kind, bytes, root, how);
  return same;
}

bool tsr_call_begin_counts(tsr_team *team, enum tsr_call_kind kind, uint64_t bytes, const size_t counts[]) {
  const char *name = tsr_call_name(kind);
  const uint64_t digest = tsr_check_digest(counts, team->size);
  tsr_conflict_sync();
  if (team->nodes_n > 1) count_call(team, name, tsr_check_brief(name, digest, -1, 0));
  bool same = tsr_check_counts(team, name, bytes, counts, team->size);
  tsr_sync_set_call(team, kind, digest, -1, 0);
  return same;
}

/* Notifies one unit, which gets `tellers_n` such reports. */
static void notify_unit(const tsr_team *team, uint64_t call, int32_t tellers_n, tsr_unit unit, tsr_op *op) {
  struct tsr_net_request request = {.rank = tsr_place_rank(unit), .handler = TSR_H_COLL_ERROR,
                                    .args = {(uint64_t)team->id, call, (uint64_t)tsr_place.self, (uint64_t)tellers_n}};
  if (tsr_op_request(op, &request, NULL, NULL))
    tsr_abort(EXIT_FAILURE, "TSR-0310 unit %d cannot be notified that a member left a call of team %d; the line above says why",
              unit.id, team->id);
}

/* Records that this unit has left a call: the last one that `calls_n` counts. `counts`: this unit never began the call, so it
 * is counted now. The lock ensures that no thread sees the count without the record. */
static uint64_t note_left(tsr_team *team, uint64_t *calls_n, bool counts, int32_t tellers_n) {
  pthread_mutex_lock(&lock);
  if (counts) __atomic_add_fetch(calls_n, 1, __ATOMIC_SEQ_CST);
  uint64_t call = *calls_n | (calls_n == &team->started_n ? STARTED : 0);
  struct coll_error **link = find_error(team->id, call);
  (*link)->own = true;
  if ((*link)->told_n == tellers_n) remove_at(link);
  pthread_mutex_unlock(&lock);
  return call;
}

/* The first member on the node also reports it to the other nodes. */
static void leave_call(tsr_team *team, bool counts) {
  uint64_t call = note_left(team, &team->calls_n, counts, team->nodes_n - 1);
  team->calls_digest = TSR_CALLS_FAILED;
  for (int32_t i = 0; tsr_leads(team) && i < team->size; i++) {
    tsr_unit unit = tsr_team_unit(team, TSR_MEMBER(i));
    if (!tsr_place_is_local(unit)) notify_unit(team, call, team->nodes_n - 1, unit, tsr_op_implicit(unit));
  }
}

tessera_status_t tsr_call_fail(tsr_team *team) {
  if (team->nodes_n > 1) leave_call(team, false);
  return TESSERA_ERR_PEER;
}

void tsr_call_fail_others(tsr_team *team) {
  if (tsr_config_check()) {
    if (team->nodes_n > 1) count_call(team, NULL, 0);
    tsr_check_fail(team);
    return;
  }
  if (team->nodes_n > 1) leave_call(team, true);
  tsr_sync_fail(team);
}

void tsr_start_count(tsr_team *team) {
  __atomic_add_fetch(&team->started_n, 1, __ATOMIC_SEQ_CST);
  if (__builtin_expect(atomic_load(&open_n) != 0, 0)) tsr_coll_error_poll();
}

void tsr_start_fail_others(tsr_team *team) {
  tsr_op told = {0};
  uint64_t call = note_left(team, &team->started_n, true, team->size - 1);
  for (int32_t i = 0; i < team->size; i++) {
    if (i != team->self) notify_unit(team, call, team->size - 1, tsr_team_unit(team, TSR_MEMBER(i)), &told);
  }
  tsr_op_wait_remote(&told, TSR_UNIT(-1));
}

void tsr_coll_error_stop(void) {
  while (first) remove_at(&first);
  atomic_store(&tsr_coll_error_pending, false);
}
