/* The barrier of GASNet-1: it comes in two halves and may have a name, which all have to agree on. */
#include "base/config.h"
#include "coll/named.h"
#include "api/gasnet/barrier.h"
#include "api/gasnet/exit.h"
#include "api/gasnet/gasnet_api.h"
#include "api/gasnet/team.h"

#include <gex/legacy.h>

static struct {
  tsr_team *team; /* of all units, for this purpose alone */
  bool going;     /* between the halves: */
  int id, flags;  /* those of the first */
  bool has_name;  /* the last that went well had a name: */
  int name;
} barrier;

void tsr_gex_barrier_start(void) {
  barrier.team = tsr_gex_team_of_all();
  barrier.going = barrier.has_name = false;
}

static void check(const char *call, bool going) {
  tsr_gex_check_leaving();
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
  if (going == barrier.going) return;
  if (going) tsr_gex_die("%s: no barrier goes on; call gasnet_barrier_notify before", call);
  tsr_gex_die("%s: a barrier goes on; end it by gasnet_barrier_wait or gasnet_barrier_try before", call);
}

/* Nobody has a name, and nobody needs to be told so. */
static bool is_silent(int flags) { return (flags & GASNET_BARRIERFLAG_UNNAMED) == GASNET_BARRIERFLAG_UNNAMED; }

static int64_t name_of(int id, int flags) {
  if (is_silent(flags)) return TSR_NAME_UNHEARD;
  if (flags & GASNET_BARRIERFLAG_MISMATCH) return TSR_NAME_CLASHES;
  return flags & GASNET_BARRIERFLAG_ANONYMOUS ? TSR_UNNAMED : id;
}

static void notify(int id, int flags) {
  barrier.id = id;
  barrier.flags = flags;
  barrier.going = true;
  tsr_named_notify(barrier.team, name_of(id, flags), false);
}

/* All have come. What the second half says must fit to what it said itself before, and to what others said. */
static int finish(int id, int flags) {
  barrier.going = barrier.has_name = false;
  if (is_silent(barrier.flags)) {
    tsr_named_end_unheard(barrier.team);
    return GASNET_OK;
  }
  struct tsr_named_heard heard = tsr_named_end(barrier.team);
  bool names_it = !(flags & GASNET_BARRIERFLAG_ANONYMOUS);
  bool agrees = !(flags & GASNET_BARRIERFLAG_MISMATCH) &&
                (!heard.named || (heard.least == heard.most && (!names_it || id == heard.most)));
  if (!agrees) return GASNET_ERR_BARRIER_MISMATCH;
  barrier.has_name = heard.named;
  barrier.name = (int)heard.most;
  return GASNET_OK;
}

static int wait_for(int id, int flags) {
  tsr_gex_poll(); /* also when all have come: a program may wait in barriers for what a handler does */
  tsr_named_await(barrier.team);
  return finish(id, flags);
}

void gasnet_barrier_notify(int id, int flags) {
  check(__func__, false);
  notify(id, flags);
}

int gasnet_barrier_wait(int id, int flags) {
  check(__func__, true);
  return wait_for(id, flags);
}

/* Programs that have been told that a barrier is over ask once more, which has no meaning, but ends nobody elsewhere. */
int gasnet_barrier_try(int id, int flags) {
  check(__func__, barrier.going || tsr_config.check);
  if (!barrier.going) return GASNET_OK;
  tsr_gex_poll();
  return tsr_named_is_over(barrier.team) ? finish(id, flags) : GASNET_ERR_NOT_READY;
}

int gasnet_barrier(int id, int flags) {
  check(__func__, false);
  notify(id, flags);
  return wait_for(id, flags);
}

int gasnet_barrier_result(int *id) {
  tsr_gex_check_up(__func__);
  if (!barrier.has_name) return 1;
  if (id) *id = barrier.name;
  return 0;
}
