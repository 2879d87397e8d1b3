/* A barrier that is told of by an op: of a team on one node without a message. */
#include <stdatomic.h>
#include <stdlib.h>

#include "coll/nb.h"
#include "core/sync.h"
#include "p2p/work.h"

/* A meeting that was not over at once. */
struct pending {
  struct tsr_work work;
  tsr_team *team;
  uint64_t number;
  tsr_op *op;
};

static enum tsr_work_result look(struct tsr_work *work) {
  struct pending *pending = (struct pending *)((char *)work - offsetof(struct pending, work));
  if (!tsr_sync_is_complete(pending->team, TSR_SYNC_STARTED, pending->number)) return TSR_WORK_RETRY;
  tsr_team *team = pending->team;
  tsr_op *op = pending->op;
  free(pending);
  atomic_fetch_sub_explicit(&team->going_n, 1, memory_order_release); /* partner: is_settled in core/team.c */
  tsr_op_end(op);
  return TSR_WORK_OVER;
}

/* Members that come at about the same time find each other within the time that a cache line takes. */
static bool is_over_soon(const tsr_team *team, uint64_t number) {
  enum { LOOKS_N = 100 };
  for (int i = 0; i < LOOKS_N; i++) {
    if (tsr_sync_is_complete(team, TSR_SYNC_STARTED, number)) return true;
  }
  return false;
}

bool tsr_barrier_begin(tsr_team *team, uint64_t *number) {
  *number = tsr_sync_start(team, TSR_SYNC_STARTED);
  return is_over_soon(team, *number);
}

void tsr_barrier_follow(tsr_team *team, uint64_t number, tsr_op *op) {
  struct pending *pending = tsr_coll_memory(sizeof *pending);
  *pending = (struct pending){.work = {.step = look}, .team = team, .number = number, .op = op};
  tsr_op_begin(op);
  atomic_fetch_add(&team->going_n, 1);
  tsr_work_add(&pending->work);
}
