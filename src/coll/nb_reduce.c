/* Reduce, allreduce and reduce-scatter. */
#include <stdlib.h>

#include "coll/nb.h"
#include "coll/select.h"
#include "coll/tree.h"

/* A member's part of a reduction as it grows. */
struct sum {
  tsr_schedule *schedule;
  const tsr_reducer *how;
  size_t n, bytes;
  const void *value; /* so far; the user's at first, which is never written */
  void *spare[2];    /* where the next goes */
};

static struct sum sum_of(tsr_schedule *schedule, const void *send, size_t n, const tsr_reducer *how) {
  return (struct sum){.schedule = schedule, .how = how, .n = n, .bytes = n * how->elem_bytes, .value = send};
}

/* Memory that the present value is not in. */
static void *room_for(struct sum *sum) {
  int which = sum->value == sum->spare[0];
  if (!sum->spare[which]) sum->spare[which] = tsr_schedule_memory(sum->schedule, sum->bytes);
  return sum->spare[which];
}

/* The value becomes itself, op what a member with higher numbers behind it sends. */
static void add_higher(struct sum *sum, int32_t member) {
  void *theirs = room_for(sum);
  tsr_schedule_receive(sum->schedule, member, theirs, sum->bytes);
  tsr_schedule_wait(sum->schedule);
  tsr_schedule_combine(sum->schedule, sum->how, theirs, sum->value, sum->n);
  sum->value = theirs;
}

/* Up the tree; the last children have the least to do, and are ready first. Without order it is the tree of the nodes. */
static void reduce_tree(struct sum *sum, const tsr_team *team, void *recv, int32_t root) {
  struct tsr_tree tree;
  int32_t top = sum->how->commutes ? root : 0;
  if (sum->how->commutes) tsr_tree_make(team, root, &tree);
  else tsr_tree_make_ordered(team, &tree);
  for (int32_t i = tree.children_n - 1; i >= 0; i--) add_higher(sum, tree.children[i]);
  if (tree.parent >= 0) tsr_schedule_send(sum->schedule, tree.parent, sum->value, sum->bytes);
  else if (top != root) tsr_schedule_send(sum->schedule, root, sum->value, sum->bytes);
  else tsr_schedule_copy(sum->schedule, recv, sum->value, sum->bytes);
  tsr_schedule_wait(sum->schedule);
  if (team->self == root && top != root) tsr_schedule_receive(sum->schedule, top, recv, sum->bytes);
  tsr_schedule_wait(sum->schedule);
}

/* Each member's part of the vector, in bytes. */
static struct tsr_counts parts_of(tsr_schedule *schedule, const tsr_team *team, const size_t counts[], size_t total,
                                  size_t elem_bytes) {
  size_t n = (size_t)team->size, at = 0, *bytes = tsr_schedule_memory(schedule, 2 * n * sizeof *bytes);
  for (size_t i = 0; i < n; i++) {
    bytes[i] = (counts ? counts[i] : total / n + (i < total % n)) * elem_bytes;
    bytes[n + i] = at;
    at += bytes[i];
  }
  return (struct tsr_counts){bytes, bytes + n};
}

/* Every member gets its part from all others and combines them in their order. `result` may be in `send`: it is written
 * when all have taken what they need. */
static void scatter_direct(tsr_schedule *schedule, const tsr_team *team, const char *send, void *result,
                           struct tsr_counts parts, const tsr_reducer *how) {
  int32_t n = team->size, self = team->self;
  size_t bytes = parts.counts[self];
  char *all = tsr_schedule_memory(schedule, (size_t)n * bytes);
  tsr_schedule_copy(schedule, all + (size_t)self * bytes, send + parts.offs[self], bytes);
  for (int32_t i = 1; i < n; i++) {
    int32_t to = (self + i) % n, from = (self - i + n) % n;
    tsr_schedule_receive(schedule, from, all + (size_t)from * bytes, bytes);
    tsr_schedule_send(schedule, to, send + parts.offs[to], parts.counts[to]);
  }
  tsr_schedule_wait(schedule);
  char *sum = all + (size_t)(n - 1) * bytes;
  for (int32_t i = n - 2; i >= 0; i--)
    tsr_schedule_combine(schedule, how, sum, all + (size_t)i * bytes, bytes / how->elem_bytes);
  tsr_schedule_copy(schedule, result, sum, bytes);
}

static size_t largest_of(const tsr_team *team, struct tsr_counts parts) {
  size_t most = 0;
  for (int32_t i = 0; i < team->size; i++) most = parts.counts[i] > most ? parts.counts[i] : most;
  return most;
}

/* The sum of a part grows while it goes round the ring, and ends at its member. For operations that commute. */
static void scatter_ring(tsr_schedule *schedule, const tsr_team *team, const char *send, void *result,
                         struct tsr_counts parts, const tsr_reducer *how) {
  int32_t n = team->size, *order = tsr_coll_memory((size_t)n * sizeof *order), self = tsr_ring_make(team, order);
  size_t most = largest_of(team, parts);
  char *held[2] = {tsr_schedule_memory(schedule, most), tsr_schedule_memory(schedule, most)};
  const char *value = send + parts.offs[order[(self - 1 + n) % n]];
  for (int32_t i = 0; i + 1 < n; i++) {
    int32_t out = order[(self - 1 - i + 2 * n) % n], in = order[(self - 2 - i + 2 * n) % n];
    char *theirs = held[i % 2];
    tsr_schedule_receive(schedule, order[(self - 1 + n) % n], theirs, parts.counts[in]);
    tsr_schedule_send(schedule, order[(self + 1) % n], value, parts.counts[out]);
    tsr_schedule_wait(schedule);
    tsr_schedule_combine(schedule, how, theirs, send + parts.offs[in], parts.counts[in] / how->elem_bytes);
    value = theirs;
  }
  tsr_schedule_copy(schedule, result, value, parts.counts[team->self]);
  free(order);
}

static void add_scatter(tsr_schedule *schedule, const tsr_team *team, const void *send, void *result,
                        struct tsr_counts parts, const tsr_reducer *how, bool by_ring) {
  if (by_ring) scatter_ring(schedule, team, send, result, parts, how);
  else scatter_direct(schedule, team, send, result, parts, how);
}

/* Each member sums one part up, and the root collects them. */
static void reduce_parts(tsr_schedule *schedule, const tsr_team *team, const void *send, char *recv, size_t n,
                         const tsr_reducer *how, int32_t root, bool by_ring) {
  struct tsr_counts parts = parts_of(schedule, team, NULL, n, how->elem_bytes);
  size_t bytes = parts.counts[team->self];
  void *result = tsr_schedule_memory(schedule, bytes);
  add_scatter(schedule, team, send, result, parts, how, by_ring);
  if (team->self != root) tsr_schedule_send(schedule, root, result, bytes);
  else tsr_schedule_copy(schedule, recv + parts.offs[root], result, bytes);
  for (int32_t i = 0; team->self == root && i < team->size; i++) {
    if (i != root) tsr_schedule_receive(schedule, i, recv + parts.offs[i], parts.counts[i]);
  }
}

tsr_schedule *tsr_nb_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how,
                            tsr_member root) {
  size_t bytes = n * how->elem_bytes;
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"reduce", bytes, root.id, tsr_reducer_check(how), 0});
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_REDUCE, team, bytes, how->commutes);
  struct sum sum = sum_of(schedule, send, n, how);
  if (algorithm == TSR_BY_TREE) reduce_tree(&sum, team, recv, root.id);
  else reduce_parts(schedule, team, send, recv, n, how, root.id, algorithm == TSR_BY_RING);
  return schedule;
}

/* The members as a power of two: of the first 2 * extra, every second one takes its lower neighbour's value along. */
struct cube {
  int32_t extra, n;
};
static struct cube cube_of(int32_t size) {
  struct cube cube = {.n = 1};
  while (cube.n <= size / 2) cube.n *= 2;
  cube.extra = size - cube.n;
  return cube;
}
static int32_t cube_member(const struct cube *cube, int32_t corner) {
  return corner < cube->extra ? 2 * corner + 1 : corner + cube->extra;
}

/* The value becomes what a member with lower numbers sends, op itself. */
static void add_lower(struct sum *sum, const void *theirs) {
  void *mine = sum->value == sum->spare[0] || sum->value == sum->spare[1] ? (void *)sum->value : NULL;
  if (!mine) {
    mine = sum->spare[sum->spare[0] == theirs] = tsr_schedule_memory(sum->schedule, sum->bytes);
    tsr_schedule_copy(sum->schedule, mine, sum->value, sum->bytes);
    sum->value = mine;
  }
  tsr_schedule_combine(sum->schedule, sum->how, mine, theirs, sum->n);
}

static void swap_with(struct sum *sum, int32_t member, int32_t self) {
  void *theirs = room_for(sum);
  tsr_schedule_send(sum->schedule, member, sum->value, sum->bytes);
  tsr_schedule_receive(sum->schedule, member, theirs, sum->bytes);
  tsr_schedule_wait(sum->schedule);
  if (member < self) {
    add_lower(sum, theirs);
  } else {
    tsr_schedule_combine(sum->schedule, sum->how, theirs, sum->value, sum->n);
    sum->value = theirs;
  }
}

static void receive_lower(struct sum *sum, int32_t member) {
  void *theirs = room_for(sum);
  tsr_schedule_receive(sum->schedule, member, theirs, sum->bytes);
  tsr_schedule_wait(sum->schedule);
  add_lower(sum, theirs);
}

/* Always neighbouring ranges of members are combined, so the order is kept. */
static void allreduce_doubling(struct sum *sum, const tsr_team *team, void *recv) {
  struct cube cube = cube_of(team->size);
  int32_t self = team->self;
  bool paired = self < 2 * cube.extra;
  if (paired && self % 2 == 0) {
    tsr_schedule_send(sum->schedule, self + 1, sum->value, sum->bytes);
    tsr_schedule_wait(sum->schedule);
    tsr_schedule_receive(sum->schedule, self + 1, recv, sum->bytes);
    return;
  }
  if (paired) receive_lower(sum, self - 1);
  int32_t corner = paired ? self / 2 : self - cube.extra;
  for (int32_t bit = 1; bit < cube.n; bit *= 2) swap_with(sum, cube_member(&cube, corner ^ bit), self);
  tsr_schedule_copy(sum->schedule, recv, sum->value, sum->bytes);
  if (paired) tsr_schedule_send(sum->schedule, self - 1, sum->value, sum->bytes);
}

static void allreduce_parts(tsr_schedule *schedule, const tsr_team *team, const void *send, char *recv, size_t n,
                            const tsr_reducer *how, bool by_ring) {
  struct tsr_counts parts = parts_of(schedule, team, NULL, n, how->elem_bytes);
  char *own = recv + parts.offs[team->self];
  add_scatter(schedule, team, send, own, parts, how, by_ring);
  tsr_nb_add_allgather(schedule, team, own, recv, parts, by_ring);
}

tsr_schedule *tsr_nb_allreduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how) {
  size_t bytes = n * how->elem_bytes;
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"allreduce", bytes, -1, tsr_reducer_check(how), 0});
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_ALLREDUCE, team, bytes, how->commutes);
  struct sum sum = sum_of(schedule, send, n, how);
  if (algorithm == TSR_BY_DOUBLING) {
    allreduce_doubling(&sum, team, recv);
  } else if (algorithm == TSR_BY_TREE) {
    reduce_tree(&sum, team, recv, 0);
    tsr_nb_add_bcast(schedule, team, recv, bytes, 0);
  } else {
    allreduce_parts(schedule, team, send, recv, n, how, algorithm == TSR_BY_RING);
  }
  return schedule;
}

tsr_schedule *tsr_nb_reduce_scatter(tsr_team *team, const void *send, void *recv, const size_t counts[],
                                    const tsr_reducer *how) {
  size_t total = 0;
  for (int32_t i = 0; i < team->size; i++) total += counts[i] * how->elem_bytes;
  uint64_t digest = tsr_check_digest(counts, team->size);
  tsr_schedule *schedule =
      tsr_schedule_begin(team, &(struct tsr_check_call){"reduce_scatter", total, -1, tsr_reducer_check(how), digest});
  struct tsr_counts parts = parts_of(schedule, team, counts, 0, how->elem_bytes);
  bool by_ring = tsr_select(TSR_COLL_REDUCE_SCATTER, team, total, how->commutes) == TSR_BY_RING;
  add_scatter(schedule, team, send, recv, parts, how, by_ring);
  return schedule;
}
