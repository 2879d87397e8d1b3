/* Scatter and gather. */
#include <stdlib.h>

#include "coll/blocks.h"
#include "coll/builders.h"
#include "coll/local.h"
#include "coll/nb.h"
#include "core/coll_error.h"

/* ---- algorithms ---- */

static void scatter_direct(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *blocks, tsr_block own) {
  if (group->self) {
    tsr_schedule_receive(schedule, group->root, own.data, own.bytes);
    tsr_schedule_wait(schedule);
    return;
  }
  for (int32_t place = 1; place < group->n; place++) {
    int32_t number = tsr_group_number(group, place);
    tsr_block block = tsr_block_of(blocks, number);
    tsr_schedule_send(schedule, tsr_group_member(group, number), block.data, block.bytes);
    if (place % TSR_AT_ONCE_N == 0) tsr_schedule_wait(schedule);
  }
  tsr_schedule_copy(schedule, own.data, tsr_block_at(blocks, group, 0).data, own.bytes);
}

static void gather_direct(tsr_schedule *schedule, const tsr_group *group, tsr_block own, const tsr_member_blocks *blocks) {
  if (group->self) {
    tsr_schedule_send(schedule, group->root, own.data, own.bytes);
    return;
  }
  for (int32_t place = 1; place < group->n; place++) {
    int32_t number = tsr_group_number(group, place);
    tsr_block block = tsr_block_of(blocks, number);
    tsr_schedule_receive(schedule, tsr_group_member(group, number), block.data, block.bytes);
    if (place % TSR_AT_ONCE_N == 0) tsr_schedule_wait(schedule);
  }
  tsr_schedule_copy(schedule, tsr_block_at(blocks, group, 0).data, own.data, own.bytes);
  tsr_schedule_wait(schedule);
}

/* Returns the end of the subtree that begins at `place` and has at most `bit` places. */
static int32_t branch_end(const tsr_group *group, int32_t place, int32_t bit) {
  return group->n - place < bit ? group->n : place + bit;
}

/* Binomial tree: a member receives the blocks of its subtree, and forwards those of the largest branch first. */
static void scatter_tree(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *blocks, tsr_block own) {
  int32_t self = group->self, bit = tsr_group_bit(group), end = branch_end(group, self, bit);
  char *held = NULL;
  if (self) {
    size_t bytes = tsr_blocks_bytes(group, blocks, self, end);
    held = end == self + 1 ? own.data : tsr_schedule_memory(schedule, bytes);
    tsr_schedule_receive(schedule, tsr_group_at(group, self - bit), held, bytes);
    tsr_schedule_wait(schedule);
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    int32_t child = self + bit, child_end = branch_end(group, child, bit);
    if (child >= group->n) continue;
    size_t bytes = tsr_blocks_bytes(group, blocks, child, child_end);
    char *data = held ? held + tsr_blocks_bytes(group, blocks, self, child) : tsr_blocks_data(group, blocks, child, child_end);
    if (!data) {
      data = tsr_schedule_memory(schedule, bytes);
      tsr_blocks_copy(schedule, group, blocks, child, child_end, data, true);
    }
    tsr_schedule_send(schedule, tsr_group_at(group, child), data, bytes);
  }
  tsr_schedule_copy(schedule, own.data, held ? held : tsr_block_at(blocks, group, 0).data, own.bytes);
}

/* Binomial tree: a member sends the blocks of its subtree. The root receives a branch in place if the blocks of the
 * branch are contiguous. */
static void gather_tree(tsr_schedule *schedule, const tsr_group *group, tsr_block own, const tsr_member_blocks *blocks) {
  enum { BRANCHES_MAX = 31 };
  int32_t self = group->self, bit = tsr_group_bit(group), end = branch_end(group, self, bit), branches_n = 0;
  size_t bytes = self ? tsr_blocks_bytes(group, blocks, self, end) : 0;
  char *held = !self ? NULL : end == self + 1 ? own.data : tsr_schedule_memory(schedule, bytes), *packed[BRANCHES_MAX];
  for (int32_t b = 1; b < bit && self + b < group->n; b *= 2, branches_n++) {
    int32_t child = self + b, child_end = branch_end(group, child, b);
    size_t child_bytes = tsr_blocks_bytes(group, blocks, child, child_end);
    char *data = held ? held + tsr_blocks_bytes(group, blocks, self, child) : tsr_blocks_data(group, blocks, child, child_end);
    packed[branches_n] = data ? NULL : tsr_schedule_memory(schedule, child_bytes);
    tsr_schedule_receive(schedule, tsr_group_at(group, child), data ? data : packed[branches_n], child_bytes);
  }
  tsr_schedule_copy(schedule, held ? held : tsr_block_at(blocks, group, 0).data, own.data, own.bytes);
  tsr_schedule_wait(schedule);
  for (int32_t i = 0; i < branches_n; i++) {
    int32_t child = self + (1 << i);
    if (packed[i]) tsr_blocks_copy(schedule, group, blocks, child, branch_end(group, child, 1 << i), packed[i], false);
  }
  if (self) tsr_schedule_send(schedule, tsr_group_at(group, self - bit), held, bytes);
}

void tsr_add_scatter(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *blocks, tsr_block own,
                     enum tsr_algorithm algorithm) {
  if (algorithm == TSR_BY_TREE) scatter_tree(schedule, group, blocks, own);
  else scatter_direct(schedule, group, blocks, own);
}

void tsr_add_gather(tsr_schedule *schedule, const tsr_group *group, tsr_block own, const tsr_member_blocks *blocks,
                    enum tsr_algorithm algorithm) {
  if (algorithm == TSR_BY_TREE) gather_tree(schedule, group, own, blocks);
  else gather_direct(schedule, group, own, blocks);
}

/* ---- between nodes: among the members that act for them ---- */

/* Returns the algorithm of the leaders, and stores the blocks that it needs. Nodes of unequal size need a table of
 * blocks. Only the root builds the table, except for a tree, in which all leaders need the sizes. */
static enum tsr_algorithm prepare_leaders(tsr_schedule *schedule, const tsr_team *team, enum tsr_coll_kind kind,
                                          const struct tsr_coll_buffer *buffer, tsr_member_blocks *blocks) {
  size_t mean = team->each_n ? (size_t)team->each_n * buffer->each : (size_t)team->size * buffer->each / (size_t)team->nodes_n;
  enum tsr_algorithm algorithm = tsr_select_leaders(kind, team, mean);
  if (team->each_n || buffer->data || algorithm == TSR_BY_TREE)
    *blocks = tsr_coll_buffer_nodes(schedule, team, buffer, kind == TSR_COLL_SCATTER);
  else *blocks = (tsr_member_blocks){0};
  return algorithm;
}

/* Only the root's `buffer` has data. Returns the blocks of the members on this node, one after another. */
static char *scatter_nodes(tsr_schedule *schedule, const tsr_team *team, const tsr_group *leaders,
                           const struct tsr_coll_buffer *buffer, void *recv) {
  bool is_root = leaders->self == 0;
  tsr_member_blocks blocks;
  enum tsr_algorithm algorithm = prepare_leaders(schedule, team, TSR_COLL_SCATTER, buffer, &blocks);
  for (int32_t node = 0; is_root && blocks.list && node < team->nodes_n; node++)
    tsr_coll_buffer_copy(schedule, team, buffer, node, &blocks, true);
  tsr_block own = {recv, (size_t)team->locals_n * buffer->each};
  if (is_root) own = tsr_block_of(&blocks, team->self_node);
  else if (team->locals_n > 1) own.data = tsr_schedule_memory(schedule, own.bytes);
  tsr_add_scatter(schedule, leaders, &blocks, own, algorithm);
  return own.data;
}

/* `own` has the blocks of the members on this node, one after another. At the root they are already in place. */
static void gather_nodes(tsr_schedule *schedule, const tsr_team *team, const tsr_group *leaders, char *own,
                         const struct tsr_coll_buffer *buffer) {
  bool is_root = leaders->self == 0;
  tsr_member_blocks blocks;
  enum tsr_algorithm algorithm = prepare_leaders(schedule, team, TSR_COLL_GATHER, buffer, &blocks);
  if (is_root) own = tsr_block_of(&blocks, team->self_node).data;
  tsr_add_gather(schedule, leaders, (tsr_block){own, (size_t)team->locals_n * buffer->each}, &blocks, algorithm);
  for (int32_t node = 0; is_root && blocks.list && node < team->nodes_n; node++)
    tsr_coll_buffer_copy(schedule, team, buffer, node, &blocks, false);
}

/* Returns a buffer of blocks of equal size, which has data at the root only. */
static struct tsr_coll_buffer root_buffer(const tsr_team *team, const void *data, size_t bytes, int32_t root) {
  return (struct tsr_coll_buffer){.data = team->self == root ? (char *)data : NULL, .each = bytes};
}

/* Returns memory for the blocks of the members on this node, on the member that acts for the node. NULL on the others,
 * and at the root, which has the blocks in place. */
static char *packed_memory(tsr_schedule *schedule, const tsr_team *team, const tsr_group *leaders, size_t bytes) {
  return leaders->acts && leaders->self ? tsr_schedule_memory(schedule, (size_t)team->locals_n * bytes) : NULL;
}

/* ---- blocking calls ---- */

tessera_status_t tsr_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  if (!tsr_call_begin(team, TSR_CALL_SCATTER, bytes, root.id, 0)) return TESSERA_ERR_PEER;
  if (team->nodes_n == 1) return tsr_local_distribute(team, send, bytes, recv, root.id) ? TESSERA_OK : tsr_call_fail(team);
  tsr_group leaders = tsr_group_leaders(team, root.id);
  int32_t source = leaders.self == 0 ? tsr_local_of(team, root) : 0;
  struct tsr_coll_buffer buffer = root_buffer(team, send, bytes, root.id);
  tsr_schedule schedule;
  char *own = NULL;
  tsr_schedule_begin_blocking(&schedule, team);
  if (leaders.acts) own = scatter_nodes(&schedule, team, &leaders, &buffer, recv);
  bool good = tsr_local_distribute(team, own, bytes, recv, source);
  tsr_schedule_end_blocking(&schedule);
  return good ? TESSERA_OK : tsr_call_fail(team);
}

tessera_status_t tsr_gather(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  if (!tsr_call_begin(team, TSR_CALL_GATHER, bytes, root.id, 0)) return TESSERA_ERR_PEER;
  struct tsr_coll_buffer buffer = root_buffer(team, recv, bytes, root.id);
  if (team->nodes_n == 1) return tsr_local_collect(team, send, &buffer, NULL) ? TESSERA_OK : tsr_call_fail(team);
  tsr_group leaders = tsr_group_leaders(team, root.id);
  tsr_schedule schedule;
  tsr_schedule_begin_blocking(&schedule, team);
  char *packed = team->locals_n == 1 ? (char *)send : packed_memory(&schedule, team, &leaders, bytes);
  bool good = tsr_local_collect(team, send, &buffer, buffer.data ? NULL : packed);
  if (good && leaders.acts) gather_nodes(&schedule, team, &leaders, packed, &buffer);
  tsr_schedule_end_blocking(&schedule);
  return good ? TESSERA_OK : tsr_call_fail(team);
}

/* ---- non-blocking calls ---- */

static void scatter_by_nodes(tsr_schedule *schedule, const tsr_team *team, const struct tsr_coll_buffer *buffer, void *recv,
                             int32_t root) {
  tsr_group leaders = tsr_group_leaders(team, root), locals = tsr_group_locals(team, root);
  char *packed = leaders.acts ? scatter_nodes(schedule, team, &leaders, buffer, recv) : NULL;
  tsr_member_blocks blocks = tsr_coll_buffer_members(schedule, &locals, buffer, team->self == root ? NULL : packed);
  tsr_add_scatter(schedule, &locals, &blocks, (tsr_block){recv, buffer->each},
                  tsr_select_locals(TSR_COLL_SCATTER, team, buffer->each));
}

static void gather_by_nodes(tsr_schedule *schedule, const tsr_team *team, const void *send, const struct tsr_coll_buffer *buffer,
                            int32_t root) {
  tsr_group leaders = tsr_group_leaders(team, root), locals = tsr_group_locals(team, root);
  char *packed = packed_memory(schedule, team, &leaders, buffer->each);
  tsr_member_blocks blocks = tsr_coll_buffer_members(schedule, &locals, buffer, packed);
  tsr_add_gather(schedule, &locals, (tsr_block){(char *)send, buffer->each}, &blocks,
                 tsr_select_locals(TSR_COLL_GATHER, team, buffer->each));
  if (leaders.acts) gather_nodes(schedule, team, &leaders, packed, buffer);
}

static void scatter_members(tsr_schedule *schedule, const tsr_team *team, const struct tsr_coll_buffer *buffer, void *recv,
                            int32_t root, enum tsr_algorithm algorithm) {
  tsr_group group = tsr_group_all(team, root);
  tsr_member_blocks blocks = tsr_coll_buffer_members(schedule, &group, buffer, NULL);
  tsr_add_scatter(schedule, &group, &blocks, (tsr_block){recv, tsr_coll_buffer_bytes(buffer, team->self)}, algorithm);
}

static void gather_members(tsr_schedule *schedule, const tsr_team *team, const void *send, const struct tsr_coll_buffer *buffer,
                           int32_t root, enum tsr_algorithm algorithm) {
  tsr_group group = tsr_group_all(team, root);
  tsr_member_blocks blocks = tsr_coll_buffer_members(schedule, &group, buffer, NULL);
  tsr_add_gather(schedule, &group, (tsr_block){(char *)send, tsr_coll_buffer_bytes(buffer, team->self)}, &blocks, algorithm);
}

tsr_schedule *tsr_nb_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"scatter", bytes, root.id, 0, 0});
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_SCATTER, team, bytes, true);
  struct tsr_coll_buffer buffer = root_buffer(team, send, bytes, root.id);
  if (algorithm == TSR_BY_NODES) scatter_by_nodes(schedule, team, &buffer, recv, root.id);
  else scatter_members(schedule, team, &buffer, recv, root.id, algorithm);
  return schedule;
}

tsr_schedule *tsr_nb_gather(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"gather", bytes, root.id, 0, 0});
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_GATHER, team, bytes, true);
  struct tsr_coll_buffer buffer = root_buffer(team, recv, bytes, root.id);
  if (algorithm == TSR_BY_NODES) gather_by_nodes(schedule, team, send, &buffer, root.id);
  else gather_members(schedule, team, send, &buffer, root.id, algorithm);
  return schedule;
}

/* Only the root has counts. The other members know their own size. */
static struct tsr_coll_buffer counted_buffer(const tsr_team *team, const void *data, struct tsr_counts counts, size_t own_bytes,
                                             int32_t root) {
  if (team->self != root) return (struct tsr_coll_buffer){.each = own_bytes};
  return (struct tsr_coll_buffer){(char *)data, counts.counts, counts.offs, own_bytes};
}

tsr_schedule *tsr_nb_scatterv(tsr_team *team, const void *send, struct tsr_counts counts, void *recv, size_t bytes,
                              tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"scatterv", TSR_CHECK_NO_BYTES, root.id, 0, 0});
  struct tsr_coll_buffer buffer = counted_buffer(team, send, counts, bytes, root.id);
  scatter_members(schedule, team, &buffer, recv, root.id, TSR_BY_DIRECT);
  return schedule;
}

tsr_schedule *tsr_nb_gatherv(tsr_team *team, const void *send, size_t bytes, void *recv, struct tsr_counts counts,
                             tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"gatherv", TSR_CHECK_NO_BYTES, root.id, 0, 0});
  struct tsr_coll_buffer buffer = counted_buffer(team, recv, counts, bytes, root.id);
  gather_members(schedule, team, send, &buffer, root.id, TSR_BY_DIRECT);
  return schedule;
}
