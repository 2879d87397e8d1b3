#include "coll/nodes.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/wait.h"
#include "core/refusal.h"
#include "core/runtime.h"
#include "net/net.h"

void *tsr_coll_memory(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory) tsr_abort(1, "no private memory for %zu bytes of a collective", bytes);
  return memory;
}

static const struct tsr_block nothing = {.unit = {-1}};

void tsr_nodes_send(const tsr_team *team, tsr_unit to, const void *data, size_t bytes) {
  tsr_block_exchange(TSR_TAG_TEAM + team->id, (struct tsr_block){to, (void *)data, bytes}, nothing);
}

void tsr_nodes_receive(const tsr_team *team, tsr_unit from, void *data, size_t bytes) {
  tsr_block_exchange(TSR_TAG_TEAM + team->id, nothing, (struct tsr_block){from, data, bytes});
}

/* Leaders find each other before they meet inside MPI, which waits there: until then each serves others. */
static void meet(const tsr_team *team) {
  for (int32_t distance = 1; distance < team->nodes_n; distance *= 2) {
    struct tsr_block to = {tsr_nodes_leader(team, (team->self_node + distance) % team->nodes_n), NULL, 0};
    struct tsr_block from = {tsr_nodes_leader(team, (team->self_node - distance + team->nodes_n) % team->nodes_n), NULL,
                             0};
    tsr_block_exchange(TSR_TAG_TEAM + team->id, to, from);
  }
}

static struct tsr_net_group *group_of(tsr_team *team) {
  if (team->leaders_group) return team->leaders_group;
  int *ranks = tsr_coll_memory((size_t)team->nodes_n * sizeof *ranks);
  for (int32_t node = 0; node < team->nodes_n; node++) ranks[node] = tsr_place_rank(tsr_nodes_leader(team, node));
  meet(team);
  if (tsr_net->group_create(team->id, ranks, team->nodes_n, &team->leaders_group))
    tsr_abort(EXIT_FAILURE, "the leaders of team %d cannot make a group for its collectives: the line before says why",
              team->id);
  free(ranks);
  return team->leaders_group;
}

static void set_flag(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  atomic_store_explicit((_Atomic bool *)arg, true, memory_order_release);
  tsr_wait_nudge();
}

/* Also when somebody has left a collective call: perhaps this one. */
static bool done_or_news(const void *done) {
  return atomic_load_explicit((const _Atomic bool *)done, memory_order_acquire) ||
         atomic_load_explicit(&tsr_refusal_news, memory_order_relaxed);
}

static void run(tsr_team *team, struct tsr_net_collective *what) {
  _Atomic bool done = false;
  what->done = set_flag;
  what->done_arg = &done;
  tsr_net->group_start(group_of(team), what);
  while (!atomic_load_explicit(&done, memory_order_acquire)) {
    tsr_wait(done_or_news, &done, (struct tsr_wait_why){TSR_WAIT_LEADERS, team->id, (int64_t)team->calls_n});
    if (!atomic_load_explicit(&done, memory_order_acquire)) tsr_refusal_look();
  }
}

/* What MPI can do with elements, it does as well as we could. The operations of faces take a tree of our own. */
static bool combines(const tsr_reducer *how) { return how->builtin && tsr_net->group_combines(how->type, how->op); }

/* Position in a tree rooted at 0, and back to the leader at a position. */
static int32_t position(const tsr_team *team, int32_t root) {
  return (team->self_node - root + team->nodes_n) % team->nodes_n;
}
static tsr_unit leader_at(const tsr_team *team, int32_t position, int32_t root) {
  return tsr_nodes_leader(team, (position + root) % team->nodes_n);
}

void tsr_nodes_bcast(tsr_team *team, void *data, size_t bytes, int32_t root) {
  run(team, &(struct tsr_net_collective){.kind = TSR_NET_BCAST, .data = data, .n = bytes, .root = root});
}

static void reduce_up(const tsr_team *team, void *data, size_t n, const tsr_reducer *how, int32_t root) {
  size_t bytes = n * how->elem_bytes;
  void *theirs = tsr_coll_memory(bytes);
  int32_t self = position(team, root);
  for (int32_t bit = 1; bit < team->nodes_n; bit <<= 1) {
    if (self & bit) {
      tsr_nodes_send(team, leader_at(team, self - bit, root), data, bytes);
      break;
    }
    if (self + bit >= team->nodes_n) continue;
    tsr_nodes_receive(team, leader_at(team, self + bit, root), theirs, bytes);
    how->apply(data, theirs, n, how);
  }
  free(theirs);
}

static struct tsr_net_collective reduction(enum tsr_net_group_kind kind, void *data, size_t n, const tsr_reducer *how) {
  return (struct tsr_net_collective){.kind = kind, .data = data, .n = n, .type = how->type, .op = how->op};
}

void tsr_nodes_reduce(tsr_team *team, void *data, size_t n, const tsr_reducer *how, int32_t root) {
  if (!combines(how)) {
    reduce_up(team, data, n, how, root);
    return;
  }
  struct tsr_net_collective what = reduction(TSR_NET_REDUCE, data, n, how);
  what.root = root;
  run(team, &what);
}

void tsr_nodes_allreduce(tsr_team *team, void *data, size_t n, const tsr_reducer *how) {
  if (combines(how)) {
    struct tsr_net_collective what = reduction(TSR_NET_ALLREDUCE, data, n, how);
    run(team, &what);
  } else {
    reduce_up(team, data, n, how, 0);
    tsr_nodes_bcast(team, data, n * how->elem_bytes, 0);
  }
}
