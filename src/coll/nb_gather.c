/* Scatter, gather and allgather. */
#include <stdlib.h>

#include "coll/nb.h"
#include "coll/select.h"
#include "coll/tree.h"

static size_t count_of(struct tsr_counts counts_list, size_t each, int32_t member) {
  return counts_list.counts ? counts_list.counts[member] : each;
}
static size_t off_of(struct tsr_counts counts_list, size_t each, int32_t member) {
  return counts_list.offs ? counts_list.offs[member] : (size_t)member * each;
}

static void scatter_direct(tsr_schedule *schedule, const tsr_team *team, const char *send,
                           struct tsr_counts counts_list, void *recv, size_t bytes, int32_t root) {
  if (team->self != root) {
    tsr_schedule_receive(schedule, root, recv, bytes);
    return;
  }
  for (int32_t i = 1; i < team->size; i++) {
    int32_t to = (root + i) % team->size;
    tsr_schedule_send(schedule, to, send + off_of(counts_list, bytes, to), count_of(counts_list, bytes, to));
  }
  tsr_schedule_copy(schedule, recv, send + off_of(counts_list, bytes, root), count_of(counts_list, bytes, root));
}

static void gather_direct(tsr_schedule *schedule, const tsr_team *team, const void *send, size_t bytes, char *recv,
                          struct tsr_counts counts_list, int32_t root) {
  if (team->self != root) {
    tsr_schedule_send(schedule, root, send, bytes);
    return;
  }
  for (int32_t i = 1; i < team->size; i++) {
    int32_t from = (root + i) % team->size;
    tsr_schedule_receive(schedule, from, recv + off_of(counts_list, bytes, from), count_of(counts_list, bytes, from));
  }
  tsr_schedule_copy(schedule, recv + off_of(counts_list, bytes, root), send, count_of(counts_list, bytes, root));
}

/* A binomial tree over places, counted from the root on: below a place with lowest bit b are the places up to b further. */
struct branch {
  int32_t n, place, bit, root;
};

static struct branch branch_of(const tsr_team *team, int32_t root) {
  struct branch branch = {.n = team->size, .place = (team->self - root + team->size) % team->size, .bit = 1, .root = root};
  while (branch.bit < branch.n && !(branch.place & branch.bit)) branch.bit <<= 1;
  return branch;
}
static int32_t member_at(const struct branch *branch, int32_t place) { return (place + branch->root) % branch->n; }
/* Places from `place` on that a branch with this bit has. */
static size_t places_n(const struct branch *branch, int32_t place, int32_t bit) {
  return (size_t)(branch->n - place < bit ? branch->n - place : bit);
}

/* The root's shares from its own on. */
static void turn(tsr_schedule *schedule, const struct branch *branch, char *to, size_t to_at, const char *from, size_t from_at,
                 size_t bytes) {
  size_t n = (size_t)branch->n;
  for (size_t done = 0; done < n;) {
    size_t a = (to_at + done) % n, b = (from_at + done) % n, most = n - (a > b ? a : b);
    size_t run = n - done < most ? n - done : most;
    tsr_schedule_copy(schedule, to + a * bytes, from + b * bytes, run * bytes);
    done += run;
  }
}

static void scatter_tree(tsr_schedule *schedule, const tsr_team *team, const void *send, void *recv, size_t bytes,
                         int32_t root) {
  struct branch branch = branch_of(team, root);
  char *held = tsr_schedule_memory(schedule, places_n(&branch, branch.place, branch.bit) * bytes);
  if (branch.place == 0) turn(schedule, &branch, held, 0, send, (size_t)root, bytes);
  else
    tsr_schedule_receive(schedule, member_at(&branch, branch.place - branch.bit), held,
                         places_n(&branch, branch.place, branch.bit) * bytes);
  tsr_schedule_wait(schedule);
  for (int32_t bit = branch.bit >> 1; bit > 0; bit >>= 1) {
    int32_t child = branch.place + bit;
    if (child < branch.n)
      tsr_schedule_send(schedule, member_at(&branch, child), held + (size_t)bit * bytes, places_n(&branch, child, bit) * bytes);
  }
  if (branch.place != 0) tsr_schedule_copy(schedule, recv, held, bytes);
  else tsr_schedule_copy(schedule, recv, (const char *)send + (size_t)root * bytes, bytes);
}

static void gather_tree(tsr_schedule *schedule, const tsr_team *team, const void *send, void *recv, size_t bytes,
                        int32_t root) {
  struct branch branch = branch_of(team, root);
  char *held = tsr_schedule_memory(schedule, places_n(&branch, branch.place, branch.bit) * bytes);
  tsr_schedule_copy(schedule, held, send, bytes);
  for (int32_t bit = branch.bit >> 1; bit > 0; bit >>= 1) {
    int32_t child = branch.place + bit;
    if (child < branch.n)
      tsr_schedule_receive(schedule, member_at(&branch, child), held + (size_t)bit * bytes,
                           places_n(&branch, child, bit) * bytes);
  }
  tsr_schedule_wait(schedule);
  if (branch.place == 0) turn(schedule, &branch, recv, (size_t)root, held, 0, bytes);
  else
    tsr_schedule_send(schedule, member_at(&branch, branch.place - branch.bit), held,
                      places_n(&branch, branch.place, branch.bit) * bytes);
}

tsr_schedule *tsr_nb_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"scatter", bytes, root.id, 0, 0});
  if (tsr_select(TSR_COLL_SCATTER, team, bytes, true) == TSR_BY_TREE)
    scatter_tree(schedule, team, send, recv, bytes, root.id);
  else scatter_direct(schedule, team, send, (struct tsr_counts){0}, recv, bytes, root.id);
  return schedule;
}

tsr_schedule *tsr_nb_scatterv(tsr_team *team, const void *send, struct tsr_counts counts_list, void *recv, size_t bytes,
                              tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"scatterv", TSR_CHECK_NO_BYTES, root.id, 0, 0});
  scatter_direct(schedule, team, send, counts_list, recv, bytes, root.id);
  return schedule;
}

tsr_schedule *tsr_nb_gather(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"gather", bytes, root.id, 0, 0});
  if (tsr_select(TSR_COLL_GATHER, team, bytes, true) == TSR_BY_TREE)
    gather_tree(schedule, team, send, recv, bytes, root.id);
  else gather_direct(schedule, team, send, bytes, recv, (struct tsr_counts){0}, root.id);
  return schedule;
}

tsr_schedule *tsr_nb_gatherv(tsr_team *team, const void *send, size_t bytes, void *recv, struct tsr_counts counts_list,
                             tsr_member root) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"gatherv", TSR_CHECK_NO_BYTES, root.id, 0, 0});
  gather_direct(schedule, team, send, bytes, recv, counts_list, root.id);
  return schedule;
}

enum { WINDOW_N = 16 /* members that one exchanges with at a time */ };

static void allgather_direct(tsr_schedule *schedule, const tsr_team *team, const void *own, char *recv,
                             struct tsr_counts counts_list) {
  int32_t n = team->size;
  for (int32_t i = 1; i < n; i++) {
    int32_t to = (team->self + i) % n, from = (team->self - i + n) % n;
    tsr_schedule_receive(schedule, from, recv + counts_list.offs[from], counts_list.counts[from]);
    tsr_schedule_send(schedule, to, own, counts_list.counts[team->self]);
    if (i % WINDOW_N == 0) tsr_schedule_wait(schedule);
  }
  tsr_schedule_wait(schedule);
}

/* Each passes on what came in the round before. */
static void allgather_ring(tsr_schedule *schedule, const tsr_team *team, char *recv, struct tsr_counts counts_list) {
  int32_t n = team->size, *order = tsr_coll_memory((size_t)n * sizeof *order), self = tsr_ring_make(team, order);
  for (int32_t i = 0; i + 1 < n; i++) {
    int32_t out = order[(self - i + n) % n], in = order[(self - i - 1 + n) % n];
    tsr_schedule_receive(schedule, order[(self - 1 + n) % n], recv + counts_list.offs[in], counts_list.counts[in]);
    tsr_schedule_send(schedule, order[(self + 1) % n], recv + counts_list.offs[out], counts_list.counts[out]);
    tsr_schedule_wait(schedule);
  }
  free(order);
}

void tsr_nb_add_allgather(tsr_schedule *schedule, const tsr_team *team, const void *send, void *recv,
                          struct tsr_counts counts_list, bool by_ring) {
  char *own = (char *)recv + counts_list.offs[team->self];
  tsr_schedule_copy(schedule, own, send, counts_list.counts[team->self]);
  if (by_ring) allgather_ring(schedule, team, recv, counts_list);
  else allgather_direct(schedule, team, own, recv, counts_list);
}

/* Shares from the own on, and of others behind it: twice as many after each round. */
static void allgather_doubling(tsr_schedule *schedule, const tsr_team *team, const void *send, char *recv, size_t bytes) {
  int32_t n = team->size, self = team->self;
  char *held = tsr_schedule_memory(schedule, (size_t)n * bytes);
  tsr_schedule_copy(schedule, held, send, bytes);
  for (int32_t have = 1; have < n; have += have) {
    size_t more = (size_t)(n - have < have ? n - have : have) * bytes;
    tsr_schedule_send(schedule, (self - have + n) % n, held, more);
    tsr_schedule_receive(schedule, (self + have) % n, held + (size_t)have * bytes, more);
    tsr_schedule_wait(schedule);
    if (have > n / 2) break;
  }
  size_t tail = (size_t)(n - self);
  tsr_schedule_copy(schedule, recv + (size_t)self * bytes, held, tail * bytes);
  tsr_schedule_copy(schedule, recv, held + tail * bytes, (size_t)self * bytes);
}

static struct tsr_counts equal_shares(tsr_schedule *schedule, const tsr_team *team, size_t bytes) {
  size_t n = (size_t)team->size, *counts = tsr_schedule_memory(schedule, 2 * n * sizeof *counts);
  for (size_t i = 0; i < n; i++) {
    counts[i] = bytes;
    counts[n + i] = i * bytes;
  }
  return (struct tsr_counts){counts, counts + n};
}

tsr_schedule *tsr_nb_allgather(tsr_team *team, const void *send, void *recv, size_t bytes) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"allgather", bytes, -1, 0, 0});
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_ALLGATHER, team, bytes, true);
  if (algorithm == TSR_BY_DOUBLING) allgather_doubling(schedule, team, send, recv, bytes);
  else
    tsr_nb_add_allgather(schedule, team, send, recv, equal_shares(schedule, team, bytes), algorithm == TSR_BY_RING);
  return schedule;
}

/* Doubling takes equal shares only. */
tsr_schedule *tsr_nb_allgatherv(tsr_team *team, const void *send, void *recv, struct tsr_counts counts_list) {
  size_t total = 0;
  for (int32_t i = 0; i < team->size; i++) total += counts_list.counts[i];
  uint64_t digest = tsr_check_digest(counts_list.counts, team->size);
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"allgatherv", total, -1, 0, digest});
  bool by_ring = tsr_select(TSR_COLL_ALLGATHER, team, total, true) == TSR_BY_RING;
  tsr_nb_add_allgather(schedule, team, send, recv, counts_list, by_ring);
  return schedule;
}
