/* The split-phase barrier of GASNet-1. It may have a name, which must be the same on all units. */
#include <gex/legacy.h>

#include "coll/named.h"
#include "api/gasnet/gasnet_api.h"

static struct {
  tsr_team *team; /* of all units, used by this barrier only */
  bool going;     /* between notify and wait */
  int flags;      /* as passed to notify */
  bool has_name;  /* the last successful barrier had a name */
  int name;
} barrier;

void tsr_gex_barrier_start(void) {
  barrier.team = tsr_gex_team_of_all();
  barrier.going = barrier.has_name = false;
}

static void check_barrier(const char *call, bool going) {
  tsr_gex_check_leaving();
  tsr_gex_check_call(call);
  if (going == barrier.going) return;
  if (going) tsr_gex_die("TSR-4066 %s: no barrier goes on; call gasnet_barrier_notify before", call);
  tsr_gex_die("TSR-4067 %s: a barrier goes on; end it by gasnet_barrier_wait or gasnet_barrier_try before", call);
}

/* No unit passes a name, so that none is exchanged. */
static bool is_silent(int flags) { return (flags & GASNET_BARRIERFLAG_UNNAMED) == GASNET_BARRIERFLAG_UNNAMED; }

static void notify_barrier(const char *call, int id, int flags) {
  check_barrier(call, false);
  barrier.flags = flags;
  barrier.going = true;
  int64_t name = id;
  if (is_silent(flags)) name = TSR_NAME_NOT_COMPARED;
  else if (flags & GASNET_BARRIERFLAG_MISMATCH) name = TSR_NAME_CLASHES;
  else if (flags & GASNET_BARRIERFLAG_ANONYMOUS) name = TSR_UNNAMED;
  tsr_named_notify(barrier.team, name, false);
}

/* All units have notified. The name passed to wait must match the names of all units. */
static int finish_barrier(int id, int flags) {
  barrier.going = barrier.has_name = false;
  if (is_silent(barrier.flags)) {
    tsr_named_end_uncompared(barrier.team);
    return GASNET_OK;
  }
  struct tsr_named_result result = tsr_named_end(barrier.team);
  bool names_it = !(flags & GASNET_BARRIERFLAG_ANONYMOUS);
  bool agrees = !(flags & GASNET_BARRIERFLAG_MISMATCH) &&
                (!result.named || (result.least == result.most && (!names_it || id == result.most)));
  if (!agrees) return GASNET_ERR_BARRIER_MISMATCH;
  barrier.has_name = result.named;
  barrier.name = (int)result.most;
  return GASNET_OK;
}

static int wait_for_barrier(int id, int flags) {
  tsr_gex_poll(); /* even if all units have notified: a program may repeat barriers until a handler has run */
  tsr_named_await(barrier.team);
  return finish_barrier(id, flags);
}

void gasnet_barrier_notify(int id, int flags) { notify_barrier(__func__, id, flags); }

int gasnet_barrier_wait(int id, int flags) {
  check_barrier(__func__, true);
  return wait_for_barrier(id, flags);
}

int gasnet_barrier(int id, int flags) {
  notify_barrier(__func__, id, flags);
  return wait_for_barrier(id, flags);
}

/* Some programs call this again after the barrier is over. Other implementations accept that, so it is an error with
 * TESSERA_CHECK=1 only. */
int gasnet_barrier_try(int id, int flags) {
  check_barrier(__func__, barrier.going || tsr_config.check);
  if (!barrier.going) return GASNET_OK;
  tsr_gex_poll();
  return tsr_named_is_over(barrier.team) ? finish_barrier(id, flags) : GASNET_ERR_NOT_READY;
}

int gasnet_barrier_result(int *id) {
  tsr_gex_check_up(__func__);
  if (!barrier.has_name) return 1;
  if (id) *id = barrier.name;
  return 0;
}
