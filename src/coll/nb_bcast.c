/* Broadcast. */
#include <stdlib.h>

#include "coll/nb.h"
#include "coll/select.h"
#include "coll/tree.h"

static void bcast_tree(tsr_schedule *schedule, const tsr_team *team, void *buffer, size_t bytes, int32_t root) {
  struct tsr_tree tree;
  tsr_tree_make(team, root, &tree);
  if (tree.parent >= 0) tsr_schedule_receive(schedule, tree.parent, buffer, bytes);
  tsr_schedule_wait(schedule);
  for (int32_t i = 0; i < tree.children_n; i++) tsr_schedule_send(schedule, tree.children[i], buffer, bytes);
  tsr_schedule_wait(schedule);
}

static void bcast_direct(tsr_schedule *schedule, const tsr_team *team, void *buffer, size_t bytes, int32_t root) {
  if (team->self != root) tsr_schedule_receive(schedule, root, buffer, bytes);
  for (int32_t i = 1; team->self == root && i < team->size; i++)
    tsr_schedule_send(schedule, (root + i) % team->size, buffer, bytes);
  tsr_schedule_wait(schedule);
}

/* Segment after segment down a line: while one is passed on, the next comes. */
static void bcast_line(tsr_schedule *schedule, const tsr_team *team, char *buffer, size_t bytes, int32_t root) {
  enum { SEGMENT_BYTES = 256 << 10 };
  int32_t n = team->size, *order = tsr_coll_memory((size_t)n * sizeof *order);
  int32_t self = tsr_ring_make(team, order), before = order[(self - 1 + n) % n], next = order[(self + 1) % n];
  size_t segments_n = (bytes + SEGMENT_BYTES - 1) / SEGMENT_BYTES;
  for (size_t i = 0; i <= segments_n; i++) {
    size_t at = i * SEGMENT_BYTES;
    if (i < segments_n && team->self != root)
      tsr_schedule_receive(schedule, before, buffer + at, bytes - at < SEGMENT_BYTES ? bytes - at : SEGMENT_BYTES);
    if (i > 0 && next != root) {
      size_t last = at - SEGMENT_BYTES;
      tsr_schedule_send(schedule, next, buffer + last, bytes - last < SEGMENT_BYTES ? bytes - last : SEGMENT_BYTES);
    }
    tsr_schedule_wait(schedule);
  }
  free(order);
}

void tsr_nb_add_bcast(tsr_schedule *schedule, tsr_team *team, void *buffer, size_t bytes, int32_t root) {
  switch (tsr_select(TSR_COLL_BCAST, team, bytes, true)) {
    case TSR_BY_TREE: bcast_tree(schedule, team, buffer, bytes, root); break;
    case TSR_BY_DIRECT: bcast_direct(schedule, team, buffer, bytes, root); break;
    default: bcast_line(schedule, team, buffer, bytes, root); break;
  }
}

tsr_schedule *tsr_nb_bcast(tsr_team *team, void *buffer, size_t bytes, tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"broadcast", bytes, root.id, 0, 0});
  tsr_nb_add_bcast(schedule, team, buffer, bytes, root.id);
  return schedule;
}
