/* Reduce, allreduce and reduce-scatter. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "coll/blocks.h"
#include "coll/builders.h"
#include "coll/local.h"
#include "coll/nb.h"
#include "core/coll_error.h"
#include "core/sync.h"

static void apply_builtin(void *inout, const void *in, size_t n, const tsr_reducer *reducer) {
  tsr_arith_apply(reducer->type, reducer->op, inout, in, n);
}

tsr_reducer tsr_reducer_make(tsr_type type, tsr_arith op) {
  return (tsr_reducer){tsr_type_bytes(type), apply_builtin, .commutes = true, .builtin = true, .type = type, .op = op};
}

uint64_t tsr_reducer_check(const tsr_reducer *how) {
  return how->builtin ? tsr_check_builtin(how->type, how->op) : tsr_check_user(how->elem_bytes, how->commutes);
}

/* ---- reduce ---- */

/* Binomial tree. All children may send at once. A member combines from the highest place down, in the memory for the
 * last child, so the order of places is kept. */
static void reduce_tree(tsr_schedule *schedule, const tsr_group *group, const void *send, void *recv, size_t n,
                        const tsr_reducer *how) {
  int32_t self = group->self, bit = tsr_group_bit(group);
  size_t bytes = n * how->elem_bytes, children_n = 0;
  for (int32_t b = 1; b < bit && self + b < group->n; b *= 2) children_n++;
  char *theirs = children_n ? tsr_schedule_memory(schedule, children_n * bytes) : NULL;
  for (size_t i = 0; i < children_n; i++)
    tsr_schedule_receive(schedule, tsr_group_at(group, self + (1 << i)), theirs + i * bytes, bytes);
  tsr_schedule_wait(schedule);
  char *sum = children_n ? theirs + (children_n - 1) * bytes : NULL;
  for (size_t i = children_n; i > 1; i--) tsr_schedule_combine(schedule, how, sum, theirs + (i - 2) * bytes, n);
  if (sum) tsr_schedule_combine(schedule, how, sum, send, n);
  if (self) tsr_schedule_send(schedule, tsr_group_at(group, self - bit), sum ? sum : send, bytes);
  else tsr_schedule_copy(schedule, recv, sum ? sum : send, bytes);
  tsr_schedule_wait(schedule);
}

/* A pipelined chain to the root: a member combines and forwards one piece while it receives the next. */
static void reduce_chain(tsr_schedule *schedule, const tsr_group *group, const char *send, char *recv, size_t n,
                        const tsr_reducer *how) {
  const int32_t self = group->self;
  const bool has_behind = self + 1 < group->n, to_place = self == 0 && recv != send;
  const size_t elem = how->elem_bytes, most = TSR_CHAIN_BYTES > elem ? TSR_CHAIN_BYTES / elem : 1, pieces_n = (n + most - 1) / most;
  char *slots = has_behind && !to_place ? tsr_schedule_memory(schedule, 2 * most * elem) : NULL;
  for (size_t i = 0; i <= pieces_n; i++) {
    size_t next = i * most * elem, off = next - most * elem, now = i < pieces_n ? most : n - (pieces_n - 1) * most;
    if (has_behind && i < pieces_n) {
      size_t bytes = (i + 1 < pieces_n ? most : n - i * most) * elem;
      tsr_schedule_receive(schedule, tsr_group_at(group, self + 1), to_place ? recv + next : slots + i % 2 * most * elem, bytes);
    }
    if (i > 0) {
      char *slot = to_place ? recv + off : slots + (i - 1) % 2 * most * elem;
      if (has_behind && (self > 0 || to_place)) tsr_schedule_combine(schedule, how, slot, send + off, now);
      else if (has_behind) tsr_schedule_combine(schedule, how, recv + off, slot, now);
      if (self > 0) tsr_schedule_send(schedule, tsr_group_at(group, self - 1), has_behind ? slot : send + off, now * elem);
    }
    tsr_schedule_wait(schedule);
  }
  if (!has_behind && self == 0) tsr_schedule_copy(schedule, recv, send, n * elem);
}

static tsr_member_blocks make_parts(tsr_schedule *schedule, const tsr_group *group, const void *data, size_t n, size_t elem_bytes) {
  struct tsr_parts parts = {n, elem_bytes, group->n};
  tsr_block *blocks = tsr_schedule_memory(schedule, (size_t)group->n * sizeof *blocks);
  for (int32_t i = 0; i < group->n; i++)
    blocks[i] = (tsr_block){(char *)data + tsr_part_off(&parts, i), tsr_part_bytes(&parts, i)};
  return (tsr_member_blocks){.list = blocks};
}

/* Each member receives its part from all others, and combines in the order of numbers. `result` may be in the vector,
 * because it is written when all sends of this member are complete. */
static void reduce_scatter_direct(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *parts, void *result,
                                  const tsr_reducer *how) {
  const int32_t n = group->n, own = tsr_group_number(group, group->self);
  const size_t bytes = tsr_block_of(parts, own).bytes;
  char *all = tsr_schedule_memory(schedule, (size_t)n * bytes);
  tsr_schedule_copy(schedule, all + (size_t)own * bytes, tsr_block_of(parts, own).data, bytes);
  for (int32_t i = 1; i < n; i++) {
    const int32_t to = tsr_group_turn(group, i), from = tsr_group_turn(group, -i);
    const tsr_block out = tsr_block_at(parts, group, to);
    tsr_schedule_receive(schedule, tsr_group_at(group, from), all + (size_t)tsr_group_number(group, from) * bytes, bytes);
    tsr_schedule_send(schedule, tsr_group_at(group, to), out.data, out.bytes);
  }
  tsr_schedule_wait(schedule);
  char *sum = all + (size_t)(n - 1) * bytes;
  for (int32_t i = n - 2; i >= 0; i--)
    tsr_schedule_combine(schedule, how, sum, all + (size_t)i * bytes, bytes / how->elem_bytes);
  tsr_schedule_copy(schedule, result, sum, bytes);
}

/* The partial result of each part travels round the ring, and ends at the member that owns the part. */
static void reduce_scatter_ring(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *parts, void *result,
                                const tsr_reducer *how) {
  size_t most = 0;
  for (int32_t i = 0; i < group->n; i++) most = tsr_max_size(most, tsr_block_of(parts, i).bytes);
  char *held[2] = {tsr_schedule_memory(schedule, most), tsr_schedule_memory(schedule, most)};
  const int32_t next = tsr_group_turn(group, 1), before = tsr_group_turn(group, -1);
  tsr_block out = tsr_block_at(parts, group, before);
  const char *value = out.data;
  for (int32_t i = 0; i + 1 < group->n; i++) {
    const tsr_block in = tsr_block_at(parts, group, tsr_group_turn(group, -((i + 2) % group->n)));
    char *theirs = held[i % 2];
    tsr_schedule_receive(schedule, tsr_group_at(group, before), theirs, in.bytes);
    tsr_schedule_send(schedule, tsr_group_at(group, next), value, out.bytes);
    tsr_schedule_wait(schedule);
    tsr_schedule_combine(schedule, how, theirs, in.data, in.bytes / how->elem_bytes);
    value = theirs;
    out = in;
  }
  tsr_schedule_copy(schedule, result, value, out.bytes);
}

static void add_reduce_scatter(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *parts, void *result,
                               const tsr_reducer *how, enum tsr_algorithm algorithm) {
  if (algorithm == TSR_BY_RING) reduce_scatter_ring(schedule, group, parts, result, how);
  else reduce_scatter_direct(schedule, group, parts, result, how);
}

/* Each member combines one part, and the root gathers the parts. */
static void reduce_direct(tsr_schedule *schedule, const tsr_group *group, const void *send, void *recv, size_t n,
                          const tsr_reducer *how) {
  tsr_member_blocks parts = make_parts(schedule, group, send, n, how->elem_bytes);
  tsr_block own = {NULL, tsr_block_at(&parts, group, group->self).bytes};
  own.data = tsr_schedule_memory(schedule, own.bytes);
  reduce_scatter_direct(schedule, group, &parts, own.data, how);
  tsr_member_blocks sums = group->self ? (tsr_member_blocks){0} : make_parts(schedule, group, recv, n, how->elem_bytes);
  tsr_add_gather(schedule, group, own, &sums, TSR_BY_DIRECT);
}

static void reduce_halving(tsr_schedule *schedule, const tsr_group *group, const void *send, void *recv, size_t n,
                           const tsr_reducer *how) {
  void *data = group->self ? tsr_schedule_memory(schedule, n * how->elem_bytes) : recv;
  tsr_schedule_copy(schedule, data, send, n * how->elem_bytes);
  tsr_add_halving_reduce(schedule, group, data, n, how);
}

void tsr_add_reduce(tsr_schedule *schedule, const tsr_group *group, const void *send, void *recv, size_t n,
                    const tsr_reducer *how, enum tsr_algorithm algorithm) {
  if (!n) return; /* the buffers may then be NULL */
  switch (algorithm) {
    case TSR_BY_TREE: reduce_tree(schedule, group, send, recv, n, how); break;
    case TSR_BY_DIRECT: reduce_direct(schedule, group, send, recv, n, how); break;
    case TSR_BY_HALVING: reduce_halving(schedule, group, send, recv, n, how); break;
    default: reduce_chain(schedule, group, send, recv, n, how); break;
  }
}

/* ---- allreduce ---- */

/* The result of a growing range of members. At first `value` points to memory of the program, which is never written. */
struct sum {
  tsr_schedule *schedule;
  const tsr_reducer *how;
  size_t n, bytes;
  const void *value;
  void *spare[2]; /* memory for the next value */
};

/* Exchanges results with another member, or only receives one, and combines the two. If the operation does not commute,
 * the lower member's result is the left operand. */
static void add_theirs(struct sum *sum, int32_t member, bool is_lower, bool sends) {
  const int free_one = sum->value == sum->spare[0];
  if (!sum->spare[free_one]) sum->spare[free_one] = tsr_schedule_memory(sum->schedule, sum->bytes);
  void *theirs = sum->spare[free_one];
  if (sends) tsr_schedule_send(sum->schedule, member, sum->value, sum->bytes);
  tsr_schedule_receive(sum->schedule, member, theirs, sum->bytes);
  tsr_schedule_wait(sum->schedule);
  if (is_lower && !sum->how->commutes) {
    if (!sum->spare[!free_one]) {
      sum->spare[!free_one] = tsr_schedule_memory(sum->schedule, sum->bytes);
      tsr_schedule_copy(sum->schedule, sum->spare[!free_one], sum->value, sum->bytes);
    }
    tsr_schedule_combine(sum->schedule, sum->how, sum->spare[!free_one], theirs, sum->n);
    sum->value = sum->spare[!free_one];
    return;
  }
  tsr_schedule_combine(sum->schedule, sum->how, theirs, sum->value, sum->n);
  sum->value = theirs;
}

/* Recursive doubling among a power of two of the members. Each even member of the first 2 * extra members passes its
 * value to the odd member after it, and gets the result from there. Combined ranges are adjacent, so the order is kept. */
static void allreduce_doubling(tsr_schedule *schedule, const tsr_group *group, const void *send, void *recv, size_t n,
                               const tsr_reducer *how) {
  int32_t self = group->self, corners_n = 1;
  while (corners_n <= group->n / 2) corners_n *= 2;
  const int32_t extra = group->n - corners_n;
  const bool paired = self < 2 * extra;
  struct sum sum = {.schedule = schedule, .how = how, .n = n, .bytes = n * how->elem_bytes, .value = send};
  if (paired && self % 2 == 0) {
    tsr_schedule_send(schedule, tsr_group_at(group, self + 1), send, sum.bytes);
    tsr_schedule_wait(schedule);
    tsr_schedule_receive(schedule, tsr_group_at(group, self + 1), recv, sum.bytes);
    tsr_schedule_wait(schedule);
    return;
  }
  if (paired) add_theirs(&sum, tsr_group_at(group, self - 1), true, false);
  const int32_t corner = paired ? self / 2 : self - extra;
  for (int32_t bit = 1; bit < corners_n; bit *= 2) {
    const int32_t other = corner ^ bit, place = other < extra ? 2 * other + 1 : other + extra;
    add_theirs(&sum, tsr_group_at(group, place), place < self, true);
  }
  tsr_schedule_copy(schedule, recv, sum.value, sum.bytes);
  if (paired) tsr_schedule_send(schedule, tsr_group_at(group, self - 1), sum.value, sum.bytes);
  tsr_schedule_wait(schedule);
}

static void allreduce_parts(tsr_schedule *schedule, const tsr_group *group, const void *send, void *recv, size_t n,
                            const tsr_reducer *how, enum tsr_algorithm algorithm) {
  tsr_member_blocks parts = make_parts(schedule, group, send, n, how->elem_bytes);
  tsr_member_blocks sums = make_parts(schedule, group, recv, n, how->elem_bytes);
  add_reduce_scatter(schedule, group, &parts, tsr_block_at(&sums, group, group->self).data, how, algorithm);
  tsr_add_allgather(schedule, group, &sums, algorithm);
}

void tsr_add_allreduce(tsr_schedule *schedule, const tsr_group *group, const void *send, void *recv, size_t n,
                       const tsr_reducer *how, enum tsr_algorithm algorithm) {
  if (!n) return;
  switch (algorithm) {
    case TSR_BY_TREE:
      reduce_tree(schedule, group, send, recv, n, how);
      tsr_add_bcast(schedule, group, recv, n * how->elem_bytes, TSR_BY_TREE);
      break;
    case TSR_BY_DOUBLING: allreduce_doubling(schedule, group, send, recv, n, how); break;
    case TSR_BY_HALVING:
      tsr_schedule_copy(schedule, recv, send, n * how->elem_bytes);
      tsr_add_halving_allreduce(schedule, group, recv, n, how);
      break;
    default: allreduce_parts(schedule, group, send, recv, n, how, algorithm); break;
  }
}

/* ---- on a whole team ---- */

/* Keeps the order of members: member 0 combines, and sends the result to the root. */
static void reduce_in_order(tsr_schedule *schedule, const tsr_team *team, const void *send, void *recv, size_t n,
                            const tsr_reducer *how, int32_t root) {
  tsr_group group = tsr_group_all(team, 0);
  size_t bytes = n * how->elem_bytes;
  void *sum = team->self == 0 && root != 0 ? tsr_schedule_memory(schedule, bytes) : recv;
  tsr_add_reduce(schedule, &group, send, sum, n, how, TSR_BY_TREE);
  if (root == 0) return;
  if (team->self == 0) tsr_schedule_send(schedule, root, sum, bytes);
  if (team->self == root) tsr_schedule_receive(schedule, 0, recv, bytes);
  tsr_schedule_wait(schedule);
}

/* Returns the result of this node's members on the member that acts for the node, NULL on the others. */
static void *add_local_reduce(tsr_schedule *schedule, const tsr_team *team, const void *send, void *recv, size_t n,
                              const tsr_reducer *how, int32_t root) {
  tsr_group locals = tsr_group_locals(team, root);
  size_t bytes = n * how->elem_bytes;
  if (team->locals_n == 1) return (void *)send;
  void *sum = locals.self ? NULL : recv ? recv : tsr_schedule_memory(schedule, bytes);
  tsr_add_reduce(schedule, &locals, send, sum, n, how, tsr_select_locals(TSR_COLL_REDUCE, team, bytes));
  return sum;
}

static struct tsr_check_call reduce_call(size_t n, const tsr_reducer *how, tsr_member root) {
  return (struct tsr_check_call){"reduce", n * how->elem_bytes, root.id, tsr_reducer_check(how), 0};
}

static void build_reduce(tsr_schedule *schedule, const void *send, void *recv, size_t n, const tsr_reducer *how, tsr_member root) {
  const tsr_team *team = schedule->team;
  size_t bytes = n * how->elem_bytes;
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_REDUCE, team, bytes, how->commutes);
  tsr_group group = tsr_group_all(team, root.id);
  if (algorithm == TSR_BY_NODES) {
    void *sum = add_local_reduce(schedule, team, send, team->self == root.id ? recv : NULL, n, how, root.id);
    group = tsr_group_leaders(team, root.id);
    if (group.acts)
      tsr_add_reduce(schedule, &group, sum, recv, n, how, tsr_select_leaders(TSR_COLL_REDUCE, team, bytes));
  } else if (algorithm == TSR_BY_TREE && !how->commutes) {
    reduce_in_order(schedule, team, send, recv, n, how, root.id);
  } else {
    tsr_add_reduce(schedule, &group, send, recv, n, how, algorithm);
  }
}

static tsr_group find_ring(tsr_schedule *schedule, const tsr_team *team) {
  return tsr_group_ring(team, team->leaders[0], tsr_schedule_memory(schedule, (size_t)team->size * sizeof(int32_t)));
}

static struct tsr_check_call allreduce_call(size_t n, const tsr_reducer *how) {
  return (struct tsr_check_call){"allreduce", n * how->elem_bytes, -1, tsr_reducer_check(how), 0};
}

static void build_allreduce(tsr_schedule *schedule, const void *send, void *recv, size_t n, const tsr_reducer *how) {
  const tsr_team *team = schedule->team;
  size_t bytes = n * how->elem_bytes;
  int32_t root = team->leaders[0];
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_ALLREDUCE, team, bytes, how->commutes);
  if (algorithm == TSR_BY_NODES) {
    tsr_group leaders = tsr_group_leaders(team, root), locals = tsr_group_locals(team, root);
    void *sum = add_local_reduce(schedule, team, send, recv, n, how, root);
    if (tsr_leads(team))
      tsr_add_allreduce(schedule, &leaders, sum, recv, n, how, tsr_select_leaders(TSR_COLL_ALLREDUCE, team, bytes));
    tsr_add_bcast(schedule, &locals, recv, bytes, tsr_select_locals(TSR_COLL_BCAST, team, bytes));
  } else {
    tsr_group group = algorithm == TSR_BY_RING ? find_ring(schedule, team) : tsr_group_all(team, 0);
    tsr_add_allreduce(schedule, &group, send, recv, n, how, algorithm);
  }
}

/* ---- blocking calls ---- */

/* Whether each node combines first. Members of a node need not be consecutive in the team, so on several nodes the
 * operation must commute. An element must fit into a bounce buffer. */
static bool is_by_nodes(const tsr_team *team, const tsr_reducer *how) {
  return how->elem_bytes <= TSR_BOUNCE_BYTES && (how->commutes || team->nodes_n == 1);
}

/* Combines the values of this node's members, on the member that acts for the node. *sum is then `send` if the node has
 * one member, else `result`, or, if that is NULL, *memory, which the caller frees. False: a member failed the call. */
static bool combine_node(tsr_team *team, const void *send, void *result, bool acts, size_t n, const tsr_reducer *how,
                         const void **sum, void **memory) {
  *sum = send;
  *memory = NULL;
  if (team->locals_n == 1) return true;
  if (acts && !result) result = *memory = tsr_coll_memory(n * how->elem_bytes);
  *sum = result;
  return tsr_local_reduce(team, send, acts ? result : NULL, n, how);
}

tessera_status_t tsr_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how, tsr_member root) {
  if (!tsr_call_begin(team, TSR_CALL_REDUCE, n * how->elem_bytes, root.id, tsr_reducer_check(how))) return TESSERA_ERR_PEER;
  void *result = team->self == root.id ? recv : NULL, *memory;
  if (!is_by_nodes(team, how)) {
    if (!tsr_sync_barrier(team)) return tsr_call_fail(team);
    const struct tsr_check_call call = reduce_call(n, how, root);
    tsr_schedule *schedule = tsr_schedule_begin_inner(team, &call);
    build_reduce(schedule, send, recv, n, how, root);
    tsr_schedule_run(schedule, NULL, NULL);
    return TESSERA_OK;
  }
  if (team->nodes_n == 1) return tsr_local_reduce(team, send, result, n, how) ? TESSERA_OK : tsr_call_fail(team);
  const void *sum;
  tsr_group leaders = tsr_group_leaders(team, root.id);
  bool good = combine_node(team, send, result, leaders.acts, n, how, &sum, &memory);
  if (good && leaders.acts) {
    tsr_schedule schedule;
    tsr_schedule_begin_blocking(&schedule, team);
    tsr_add_reduce(&schedule, &leaders, sum, result, n, how, tsr_select_leaders(TSR_COLL_REDUCE, team, n * how->elem_bytes));
    tsr_schedule_end_blocking(&schedule);
  }
  free(memory);
  return good ? TESSERA_OK : tsr_call_fail(team);
}

tessera_status_t tsr_allreduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how) {
  size_t bytes = n * how->elem_bytes;
  if (!tsr_call_begin(team, TSR_CALL_ALLREDUCE, bytes, -1, tsr_reducer_check(how))) return TESSERA_ERR_PEER;
  if (!is_by_nodes(team, how)) {
    if (!tsr_sync_barrier(team)) return tsr_call_fail(team);
    const struct tsr_check_call call = allreduce_call(n, how);
    tsr_schedule *schedule = tsr_schedule_begin_inner(team, &call);
    build_allreduce(schedule, send, recv, n, how);
    tsr_schedule_run(schedule, NULL, NULL);
    return TESSERA_OK;
  }
  if (team->nodes_n == 1) return tsr_local_reduce(team, send, recv, n, how) ? TESSERA_OK : tsr_call_fail(team);
  const void *sum;
  void *memory;
  tsr_group leaders = tsr_group_leaders(team, team->leaders[0]);
  bool good = combine_node(team, send, recv, leaders.acts, n, how, &sum, &memory);
  if (good && leaders.acts) {
    tsr_schedule schedule;
    tsr_schedule_begin_blocking(&schedule, team);
    tsr_add_allreduce(&schedule, &leaders, sum, recv, n, how, tsr_select_leaders(TSR_COLL_ALLREDUCE, team, bytes));
    tsr_schedule_end_blocking(&schedule);
  }
  free(memory); /* NULL, unless n is 0 and recv is NULL */
  return good && tsr_local_bcast(team, recv, bytes, 0) ? TESSERA_OK : tsr_call_fail(team);
}

/* ---- non-blocking calls ---- */

tsr_schedule *tsr_nb_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how,
                            tsr_member root) {
  const struct tsr_check_call call = reduce_call(n, how, root);
  tsr_schedule *schedule = tsr_schedule_begin(team, &call);
  build_reduce(schedule, send, recv, n, how, root);
  return schedule;
}

tsr_schedule *tsr_nb_allreduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how) {
  const struct tsr_check_call call = allreduce_call(n, how);
  tsr_schedule *schedule = tsr_schedule_begin(team, &call);
  build_allreduce(schedule, send, recv, n, how);
  return schedule;
}

/* The parts of a reduce-scatter: bytes and offsets of each member, from `data` on. */
static struct tsr_coll_buffer find_parts(tsr_schedule *schedule, const tsr_team *team, const void *data, const size_t counts[],
                                         size_t elem_bytes) {
  size_t *bytes = tsr_schedule_memory(schedule, 2 * (size_t)team->size * sizeof *bytes), *offs = bytes + team->size, off = 0;
  for (int32_t i = 0; i < team->size; off += bytes[i], i++) {
    bytes[i] = counts[i] * elem_bytes;
    offs[i] = off;
  }
  return (struct tsr_coll_buffer){(char *)data, bytes, offs, 0};
}

/* Among the leaders, each of which has the sum of its node in `parts`. Returns the parts of the members on this node, one after
 * another. */
static char *reduce_scatter_nodes(tsr_schedule *schedule, const tsr_team *team, const struct tsr_coll_buffer *parts, size_t total,
                                  const tsr_reducer *how) {
  const tsr_group leaders = tsr_group_leaders(team, team->leaders[0]);
  const tsr_member_blocks nodes = tsr_coll_buffer_nodes(schedule, team, parts, true);
  for (int32_t node = 0; node < team->nodes_n; node++) tsr_coll_buffer_copy(schedule, team, parts, node, &nodes, true);
  char *result = tsr_schedule_memory(schedule, tsr_block_of(&nodes, team->self_node).bytes);
  add_reduce_scatter(schedule, &leaders, &nodes, result, how, tsr_select_leaders(TSR_COLL_REDUCE_SCATTER, team, total));
  return result;
}

/* Each node combines first, its leader gets the parts of its members, and these get theirs from there. */
static void reduce_scatter_by_nodes(tsr_schedule *schedule, const tsr_team *team, struct tsr_coll_buffer *parts, void *recv,
                                    size_t total, const tsr_reducer *how) {
  const tsr_group locals = tsr_group_locals(team, team->leaders[0]);
  char *result = NULL;
  parts->data = add_local_reduce(schedule, team, parts->data, NULL, total / how->elem_bytes, how, team->leaders[0]);
  if (tsr_leads(team)) result = reduce_scatter_nodes(schedule, team, parts, total, how);
  tsr_block *own = tsr_schedule_memory(schedule, (size_t)team->locals_n * sizeof *own);
  for (int32_t i = 0; i < team->locals_n; i++) {
    own[i] = (tsr_block){result, parts->counts[team->locals[i]]};
    if (result) result += own[i].bytes;
  }
  tsr_add_scatter(schedule, &locals, &(tsr_member_blocks){.list = own}, (tsr_block){recv, own[team->self_local].bytes},
                  tsr_select_locals(TSR_COLL_SCATTER, team, total / (size_t)team->size));
}

tsr_schedule *tsr_nb_reduce_scatter(tsr_team *team, const void *send, void *recv, const size_t counts[],
                                    const tsr_reducer *how) {
  size_t total = 0;
  for (int32_t i = 0; i < team->size; i++) total += counts[i] * how->elem_bytes;
  struct tsr_check_call call = {"reduce_scatter", total, -1, tsr_reducer_check(how), tsr_check_digest(counts, team->size)};
  tsr_schedule *schedule = tsr_schedule_begin(team, &call);
  const enum tsr_algorithm algorithm = tsr_select(TSR_COLL_REDUCE_SCATTER, team, total, how->commutes);
  struct tsr_coll_buffer parts = find_parts(schedule, team, send, counts, how->elem_bytes);
  if (algorithm == TSR_BY_NODES) {
    reduce_scatter_by_nodes(schedule, team, &parts, recv, total, how);
  } else {
    const tsr_group group = algorithm == TSR_BY_RING ? find_ring(schedule, team) : tsr_group_all(team, 0);
    const tsr_member_blocks blocks = tsr_coll_buffer_members(schedule, &group, &parts, NULL);
    add_reduce_scatter(schedule, &group, &blocks, recv, how, algorithm);
  }
  return schedule;
}
