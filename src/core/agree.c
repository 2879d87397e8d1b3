#include "core/agree.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/status.h"
#include "base/wait.h"
#include "core/message.h"
#include "core/place.h"
#include "core/runtime.h"

enum { LINE_MEMBERS = 4, TREE_DEGREE = 4 };

/* A board as it lies in the node's memory. Rounds count turns; zero is the state before the first. Arrivals have only
 * their low half. Whoever waits looks at one line, which tells at once whether the turn is over and whether it failed. */
struct shared {
  TSR_ALIGNED_LINE _Atomic uint32_t arrived[LINE_MEMBERS]; /* up to four members: the round that each has reached */
  _Atomic uint32_t released;                               /* more members: the round that all may leave */
  _Atomic uint32_t left_n;                                 /* members that have detached */
  _Atomic uint64_t refused[2];                             /* last even and last odd round that a member refused */
};
_Static_assert(sizeof(struct shared) == TSR_CACHE_LINE, "it is one line");
/* Followed by the counters of the arrival tree, one line each, leaves first; then the slots, then the stages. */
struct counter {
  TSR_ALIGNED_LINE _Atomic uint32_t arrivals_n; /* of all rounds so far */
};

/* A member's view of the board. */
struct tsr_board {
  struct shared *shared;
  struct counter *counters;
  char *slots, *stages;
  int32_t locals_n, self;
  uint64_t round; /* turns so far */
  tsr_word *bells[]; /* doorbell of each local member */
};

static int32_t parents_of(int32_t nodes_n) { return (nodes_n + TREE_DEGREE - 1) / TREE_DEGREE; }

static int32_t counters_n(int32_t locals_n) {
  int32_t total = 0;
  for (int32_t level = locals_n; level > 1; level = parents_of(level)) total += parents_of(level);
  return total;
}

size_t tsr_agree_stages_bytes(int32_t locals_n) { return (size_t)locals_n * 2 * TSR_STAGE_BYTES; }

size_t tsr_agree_board_bytes(int32_t locals_n) {
  return sizeof(struct shared) + (size_t)counters_n(locals_n) * sizeof(struct counter) +
         (size_t)locals_n * 2 * TSR_SLOT_BYTES + tsr_agree_stages_bytes(locals_n);
}

tessera_status_t tsr_agree_attach(tsr_team *team, void *memory) {
  int32_t n = team->locals_n;
  struct tsr_board *board = malloc(sizeof *board + (size_t)n * sizeof board->bells[0]);
  if (!board) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a team of %d local members", n);
  board->shared = memory;
  board->counters = (struct counter *)(board->shared + 1);
  board->slots = (char *)(board->counters + counters_n(n));
  board->stages = board->slots + (size_t)n * 2 * TSR_SLOT_BYTES;
  board->locals_n = n;
  board->self = team->self_local;
  board->round = 0;
  for (int32_t i = 0; i < n; i++) {
    int32_t local = tsr_place_local(tsr_team_unit(team, TSR_MEMBER(team->locals[i])));
    board->bells[i] = &tsr_heap_unit((uint32_t)local)->bell;
  }
  team->board = board;
  return TESSERA_OK;
}

static void ring_others(const struct tsr_board *board) {
  for (int32_t i = 0; i < board->locals_n; i++) {
    if (i != board->self) tsr_bell_ring_fenced(board->bells[i]);
  }
}

static bool all_left(const void *arg) {
  const struct tsr_board *board = arg;
  return atomic_load_explicit(&board->shared->left_n, memory_order_acquire) + 1 == (uint32_t)board->locals_n;
}

void tsr_agree_detach(tsr_team *team) {
  struct tsr_board *board = team->board;
  if (team->self_local == 0) {
    tsr_wait(all_left, board, (struct tsr_wait_why){TSR_WAIT_BARRIER, team->id, (int64_t)board->round});
  } else {
    tsr_word *leader = board->bells[0];
    atomic_fetch_add(&board->shared->left_n, 1); /* the board may be gone from here on */
    tsr_bell_ring_fenced(leader);
  }
  tsr_agree_forget(team);
}

void tsr_agree_forget(tsr_team *team) {
  free(team->board);
  team->board = NULL;
}

static bool reached(uint32_t round, uint64_t wanted) { return (int32_t)(round - (uint32_t)wanted) >= 0; }

static bool line_is_complete(const void *arg) {
  const struct tsr_board *board = arg;
  for (int32_t i = 0; i < board->locals_n; i++) {
    if (!reached(atomic_load_explicit(&board->shared->arrived[i], memory_order_acquire), board->round)) return false;
  }
  return true;
}

static bool is_released(const void *arg) {
  const struct tsr_board *board = arg;
  return reached(atomic_load_explicit(&board->shared->released, memory_order_acquire), board->round);
}

/* Arrives in the tree; true for the last arriver of all, who has gone all the way up. */
static bool arrive_last(const struct tsr_board *board) {
  struct counter *level = board->counters;
  int32_t index = board->self;
  for (int32_t n = board->locals_n; n > 1; n = parents_of(n)) {
    int32_t group = index / TREE_DEGREE;
    int32_t members_n = n - group * TREE_DEGREE < TREE_DEGREE ? n - group * TREE_DEGREE : TREE_DEGREE;
    uint32_t full = (uint32_t)members_n * (uint32_t)board->round;
    if (atomic_fetch_add(&level[group].arrivals_n, 1) + 1 != full) return false;
    level += parents_of(n);
    index = group;
  }
  return true;
}

static void meet(const struct tsr_board *board, struct tsr_wait_why why) {
  uint32_t round = (uint32_t)board->round;
  if (board->locals_n <= LINE_MEMBERS) {
    atomic_exchange(&board->shared->arrived[board->self], round);
    tsr_fence_exchanged(); /* ours is seen before we look at theirs, and theirs before the bells */
    if (line_is_complete(board)) ring_others(board);
    else tsr_wait_slow(line_is_complete, board, why);
  } else if (arrive_last(board)) {
    atomic_exchange(&board->shared->released, round);
    ring_others(board);
  } else {
    tsr_wait(is_released, board, why);
  }
}

bool tsr_agree_turn(tsr_team *team) {
  struct tsr_board *board = team->board;
  board->round++;
  if (board->locals_n == 1) return true;
  meet(board, (struct tsr_wait_why){TSR_WAIT_BARRIER, team->id, (int64_t)board->round});
  return atomic_load_explicit(&board->shared->refused[board->round & 1], memory_order_relaxed) != board->round;
}

/* Nobody refuses the round after the next before all have seen what became of this one. */
void tsr_agree_refuse(tsr_team *team) {
  struct tsr_board *board = team->board;
  uint64_t round = board->round + 1;
  atomic_store_explicit(&board->shared->refused[round & 1], round, memory_order_relaxed); /* the arrival publishes it */
  tsr_agree_turn(team);
}

static size_t copy_at(int32_t local, uint64_t round, size_t bytes) {
  return ((size_t)local * 2 + (round & 1)) * bytes;
}
void *tsr_agree_slot(tsr_team *team) {
  struct tsr_board *board = team->board;
  return board->slots + copy_at(board->self, board->round + 1, TSR_SLOT_BYTES);
}
void *tsr_agree_stage(tsr_team *team) {
  struct tsr_board *board = team->board;
  return board->stages + copy_at(board->self, board->round + 1, TSR_STAGE_BYTES);
}
const void *tsr_agree_slot_of(const tsr_team *team, int32_t local) {
  const struct tsr_board *board = team->board;
  return board->slots + copy_at(local, board->round, TSR_SLOT_BYTES);
}
const void *tsr_agree_stage_of(const tsr_team *team, int32_t local) {
  const struct tsr_board *board = team->board;
  return board->stages + copy_at(local, board->round, TSR_STAGE_BYTES);
}

static bool leads(const tsr_team *team) { return team->self_local == 0; }

static tsr_unit leader_of(const tsr_team *team, int32_t node) {
  return tsr_team_unit(team, TSR_MEMBER(team->leaders[node]));
}

static void raise_to(int64_t v[], const int64_t other[], int n) {
  for (int i = 0; i < n; i++) v[i] = v[i] > other[i] ? v[i] : other[i];
}

/* Among the leaders of the team's nodes: dissemination, which suits any operation that may count a value twice. */
static void leaders_max(const tsr_team *team, int64_t v[], int64_t theirs[], int n) {
  int32_t nodes_n = team->nodes_n;
  size_t bytes = (size_t)n * sizeof v[0];
  for (int32_t distance = 1; distance < nodes_n; distance *= 2) {
    tsr_unit to = leader_of(team, (team->self_node + distance) % nodes_n);
    tsr_unit from = leader_of(team, (team->self_node - distance + nodes_n) % nodes_n);
    tsr_block_exchange(TSR_TAG_TEAM + team->id, (struct tsr_block){to, v, bytes},
                       (struct tsr_block){from, theirs, bytes});
    raise_to(v, theirs, n);
  }
}

bool tsr_agree_max(tsr_team *team, int64_t v[], int n) {
  size_t bytes = (size_t)n * sizeof v[0];
  memcpy(tsr_agree_slot(team), v, bytes);
  if (!tsr_agree_turn(team)) return false;
  for (int32_t i = 0; i < team->locals_n; i++) raise_to(v, tsr_agree_slot_of(team, i), n);
  if (team->nodes_n == 1) return true;
  if (leads(team)) {
    int64_t theirs[TSR_AGREE_MAX_N];
    leaders_max(team, v, theirs, n);
    memcpy(tsr_agree_slot(team), v, bytes);
  }
  tsr_agree_turn(team);
  memcpy(v, tsr_agree_slot_of(team, 0), bytes);
  return true;
}

bool tsr_agree_barrier(tsr_team *team) {
  return team->nodes_n == 1 ? tsr_agree_turn(team) : tsr_agree_max(team, (int64_t[1]){0}, 1);
}

/* What the leader has in all[0..n) becomes everybody's on the node. */
static void spread(tsr_team *team, int64_t all[], int32_t n) {
  const int32_t step = TSR_STAGE_BYTES / (int32_t)sizeof all[0];
  for (int32_t at = 0; at < n; at += step) {
    size_t bytes = (size_t)(n - at < step ? n - at : step) * sizeof all[0];
    if (leads(team)) memcpy(tsr_agree_stage(team), all + at, bytes);
    tsr_agree_turn(team);
    memcpy(all + at, tsr_agree_stage_of(team, 0), bytes);
  }
}

void tsr_agree_gather(tsr_team *team, int64_t mine, int64_t all[]) {
  for (int32_t i = 0; i < team->size; i++) all[i] = INT64_MIN;
  memcpy(tsr_agree_slot(team), &mine, sizeof mine);
  tsr_agree_turn(team);
  for (int32_t i = 0; i < team->locals_n; i++) memcpy(&all[team->locals[i]], tsr_agree_slot_of(team, i), sizeof mine);
  if (team->nodes_n == 1) return;
  if (leads(team)) {
    int64_t *theirs = malloc((size_t)team->size * sizeof *theirs);
    if (!theirs) tsr_abort(1, "no private memory to collect a number of each of %d members", team->size);
    leaders_max(team, all, theirs, team->size);
    free(theirs);
  }
  spread(team, all, team->size);
}
