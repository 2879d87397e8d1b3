/* The barrier of GASNet-1: it comes in two halves and may have a name, which all have to agree on. */
#include "base/config.h"
#include "core/agree.h"
#include "api/gasnet/barrier.h"
#include "api/gasnet/exit.h"
#include "api/gasnet/gasnet_api.h"
#include "api/gasnet/split_barrier.h"

#include <gex/legacy.h>

static struct {
  struct tsr_gex_split_barrier split_barrier;
  bool going;     /* between the halves: */
  int id, flags;  /* those of the first */
  bool has_name;  /* the last that went well had a name: */
  int name;
} barrier;

void tsr_gex_barrier_start(void) {
  tsr_gex_split_barrier_make(&barrier.split_barrier);
  barrier.going = barrier.has_name = false;
}

/* Nobody has a name, and nobody needs to be told so. */
static bool is_silent(int flags) { return (flags & GASNET_BARRIERFLAG_UNNAMED) == GASNET_BARRIERFLAG_UNNAMED; }

static void check(const char *call, bool going) {
  tsr_gex_check_leaving();
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
  if (going == barrier.going) return;
  if (going) tsr_gex_die("%s: no barrier goes on; call gasnet_barrier_notify before", call);
  tsr_gex_die("%s: a barrier goes on; end it by gasnet_barrier_wait or gasnet_barrier_try before", call);
}

static void notify(int id, int flags) {
  barrier.id = id;
  barrier.flags = flags;
  barrier.going = true;
  if (is_silent(flags)) {
    tsr_gex_split_barrier_come_silently(&barrier.split_barrier);
    return;
  }
  bool speaks = !(flags & GASNET_BARRIERFLAG_ANONYMOUS);
  tsr_gex_split_barrier_come(&barrier.split_barrier,
                             (struct tsr_gex_word){id, speaks, (flags & GASNET_BARRIERFLAG_MISMATCH) != 0});
}

/* All have come. What the second half says must fit to what it said itself before, and to what others said. */
static int finish(int id, int flags) {
  barrier.going = barrier.has_name = false;
  if (is_silent(barrier.flags)) return GASNET_OK;
  struct tsr_gex_heard heard = tsr_gex_split_barrier_heard(&barrier.split_barrier);
  bool names_it = !(flags & GASNET_BARRIERFLAG_ANONYMOUS);
  bool agrees = !heard.objected && !(flags & GASNET_BARRIERFLAG_MISMATCH) &&
                (!heard.spoken || (heard.least == heard.most && (!names_it || id == heard.most)));
  if (!agrees) return GASNET_ERR_BARRIER_MISMATCH;
  barrier.has_name = heard.spoken;
  barrier.name = heard.most;
  return GASNET_OK;
}

static int wait_for(int id, int flags) {
  tsr_gex_poll(); /* also when all have come: a program may wait in barriers for what a handler does */
  tsr_gex_split_barrier_await(&barrier.split_barrier);
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
  return tsr_gex_split_barrier_is_over(&barrier.split_barrier) ? finish(id, flags) : GASNET_ERR_NOT_READY;
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
