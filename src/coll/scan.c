/* Scan: each member gets the reduction of all members up to itself (exclusive: before itself). */
#include "coll/builders.h"
#include "coll/nb.h"

/* Recursive doubling: after each round `sum` covers twice as many members of the group, the last of which is this one. `before`, if
 * not NULL, becomes the reduction of the members before this one. */
static void add_scan(tsr_schedule *schedule, const tsr_group *group, void *sum, void *before, size_t n, const tsr_reducer *how) {
  const size_t bytes = n * how->elem_bytes;
  void *theirs = group->self > 0 ? tsr_schedule_memory(schedule, bytes) : NULL;
  for (int64_t distance = 1; distance < group->n; distance *= 2) {
    const int64_t to = group->self + distance, from = group->self - distance;
    if (to < group->n) tsr_schedule_send(schedule, tsr_group_at(group, (int32_t)to), sum, bytes);
    if (from >= 0) tsr_schedule_receive(schedule, tsr_group_at(group, (int32_t)from), theirs, bytes);
    tsr_schedule_wait(schedule);
    if (from < 0) continue;
    tsr_schedule_combine(schedule, how, sum, theirs, n);
    if (before && distance == 1) tsr_schedule_copy(schedule, before, theirs, bytes);
    else if (before) tsr_schedule_combine(schedule, how, before, theirs, n);
  }
}

/* The last members of the nodes. */
static tsr_group find_lasts(tsr_schedule *schedule, const tsr_team *team) {
  int32_t *lasts = tsr_schedule_memory(schedule, (size_t)team->nodes_n * sizeof *lasts);
  for (int32_t node = 0; node < team->nodes_n; node++)
    lasts[node] = (node + 1 < team->nodes_n ? team->leaders[node + 1] : team->size) - 1;
  return (tsr_group){.list = lasts, .n = team->nodes_n, .root = lasts[0], .self = team->self_node, .acts = true};
}

/* First on each node, whose last member then has the sum of the node. These members scan among themselves. Each passes the
 * reduction of the nodes before its own to its node, whose members add it. */
static void scan_by_nodes(tsr_schedule *schedule, const tsr_team *team, void *sum, void *before, size_t n, const tsr_reducer *how) {
  const size_t bytes = n * how->elem_bytes;
  const int32_t last = team->locals[team->locals_n - 1];
  const tsr_group locals = tsr_group_locals(team, team->locals[0]), from_last = tsr_group_locals(team, last);
  add_scan(schedule, &locals, sum, before, n, how);
  void *before_node = team->self_node > 0 ? tsr_schedule_memory(schedule, bytes) : NULL;
  if (team->self == last) {
    const tsr_group lasts = find_lasts(schedule, team);
    void *node_sum = tsr_schedule_memory(schedule, bytes);
    tsr_schedule_copy(schedule, node_sum, sum, bytes);
    add_scan(schedule, &lasts, node_sum, before_node, n, how);
  }
  if (!before_node) return;
  tsr_add_bcast(schedule, &from_last, before_node, bytes, tsr_select_locals(TSR_COLL_BCAST, team, bytes));
  if (!before) tsr_schedule_combine(schedule, how, sum, before_node, n);
  else if (tsr_leads(team)) tsr_schedule_copy(schedule, before, before_node, bytes);
  else tsr_schedule_combine(schedule, how, before, before_node, n);
}

tsr_schedule *tsr_nb_scan(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how, bool exclusive) {
  const size_t bytes = n * how->elem_bytes;
  const char *name = exclusive ? "exclusive scan" : "scan";
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){name, bytes, -1, tsr_reducer_check(how), 0});
  void *sum = exclusive ? tsr_schedule_memory(schedule, bytes) : recv, *before = exclusive ? recv : NULL;
  const tsr_group all = tsr_group_all(team, 0);
  tsr_schedule_copy(schedule, sum, send, bytes);
  if (team->is_in_order && team->nodes_n > 1 && team->largest_n > 1) scan_by_nodes(schedule, team, sum, before, n, how);
  else add_scan(schedule, &all, sum, before, n, how);
  return schedule;
}
