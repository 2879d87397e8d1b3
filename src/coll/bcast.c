/* Broadcast. */
#include "coll/builders.h"
#include "coll/local.h"
#include "coll/nb.h"
#include "core/coll_error.h"

/* Binomial tree. The child with the largest subtree is served first. */
static void bcast_tree(tsr_schedule *schedule, const tsr_group *group, void *buffer, size_t bytes) {
  int32_t bit = tsr_group_bit(group);
  if (group->self) {
    tsr_schedule_receive(schedule, tsr_group_at(group, group->self - bit), buffer, bytes);
    tsr_schedule_wait(schedule);
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    if (group->self + bit < group->n) tsr_schedule_send(schedule, tsr_group_at(group, group->self + bit), buffer, bytes);
  }
}

static void bcast_direct(tsr_schedule *schedule, const tsr_group *group, void *buffer, size_t bytes) {
  if (group->self) {
    tsr_schedule_receive(schedule, group->root, buffer, bytes);
    tsr_schedule_wait(schedule);
    return;
  }
  for (int32_t place = 1; place < group->n; place++) tsr_schedule_send(schedule, tsr_group_at(group, place), buffer, bytes);
}

static size_t piece_at(size_t bytes, size_t at) { return bytes - at < TSR_CHAIN_BYTES ? bytes - at : TSR_CHAIN_BYTES; }

/* A pipelined chain: each member forwards one piece while it receives the next. */
static void bcast_chain(tsr_schedule *schedule, const tsr_group *group, char *buffer, size_t bytes) {
  int32_t self = group->self;
  for (size_t at = 0; at < bytes + TSR_CHAIN_BYTES; at += TSR_CHAIN_BYTES) {
    size_t last = at - TSR_CHAIN_BYTES;
    if (self > 0 && at < bytes) tsr_schedule_receive(schedule, tsr_group_at(group, self - 1), buffer + at, piece_at(bytes, at));
    if (self + 1 < group->n && at > 0)
      tsr_schedule_send(schedule, tsr_group_at(group, self + 1), buffer + last, piece_at(bytes, last));
    tsr_schedule_wait(schedule);
  }
}

void tsr_add_bcast(tsr_schedule *schedule, const tsr_group *group, void *buffer, size_t bytes, enum tsr_algorithm algorithm) {
  switch (algorithm) {
    case TSR_BY_TREE: bcast_tree(schedule, group, buffer, bytes); break;
    case TSR_BY_DIRECT: bcast_direct(schedule, group, buffer, bytes); break;
    case TSR_BY_HALVING: tsr_add_halving_bcast(schedule, group, buffer, bytes); break;
    default: bcast_chain(schedule, group, buffer, bytes); break;
  }
}

tessera_status_t tsr_bcast(tsr_team *team, void *buffer, size_t bytes, tsr_member root) {
  if (!tsr_call_begin(team, TSR_CALL_BCAST, bytes, root.id, 0)) return TESSERA_ERR_PEER;
  if (team->nodes_n == 1) return tsr_local_bcast(team, buffer, bytes, root.id) ? TESSERA_OK : tsr_call_fail(team);
  tsr_group leaders = tsr_group_leaders(team, root.id);
  bool with_root = leaders.self == 0;
  if (with_root && !tsr_local_bcast(team, buffer, bytes, tsr_local_of(team, root))) return tsr_call_fail(team);
  if (leaders.acts) {
    tsr_schedule schedule;
    tsr_schedule_begin_blocking(&schedule, team);
    tsr_add_bcast(&schedule, &leaders, buffer, bytes, tsr_select_leaders(TSR_COLL_BCAST, team, bytes));
    tsr_schedule_end_blocking(&schedule);
  }
  if (!with_root && !tsr_local_bcast(team, buffer, bytes, 0)) return tsr_call_fail(team);
  return TESSERA_OK;
}

tsr_schedule *tsr_nb_bcast(tsr_team *team, void *buffer, size_t bytes, tsr_member member) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"broadcast", bytes, member.id, 0, 0});
  int32_t root = member.id;
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_BCAST, team, bytes, true);
  tsr_group group = tsr_group_all(team, root);
  if (algorithm == TSR_BY_RING && team->nodes_n > 1)
    group = tsr_group_ring(team, root, tsr_schedule_memory(schedule, (size_t)team->size * sizeof(int32_t)));
  if (algorithm == TSR_BY_NODES) {
    group = tsr_group_leaders(team, root);
    if (group.acts)
      tsr_add_bcast(schedule, &group, buffer, bytes, tsr_select_leaders(TSR_COLL_BCAST, team, bytes));
    group = tsr_group_locals(team, root);
    algorithm = tsr_select_locals(TSR_COLL_BCAST, team, bytes);
  }
  tsr_add_bcast(schedule, &group, buffer, bytes, algorithm);
  return schedule;
}
