/* The split-phase barriers of GASNet-1, of all processes and of any team. They may have a name, which must be the same on
 * all members. */
#include <gex/legacy.h>
#include <gex/legacy_coll.h>

#include "coll/named.h"
#include "api/gasnet/gasnet_api.h"

static struct tsr_gex_barrier *barrier_of(gasnet_team_handle_t team) { return &((tsr_gex_tm *)team)->barrier; }

/* All interfaces share the team of all, and another interface may have a split-phase barrier of that team open. The barriers of all
 * processes therefore use a team of their own. */
void tsr_gex_barrier_start(void) { barrier_of(tsr_gex_tm0())->team = tsr_gex_team_of_all(); }

static struct tsr_gex_barrier *check_barrier(const char *call, gasnet_team_handle_t team, bool going) {
  struct tsr_gex_barrier *barrier = barrier_of(team);
  tsr_gex_check_context(call);
  if (going == barrier->going) return barrier;
  const char *prefix = team == tsr_gex_tm0() ? "gasnet_barrier" : "gasnet_coll_barrier";
  if (going) tsr_gex_die("TSR-4066 %s: no barrier is in progress; call %s_notify first", call, prefix);
  tsr_gex_die("TSR-4067 %s: a barrier is in progress; complete it with %s_wait or %s_try first", call, prefix, prefix);
}

/* Whether no member passes a name: then no names are exchanged. */
static bool is_silent(int flags) { return (flags & GASNET_BARRIERFLAG_UNNAMED) == GASNET_BARRIERFLAG_UNNAMED; }

/* With TESSERA_CHECK=1 the barriers of a team are compared with the other calls on the team. The barriers of all processes are not:
 * no other call uses their team. */
static struct tsr_gex_barrier *notify_barrier(const char *call, gasnet_team_handle_t team, int id, int flags) {
  struct tsr_gex_barrier *barrier = check_barrier(call, team, false);
  barrier->flags = flags;
  barrier->going = true;
  int64_t name = id;
  if (is_silent(flags)) name = TSR_NAME_NOT_COMPARED;
  else if (flags & GASNET_BARRIERFLAG_MISMATCH) name = TSR_NAME_CLASHES;
  else if (flags & GASNET_BARRIERFLAG_ANONYMOUS) name = TSR_UNNAMED;
  tsr_named_notify(barrier->team, name, team != tsr_gex_tm0());
  return barrier;
}

/* All members have notified. The name passed to wait must match the names of all members. */
static int finish_barrier(struct tsr_gex_barrier *barrier, int id, int flags) {
  barrier->going = barrier->has_name = false;
  if (is_silent(barrier->flags)) {
    tsr_named_end_uncompared(barrier->team);
    return GASNET_OK;
  }
  struct tsr_named_result result = tsr_named_end(barrier->team);
  bool names_it = !(flags & GASNET_BARRIERFLAG_ANONYMOUS);
  bool agrees = !(flags & GASNET_BARRIERFLAG_MISMATCH) &&
                (!result.named || (result.least == result.most && (!names_it || id == result.most)));
  if (!agrees) return GASNET_ERR_BARRIER_MISMATCH;
  barrier->has_name = result.named;
  barrier->name = (int)result.most;
  return GASNET_OK;
}

static int wait_for_barrier(struct tsr_gex_barrier *barrier, int id, int flags) {
  tsr_gex_poll(); /* even if all members have notified: a program may repeat barriers until a handler has run */
  tsr_named_await(barrier->team);
  return finish_barrier(barrier, id, flags);
}

/* Some programs call this again after the barrier is over. Other implementations accept that, so it is an error with
 * TESSERA_CHECK=1 only. */
static int try_barrier(const char *call, gasnet_team_handle_t team, int id, int flags) {
  struct tsr_gex_barrier *barrier = check_barrier(call, team, tsr_config_check() || barrier_of(team)->going);
  if (!barrier->going) return GASNET_OK;
  tsr_gex_poll();
  return tsr_named_is_over(barrier->team) ? finish_barrier(barrier, id, flags) : GASNET_ERR_NOT_READY;
}

static int read_result(const struct tsr_gex_barrier *barrier, int *id) {
  if (!barrier->has_name) return 1;
  if (id) *id = barrier->name;
  return 0;
}

/* ---- Of all processes ---- */

static gasnet_team_handle_t world_team(const char *call) {
  tsr_gex_check_leaving();
  tsr_gex_check_up(call);
  return tsr_gex_tm0();
}

void gasnet_barrier_notify(int id, int flags) { notify_barrier(__func__, world_team(__func__), id, flags); }

int gasnet_barrier_wait(int id, int flags) {
  return wait_for_barrier(check_barrier(__func__, world_team(__func__), true), id, flags);
}

int gasnet_barrier(int id, int flags) {
  return wait_for_barrier(notify_barrier(__func__, world_team(__func__), id, flags), id, flags);
}

int gasnet_barrier_try(int id, int flags) { return try_barrier(__func__, world_team(__func__), id, flags); }

int gasnet_barrier_result(int *id) { return read_result(barrier_of(world_team(__func__)), id); }

/* ---- Of a team ---- */

/* Ends the job unless it is a live team. */
static gasnet_team_handle_t live_team(const char *call, gasnet_team_handle_t team) {
  tsr_gex_check_leaving();
  tsr_gex_team(call, team);
  return team;
}

void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags) {
  notify_barrier(__func__, live_team(__func__, team), id, flags);
}

int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags) {
  return try_barrier(__func__, live_team(__func__, team), id, flags);
}

int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags) {
  return wait_for_barrier(check_barrier(__func__, live_team(__func__, team), true), id, flags);
}

int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags) {
  return wait_for_barrier(notify_barrier(__func__, live_team(__func__, team), id, flags), id, flags);
}

int gasnet_coll_barrier_result(gasnet_team_handle_t team, int *id) {
  return read_result(barrier_of(live_team(__func__, team)), id);
}
