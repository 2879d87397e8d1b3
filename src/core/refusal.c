#include "core/refusal.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/wait.h"
#include "core/agree.h"
#include "core/handlers.h"
#include "core/op.h"
#include "core/place.h"
#include "core/runtime.h"

/* A call that some nodes have left, until all have. */
struct refusal {
  struct refusal *next;
  int32_t team;
  uint64_t call;
  int32_t nodes_n; /* that have told of it */
  int32_t unit;    /* which told last */
  bool own;        /* this unit has left it, too */
};

static struct refusal *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int open_n; /* refusals in the list */
_Atomic bool tsr_refusal_news;

/* Under the lock. */
static struct refusal **find(int32_t team, uint64_t call) {
  struct refusal **link = &first;
  while (*link && ((*link)->team != team || (*link)->call != call)) link = &(*link)->next;
  if (*link) return link;
  *link = calloc(1, sizeof **link);
  if (!*link) tsr_abort(EXIT_FAILURE, "no private memory to note that a member has left a call of team %d", team);
  (*link)->team = team;
  (*link)->call = call;
  atomic_fetch_add(&open_n, 1);
  return link;
}

static void remove_at(struct refusal **link) {
  struct refusal *old = *link;
  *link = old->next;
  free(old);
  atomic_fetch_sub(&open_n, 1);
}

/* From another node. Who waits looks at the news. */
static void hear(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  int32_t team = (int32_t)in->args[0];
  pthread_mutex_lock(&lock);
  struct refusal **link = find(team, in->args[1]);
  (*link)->nodes_n++;
  (*link)->unit = (int32_t)in->args[2];
  bool own = (*link)->own;
  if (own && (*link)->nodes_n == (int32_t)in->args[3] - 1) remove_at(link);
  if (!own) atomic_store(&tsr_refusal_news, true);
  pthread_mutex_unlock(&lock);
  if (!own) tsr_wait_nudge();
}

static __attribute__((constructor)) void register_handler(void) { tsr_net_register(TSR_H_REFUSAL, hear); }

static bool is_in_or_beyond(const struct refusal *refusal) {
  const tsr_team *team = tsr_team_find(refusal->team);
  return !refusal->own && team && __atomic_load_n(&team->calls_n, __ATOMIC_SEQ_CST) >= refusal->call;
}

void tsr_refusal_look(void) {
  struct refusal found = {0};
  pthread_mutex_lock(&lock);
  atomic_store(&tsr_refusal_news, false);
  for (struct refusal *at = first; at && !found.call; at = at->next) {
    if (is_in_or_beyond(at)) found = *at;
  }
  pthread_mutex_unlock(&lock);
  if (!found.call) return;
  tsr_abort(EXIT_FAILURE, "unit %d and its node left collective call %llu of team %d with an error, which a line of that "
            "node describes; this unit is in that call or beyond, whose messages cannot be taken back. Correct the "
            "arguments; with TESSERA_CHECK=1 every unit gets the error", found.unit, (unsigned long long)found.call,
            found.team);
}

/* The count first, then the look: a refusal that comes in between sees the count. */
void tsr_call_count(tsr_team *team) {
  __atomic_add_fetch(&team->calls_n, 1, __ATOMIC_SEQ_CST);
  if (__builtin_expect(atomic_load(&open_n) != 0, 0)) tsr_refusal_look();
}

/* To one unit of another node. */
static void tell(const tsr_team *team, tsr_unit unit) {
  struct tsr_net_request request = {.rank = tsr_place_rank(unit), .handler = TSR_H_REFUSAL,
                                    .args = {(uint64_t)team->id, team->calls_n, (uint64_t)tsr_place.self,
                                             (uint64_t)team->nodes_n}};
  if (tsr_op_request(tsr_op_implicit(unit), &request, NULL, NULL))
    tsr_abort(EXIT_FAILURE, "unit %d cannot be told that a member left a call of team %d", unit.id, team->id);
}

/* Notes that this unit has left the call, and says so for its node. `counts`: it never began it, so the call is yet to be
 * counted, and nobody may see the count without the note. */
static void leave_call(tsr_team *team, bool counts) {
  pthread_mutex_lock(&lock);
  if (counts) __atomic_add_fetch(&team->calls_n, 1, __ATOMIC_SEQ_CST);
  struct refusal **link = find(team->id, team->calls_n);
  (*link)->own = true;
  if ((*link)->nodes_n == team->nodes_n - 1) remove_at(link);
  pthread_mutex_unlock(&lock);
  for (int32_t i = 0; team->self_local == 0 && i < team->size; i++) {
    tsr_unit unit = tsr_team_unit(team, TSR_MEMBER(i));
    if (!tsr_place_is_here(unit)) tell(team, unit);
  }
}

tessera_status_t tsr_call_fail(tsr_team *team) {
  if (team->nodes_n > 1) leave_call(team, false);
  return TESSERA_ERR_PEER;
}

void tsr_call_refuse(tsr_team *team) {
  if (tsr_config.check) {
    if (team->nodes_n > 1) tsr_call_count(team);
    tsr_check_refuse(team);
    return;
  }
  if (team->nodes_n > 1) leave_call(team, true);
  tsr_agree_refuse(team);
}

void tsr_refusal_stop(void) {
  while (first) remove_at(&first);
  atomic_store(&tsr_refusal_news, false);
}
