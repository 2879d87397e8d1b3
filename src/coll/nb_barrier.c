/* Barriers. Those of started calls, of GASNet's on one node without a message or a program, and those around other programs. */
#include <stdatomic.h>
#include <stdlib.h>

#include "coll/nb.h"
#include "coll/select.h"
#include "coll/tree.h"
#include "core/sync.h"
#include "p2p/work.h"

/* A barrier that was not complete at once. */
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

/* Among n members that are `list`, or all of the team; this one is number `self` of them. */
static void disseminate(tsr_schedule *schedule, const int32_t list[], int32_t n, int32_t self) {
  for (int64_t distance = 1; distance < n; distance *= 2) {
    int32_t to = (int32_t)((self + distance) % n), from = (int32_t)((self - distance + n) % n);
    tsr_schedule_send(schedule, list ? list[to] : to, NULL, 0);
    tsr_schedule_receive(schedule, list ? list[from] : from, NULL, 0);
    tsr_schedule_wait(schedule);
  }
}

static void meet_in_tree(tsr_schedule *schedule, const struct tsr_tree *tree) {
  for (int32_t i = 0; i < tree->children_n; i++) tsr_schedule_receive(schedule, tree->children[i], NULL, 0);
  tsr_schedule_wait(schedule);
  if (tree->parent >= 0) {
    tsr_schedule_send(schedule, tree->parent, NULL, 0);
    tsr_schedule_receive(schedule, tree->parent, NULL, 0);
    tsr_schedule_wait(schedule);
  }
  for (int32_t i = 0; i < tree->children_n; i++) tsr_schedule_send(schedule, tree->children[i], NULL, 0);
}

static void add_barrier(tsr_schedule *schedule, const tsr_team *team) {
  struct tsr_tree tree;
  if (tsr_select(TSR_COLL_BARRIER, team, 0, true) != TSR_BY_TREE) {
    disseminate(schedule, NULL, team->size, team->self);
    return;
  }
  tsr_tree_make(team, 0, &tree);
  meet_in_tree(schedule, &tree);
}

static void add_leaders_barrier(tsr_schedule *schedule, const tsr_team *team) {
  struct tsr_tree tree;
  if (tsr_select(TSR_COLL_BARRIER, team, 0, true) != TSR_BY_TREE) {
    disseminate(schedule, team->leaders, team->nodes_n, team->self_node);
    return;
  }
  tsr_tree_make_leaders(team, &tree);
  meet_in_tree(schedule, &tree);
}

/* The members of a node arrive in its sync area, where each of them, or of several nodes the first, waits for all; the first
 * ones send messages, and release the others. */
tsr_schedule *tsr_nb_barrier(tsr_team *team) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"barrier", TSR_CHECK_NO_BYTES, -1, 0, 0});
  uint64_t round = tsr_sync_start(team, TSR_SYNC_STARTED);
  bool leads = team->self_local == 0, alone = team->nodes_n == 1;
  if (alone || leads) tsr_schedule_await_node(schedule, round);
  else tsr_schedule_await_release(schedule, round);
  if (alone || !leads) return schedule;
  add_leaders_barrier(schedule, team);
  tsr_schedule_release(schedule, round);
  return schedule;
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
