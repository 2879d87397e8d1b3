/* Scatter and gather. */
#include <stdlib.h>

#include "coll/blocks.h"
#include "coll/builders.h"
#include "coll/local.h"
#include "coll/nb.h"
#include "core/coll_error.h"

/* ---- algorithms ---- */

static const tsr_block *block_at(const tsr_group *group, const tsr_block blocks[], int32_t place) {
  return &blocks[tsr_group_number(group, place)];
}

static void scatter_direct(tsr_schedule *schedule, const tsr_group *group, const tsr_block blocks[], tsr_block own) {
  if (group->self) {
    tsr_schedule_receive(schedule, group->root, own.data, own.bytes);
    tsr_schedule_wait(schedule);
    return;
  }
  for (int32_t place = 1; place < group->n; place++) {
    const tsr_block *block = block_at(group, blocks, place);
    tsr_schedule_send(schedule, tsr_group_at(group, place), block->data, block->bytes);
    if (place % TSR_WINDOW_N == 0) tsr_schedule_wait(schedule);
  }
  tsr_schedule_copy(schedule, own.data, block_at(group, blocks, 0)->data, own.bytes);
}

static void gather_direct(tsr_schedule *schedule, const tsr_group *group, tsr_block own, const tsr_block blocks[]) {
  if (group->self) {
    tsr_schedule_send(schedule, group->root, own.data, own.bytes);
    return;
  }
  for (int32_t place = 1; place < group->n; place++) {
    const tsr_block *block = block_at(group, blocks, place);
    tsr_schedule_receive(schedule, tsr_group_at(group, place), block->data, block->bytes);
    if (place % TSR_WINDOW_N == 0) tsr_schedule_wait(schedule);
  }
  tsr_schedule_copy(schedule, block_at(group, blocks, 0)->data, own.data, own.bytes);
  tsr_schedule_wait(schedule);
}

/* Where the branch of a tree ends that begins at `place` and has at most `bit` places. */
static int32_t branch_end(const tsr_group *group, int32_t place, int32_t bit) {
  return group->n - place < bit ? group->n : place + bit;
}

/* Binomial: a member gets the blocks of all places below it, and passes them on, those of the largest branch first. */
static void scatter_tree(tsr_schedule *schedule, const tsr_group *group, const tsr_block blocks[], tsr_block own) {
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
  tsr_schedule_copy(schedule, own.data, held ? held : block_at(group, blocks, 0)->data, own.bytes);
}

/* Binomial: a member sends the blocks of all places below it. The root receives each branch where its blocks belong, if they lie
 * there one after another. */
static void gather_tree(tsr_schedule *schedule, const tsr_group *group, tsr_block own, const tsr_block blocks[]) {
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
  tsr_schedule_copy(schedule, held ? held : block_at(group, blocks, 0)->data, own.data, own.bytes);
  tsr_schedule_wait(schedule);
  for (int32_t i = 0; i < branches_n; i++) {
    int32_t child = self + (1 << i);
    if (packed[i]) tsr_blocks_copy(schedule, group, blocks, child, branch_end(group, child, 1 << i), packed[i], false);
  }
  if (self) tsr_schedule_send(schedule, tsr_group_at(group, self - bit), held, bytes);
}

void tsr_add_scatter(tsr_schedule *schedule, const tsr_group *group, const tsr_block blocks[], tsr_block own,
                     enum tsr_algorithm algorithm) {
  if (algorithm == TSR_BY_TREE) scatter_tree(schedule, group, blocks, own);
  else scatter_direct(schedule, group, blocks, own);
}

void tsr_add_gather(tsr_schedule *schedule, const tsr_group *group, tsr_block own, const tsr_block blocks[],
                    enum tsr_algorithm algorithm) {
  if (algorithm == TSR_BY_TREE) gather_tree(schedule, group, own, blocks);
  else gather_direct(schedule, group, own, blocks);
}

/* ---- between the nodes: for the members that act ---- */

static enum tsr_algorithm choose_algorithm(enum tsr_coll_kind kind, const tsr_team *team, size_t bytes) {
  return tsr_select_leaders(kind, team, (size_t)team->size * bytes / (size_t)team->nodes_n);
}

/* The root needs the blocks of all nodes; in a tree all members need their sizes. */
static tsr_block *make_node_blocks(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, bool is_root,
                                   bool with_own, enum tsr_algorithm algorithm) {
  return is_root || algorithm == TSR_BY_TREE ? tsr_shares_nodes(schedule, team, shares, with_own) : NULL;
}

/* Returns the shares of the own node's members, one after another. */
static char *scatter_nodes(tsr_schedule *schedule, const tsr_team *team, const void *send, void *recv, size_t bytes,
                           int32_t root) {
  bool is_root = team->self == root;
  struct tsr_shares shares = {.counts_list = {.each = bytes}, .data = is_root ? (char *)send : NULL};
  tsr_group leaders = tsr_group_leaders(team, root);
  enum tsr_algorithm algorithm = choose_algorithm(TSR_COLL_SCATTER, team, bytes);
  tsr_block *blocks = make_node_blocks(schedule, team, &shares, is_root, true, algorithm);
  tsr_block own = is_root ? blocks[team->self_node] : (tsr_block){NULL, (size_t)team->locals_n * bytes};
  for (int32_t node = 0; is_root && node < team->nodes_n; node++)
    tsr_shares_copy(schedule, team, &shares, node, &blocks[node], true);
  if (!own.data) own.data = team->locals_n == 1 ? recv : tsr_schedule_memory(schedule, own.bytes);
  tsr_add_scatter(schedule, &leaders, blocks, own, algorithm);
  return own.data;
}

/* `own` has the shares of the own node's members, one after another; at the root they are in their places. */
static void gather_nodes(tsr_schedule *schedule, const tsr_team *team, char *own, void *recv, size_t bytes, int32_t root) {
  bool is_root = team->self == root;
  struct tsr_shares shares = {.counts_list = {.each = bytes}, .data = is_root ? recv : NULL};
  tsr_group leaders = tsr_group_leaders(team, root);
  enum tsr_algorithm algorithm = choose_algorithm(TSR_COLL_GATHER, team, bytes);
  tsr_block *blocks = make_node_blocks(schedule, team, &shares, is_root, false, algorithm);
  tsr_add_gather(schedule, &leaders, (tsr_block){own, (size_t)team->locals_n * bytes}, blocks, algorithm);
  for (int32_t node = 0; is_root && node < team->nodes_n; node++)
    tsr_shares_copy(schedule, team, &shares, node, &blocks[node], false);
}

/* ---- blocking calls ---- */

tessera_status_t tsr_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  if (!tsr_call_begin(team, TSR_CALL_SCATTER, bytes, root.id, 0)) return TESSERA_ERR_PEER;
  int32_t source = tsr_is_with(team, root.id) ? tsr_local_of(team, root) : 0;
  if (team->nodes_n == 1) return tsr_local_distribute(team, send, bytes, recv, source) ? TESSERA_OK : tsr_call_fail(team);
  tsr_schedule schedule;
  char *shares = NULL;
  tsr_schedule_begin_blocking(&schedule, team);
  if (tsr_acts(team, root.id)) shares = scatter_nodes(&schedule, team, send, recv, bytes, root.id);
  bool good = tsr_local_distribute(team, shares, bytes, recv, source);
  tsr_schedule_end_blocking(&schedule);
  return good ? TESSERA_OK : tsr_call_fail(team);
}

/* Collects the shares of the members of this node in the member that acts: in their places in `recv`, or one after another in
 * `packed`. False: a member failed the call. */
static bool collect_node(tsr_team *team, const void *send, char *recv, char *packed, size_t bytes) {
  char **places = NULL;
  if (recv || packed) {
    places = tsr_coll_memory((size_t)team->locals_n * sizeof *places);
    for (int32_t i = 0; i < team->locals_n; i++)
      places[i] = recv ? recv + (size_t)team->locals[i] * bytes : packed + (size_t)i * bytes;
  }
  bool good = tsr_local_collect(team, send, &(struct tsr_count_list){.each = bytes}, places);
  free(places);
  return good;
}

tessera_status_t tsr_gather(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  if (!tsr_call_begin(team, TSR_CALL_GATHER, bytes, root.id, 0)) return TESSERA_ERR_PEER;
  bool is_root = team->self == root.id;
  if (team->nodes_n == 1) return collect_node(team, send, is_root ? recv : NULL, NULL, bytes) ? TESSERA_OK : tsr_call_fail(team);
  tsr_schedule schedule;
  bool good, acts = tsr_acts(team, root.id);
  char *packed = NULL;
  tsr_schedule_begin_blocking(&schedule, team);
  if (acts && !is_root) packed = team->locals_n == 1 ? (char *)send : tsr_schedule_memory(&schedule, (size_t)team->locals_n * bytes);
  good = collect_node(team, send, is_root ? recv : NULL, packed, bytes);
  if (good && acts) gather_nodes(&schedule, team, packed, recv, bytes, root.id);
  tsr_schedule_end_blocking(&schedule);
  return good ? TESSERA_OK : tsr_call_fail(team);
}

/* ---- non-blocking calls ---- */

static void scatter_by_nodes(tsr_schedule *schedule, const tsr_team *team, const void *send, void *recv, size_t bytes,
                             int32_t root) {
  bool is_root = team->self == root;
  struct tsr_shares shares = {.counts_list = {.each = bytes}, .data = is_root ? (char *)send : NULL};
  tsr_group locals = tsr_group_locals(team, root);
  char *packed = NULL;
  if (tsr_acts(team, root)) packed = scatter_nodes(schedule, team, send, recv, bytes, root);
  tsr_block *blocks = tsr_shares_members(schedule, &locals, &shares, is_root ? NULL : packed);
  tsr_add_scatter(schedule, &locals, blocks, (tsr_block){recv, bytes}, tsr_select_locals(TSR_COLL_SCATTER, team, bytes));
}

static void gather_by_nodes(tsr_schedule *schedule, const tsr_team *team, const void *send, void *recv, size_t bytes,
                            int32_t root) {
  bool is_root = team->self == root, acts = tsr_acts(team, root);
  struct tsr_shares shares = {.counts_list = {.each = bytes}, .data = is_root ? recv : NULL};
  tsr_group locals = tsr_group_locals(team, root);
  char *packed = acts && !is_root ? tsr_schedule_memory(schedule, (size_t)team->locals_n * bytes) : NULL;
  tsr_block *blocks = tsr_shares_members(schedule, &locals, &shares, packed);
  tsr_add_gather(schedule, &locals, (tsr_block){(char *)send, bytes}, blocks, tsr_select_locals(TSR_COLL_GATHER, team, bytes));
  if (acts) gather_nodes(schedule, team, packed, recv, bytes, root);
}

tsr_schedule *tsr_nb_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"scatter", bytes, root.id, 0, 0});
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_SCATTER, team, bytes, true);
  if (algorithm == TSR_BY_NODES) {
    scatter_by_nodes(schedule, team, send, recv, bytes, root.id);
    return schedule;
  }
  struct tsr_shares shares = {.counts_list = {.each = bytes}, .data = team->self == root.id ? (char *)send : NULL};
  tsr_group group = tsr_group_all(team, root.id);
  tsr_block *blocks = tsr_shares_members(schedule, &group, &shares, NULL);
  tsr_add_scatter(schedule, &group, blocks, (tsr_block){recv, bytes}, algorithm);
  return schedule;
}

tsr_schedule *tsr_nb_gather(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"gather", bytes, root.id, 0, 0});
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_GATHER, team, bytes, true);
  if (algorithm == TSR_BY_NODES) {
    gather_by_nodes(schedule, team, send, recv, bytes, root.id);
    return schedule;
  }
  struct tsr_shares shares = {.counts_list = {.each = bytes}, .data = team->self == root.id ? recv : NULL};
  tsr_group group = tsr_group_all(team, root.id);
  tsr_block *blocks = tsr_shares_members(schedule, &group, &shares, NULL);
  tsr_add_gather(schedule, &group, (tsr_block){(char *)send, bytes}, blocks, algorithm);
  return schedule;
}

/* With counts that only the root knows. */
tsr_schedule *tsr_nb_scatterv(tsr_team *team, const void *send, struct tsr_counts counts, void *recv, size_t bytes,
                              tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"scatterv", TSR_CHECK_NO_BYTES, root.id, 0, 0});
  struct tsr_shares shares = {.counts_list = {.counts = counts.counts, .each = bytes}, .offs = counts.offs, .data = (char *)send};
  tsr_group group = tsr_group_all(team, root.id);
  bool is_root = team->self == root.id;
  tsr_block *blocks = is_root ? tsr_shares_members(schedule, &group, &shares, NULL) : NULL;
  tsr_block own = {recv, is_root ? blocks[root.id].bytes : bytes};
  tsr_add_scatter(schedule, &group, blocks, own, TSR_BY_DIRECT);
  return schedule;
}

tsr_schedule *tsr_nb_gatherv(tsr_team *team, const void *send, size_t bytes, void *recv, struct tsr_counts counts,
                             tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"gatherv", TSR_CHECK_NO_BYTES, root.id, 0, 0});
  struct tsr_shares shares = {.counts_list = {.counts = counts.counts, .each = bytes}, .offs = counts.offs, .data = recv};
  tsr_group group = tsr_group_all(team, root.id);
  bool is_root = team->self == root.id;
  tsr_block *blocks = is_root ? tsr_shares_members(schedule, &group, &shares, NULL) : NULL;
  tsr_block own = {(char *)send, is_root ? blocks[root.id].bytes : bytes};
  tsr_add_gather(schedule, &group, own, blocks, TSR_BY_DIRECT);
  return schedule;
}
