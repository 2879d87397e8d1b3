/* Barriers: blocking, started on one node without a schedule, started as a schedule, and before or after other
 * schedules. */
#include <stdatomic.h>
#include <stdlib.h>

#include "coll/builders.h"
#include "coll/nb.h"
#include "core/bootstrap.h"
#include "core/coll_error.h"
#include "core/runtime.h"
#include "core/sync.h"
#include "p2p/work.h"

tessera_status_t tsr_barrier(tsr_team *team) {
  if (!tsr_call_begin(team, TSR_CALL_BARRIER, TSR_CHECK_NO_BYTES, -1, 0)) return TESSERA_ERR_PEER;
  return tsr_bootstrap_try_barrier(team) ? TESSERA_OK : tsr_call_fail(team);
}

void tsr_barrier_or_abort(tsr_team *team, const char *call) {
  if (tsr_barrier(team))
    tsr_abort(EXIT_FAILURE, "TSR-0912 %s: another member of team %d made another collective call, which failed; see the error "
              "line of that unit, and let all members make the same calls, in the same order", call, team->id);
}

static const struct tsr_check_call started_barrier = {"barrier", TSR_CHECK_NO_BYTES, -1, 0, 0};

/* ---- without a schedule ---- */

/* A barrier that was not complete at once. */
struct pending {
  struct tsr_work work;
  tsr_team *team;
  uint64_t number;
  tsr_op *op;
};

static enum tsr_work_result poll_barrier(struct tsr_work *work) {
  struct pending *pending = (struct pending *)((char *)work - offsetof(struct pending, work));
  if (!tsr_sync_is_complete(pending->team, TSR_SYNC_STARTED, pending->number)) return TSR_WORK_RETRY;
  tsr_team *team = pending->team;
  tsr_op *op = pending->op;
  free(pending);
  atomic_fetch_sub_explicit(&team->going_n, 1, memory_order_release); /* partner: is_quiet in core/team.c */
  tsr_op_end(op);
  return TSR_WORK_OVER;
}

bool tsr_barrier_begin(tsr_team *team, uint64_t *number) {
  enum { POLLS_N = 100 }; /* about the time in which a cache line moves, so that members that arrive together
                           * complete at once */
  *number = tsr_sync_start(team, tsr_started_call(&started_barrier, true));
  for (int i = 0; i < POLLS_N; i++) {
    if (tsr_sync_is_complete(team, TSR_SYNC_STARTED, *number)) return true;
  }
  return false;
}

void tsr_barrier_follow(tsr_team *team, uint64_t number, tsr_op *op) {
  struct pending *pending = tsr_coll_memory(sizeof *pending);
  *pending = (struct pending){.work = {.step = poll_barrier}, .team = team, .number = number, .op = op};
  tsr_op_begin(op);
  atomic_fetch_add(&team->going_n, 1);
  tsr_work_add(&pending->work);
}

/* ---- with a schedule ---- */

static void barrier_doubling(tsr_schedule *schedule, const tsr_group *group) {
  for (int64_t distance = 1; distance < group->n; distance *= 2) {
    tsr_schedule_send(schedule, tsr_group_at(group, tsr_group_turn(group, (int32_t)distance)), NULL, 0);
    tsr_schedule_receive(schedule, tsr_group_at(group, tsr_group_turn(group, -(int32_t)distance)), NULL, 0);
    tsr_schedule_wait(schedule);
  }
}

/* One half of a tree barrier: all members notify the root (`up`), or the root notifies all members. */
static void barrier_half(tsr_schedule *schedule, const tsr_group *group, bool up) {
  int32_t self = group->self, bit = tsr_group_bit(group);
  if (self && !up) tsr_schedule_receive(schedule, tsr_group_at(group, self - bit), NULL, 0);
  if (!up) tsr_schedule_wait(schedule);
  for (int32_t b = bit / 2; b > 0; b /= 2) {
    if (self + b >= group->n) continue;
    if (up) tsr_schedule_receive(schedule, tsr_group_at(group, self + b), NULL, 0);
    else tsr_schedule_send(schedule, tsr_group_at(group, self + b), NULL, 0);
  }
  tsr_schedule_wait(schedule);
  if (self && up) tsr_schedule_send(schedule, tsr_group_at(group, self - bit), NULL, 0);
}

void tsr_add_barrier(tsr_schedule *schedule, const tsr_group *group, enum tsr_algorithm algorithm) {
  if (algorithm == TSR_BY_DOUBLING) {
    barrier_doubling(schedule, group);
    return;
  }
  barrier_half(schedule, group, true);
  barrier_half(schedule, group, false);
}

static void add_leaders_barrier(tsr_schedule *schedule, const tsr_team *team) {
  tsr_group leaders = tsr_group_leaders(team, team->leaders[0]);
  tsr_add_barrier(schedule, &leaders, tsr_select_leaders(TSR_COLL_BARRIER, team, 0));
}

/* The members of a node arrive in its sync area. On one node each member waits for all. On several nodes only the first
 * member of a node waits; it exchanges messages with the first members of other nodes, and then releases the others. */
tsr_schedule *tsr_nb_barrier(tsr_team *team) {
  tsr_schedule *schedule = tsr_schedule_begin_awaited(team, &started_barrier);
  const uint64_t round = schedule->sync_round;
  if (team->nodes_n == 1) {
    tsr_schedule_await_node(schedule, round);
  } else if (!tsr_leads(team)) {
    tsr_schedule_await_release(schedule, round);
  } else {
    tsr_schedule_await_node(schedule, round);
    add_leaders_barrier(schedule, team);
    tsr_schedule_release(schedule, round);
  }
  return schedule;
}

/* By messages only: members arrive in the sync area when they start a call, not during one. */
static void add_barrier(tsr_schedule *schedule, const tsr_team *team) {
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_BARRIER, team, 0, true);
  tsr_group group = algorithm == TSR_BY_NODES ? tsr_group_locals(team, team->leaders[0]) : tsr_group_all(team, 0);
  if (algorithm != TSR_BY_NODES) {
    tsr_add_barrier(schedule, &group, algorithm);
    return;
  }
  barrier_half(schedule, &group, true);
  if (tsr_leads(team)) add_leaders_barrier(schedule, team);
  barrier_half(schedule, &group, false);
}

void tsr_nb_add_barriers(tsr_schedule *schedule, const tsr_team *team, bool before, bool behind) {
  if (before) {
    size_t end = tsr_schedule_mark(schedule);
    add_barrier(schedule, team);
    tsr_schedule_put_first(schedule, end);
  }
  if (behind) {
    tsr_schedule_wait(schedule);
    add_barrier(schedule, team);
  }
}
