#include "core/agree.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/poison.h"
#include "base/status.h"
#include "base/wait.h"
#include "core/message.h"
#include "core/place.h"
#include "core/runtime.h"

enum { LINE_MEMBERS = 4, COPIES_N = 8 };

/* A board as it lies in the node's memory: this, the cells, the counters of the arrival tree (one line each, leaves first),
 * the stages. Rounds count steps; zero is the state before the first. What belongs to a round lies in copy
 * round % COPIES_N, and is used again when the round COPIES_N later begins. */
struct shared {
  TSR_ALIGNED_LINE _Atomic uint64_t arrived[LINE_MEMBERS]; /* up to four members: a round that each has reached */
  _Atomic uint64_t released;                               /* more members: the last round that all have reached */
  _Atomic uint32_t left_n;                                 /* members that have detached */
  tsr_gong gong;                                           /* whoever waits for any of this listens */
  TSR_ALIGNED_LINE _Atomic uint64_t refused[COPIES_N];     /* last round of each copy that a member refused */
};

/* A member's arrival together with a small part: up to four members share a line, so that one look tells everything. Who
 * waits for all and shows nothing, as in a barrier, arrives in the line above: it has no copies and therefore moves less
 * between the caches. */
struct cell {
  _Atomic uint64_t arrival; /* round * 2, and 1 if it refuses; then the part, aligned for any element that fits */
};

struct counter {
  TSR_ALIGNED_LINE _Atomic uint32_t arrivals_n[COPIES_N]; /* in all rounds of each copy so far */
};

/* A member's view of the board. */
struct tsr_board {
  struct shared *shared;
  struct counter *counters;
  char *cells, *stages;
  int32_t locals_n, self;
  uint32_t stride_bytes;         /* from one member's cell to the next one's */
  uint32_t part_off, part_bytes; /* of the part in a cell */
  uint64_t round;   /* steps so far */
  uint64_t settled; /* a round that all are known to have reached */
  bool shows;       /* has written a part of the round to come */
  tsr_word *bells[]; /* doorbell of each local member */
};

/* The arrival tree, of a degree that is a power of two. */
static uint32_t shift(void) { return tsr_heap.memory->barrier_shift; }
static int32_t parents_of(int32_t nodes_n) { return (nodes_n + (1 << shift()) - 1) >> shift(); }

static int32_t counters_n(int32_t locals_n) {
  int32_t total = 0;
  for (int32_t level = locals_n; level > 1; level = parents_of(level)) total += parents_of(level);
  return total;
}

/* A line for all, or one for each. */
static size_t cells_bytes(int32_t locals_n) {
  return (size_t)(locals_n <= LINE_MEMBERS ? 1 : locals_n) * COPIES_N * TSR_CACHE_LINE;
}

size_t tsr_agree_stages_bytes(int32_t locals_n) { return (size_t)locals_n * 2 * TSR_STAGE_BYTES; }

size_t tsr_agree_board_bytes(int32_t locals_n) {
  return sizeof(struct shared) + cells_bytes(locals_n) + (size_t)counters_n(locals_n) * sizeof(struct counter) +
         tsr_agree_stages_bytes(locals_n);
}

static void lay_out_cells(struct tsr_board *board) {
  int32_t n = board->locals_n;
  uint32_t cell_bytes = n == 1 || n > LINE_MEMBERS ? TSR_CACHE_LINE : TSR_CACHE_LINE / (n == 2 ? 2 : LINE_MEMBERS);
  board->part_off = cell_bytes > 2 * sizeof(struct cell) ? 2 * sizeof(struct cell) : sizeof(struct cell);
  board->part_bytes = cell_bytes - board->part_off;
  board->stride_bytes = n > LINE_MEMBERS ? COPIES_N * TSR_CACHE_LINE : cell_bytes;
}

tessera_status_t tsr_agree_attach(tsr_team *team, void *memory) {
  int32_t n = team->locals_n;
  struct tsr_board *board = calloc(1, sizeof *board + (size_t)n * sizeof board->bells[0]);
  if (!board) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a team of %d local members", n);
  board->shared = memory;
  board->cells = (char *)(board->shared + 1);
  board->counters = (struct counter *)(board->cells + cells_bytes(n));
  board->stages = (char *)(board->counters + counters_n(n));
  board->locals_n = n;
  board->self = team->self_local;
  lay_out_cells(board);
  for (int32_t i = 0; i < n; i++) {
    int32_t local = tsr_place_local(tsr_team_unit(team, TSR_MEMBER(team->locals[i])));
    board->bells[i] = &tsr_heap_unit((uint32_t)local)->bell;
  }
  team->board = board;
  return TESSERA_OK;
}

static struct cell *cell_of(const struct tsr_board *board, int32_t local, uint64_t round) {
  return (struct cell *)(board->cells + (size_t)local * board->stride_bytes + round % COPIES_N * TSR_CACHE_LINE);
}

static uint64_t arrival_of(const struct tsr_board *board, int32_t local, uint64_t round) {
  return atomic_load_explicit(&cell_of(board, local, round)->arrival, memory_order_acquire);
}

/* After a full fence. */
static void wake_others(const struct tsr_board *board) {
  if (!tsr_gong_strike_fenced(&board->shared->gong)) return;
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

static bool has_reached(const struct tsr_board *board, int32_t local, uint64_t round) {
  bool in_line = board->locals_n <= LINE_MEMBERS;
  if (in_line && atomic_load_explicit(&board->shared->arrived[local], memory_order_acquire) >= round) return true;
  return arrival_of(board, local, round) >= round * 2;
}

bool tsr_agree_has_come(const tsr_team *team, int32_t local, uint64_t round) {
  return has_reached(team->board, local, round);
}

/* All have reached the round. */
static bool is_complete(const struct tsr_board *board, uint64_t round) {
  if (board->locals_n > LINE_MEMBERS) return atomic_load_explicit(&board->shared->released, memory_order_acquire) >= round;
  for (int32_t i = 0; i < board->locals_n; i++) {
    if (!has_reached(board, i, round)) return false;
  }
  return true;
}

/* What a wait is for: all members, or one of them, to reach a round. */
struct awaited {
  const struct tsr_board *board;
  uint64_t round;
  int32_t local; /* ALL */
};
enum { ALL = -1 };

/* Who waits for one member looks at all the same: when members disagree on which one it is, that has not told. */
static bool have_come(const void *arg) {
  const struct awaited *awaited = arg;
  if (awaited->local != ALL && has_reached(awaited->board, awaited->local, awaited->round)) return true;
  return is_complete(awaited->board, awaited->round);
}

/* For who has just looked. */
static void await_slow(const tsr_team *team, uint64_t round, int32_t local) {
  struct awaited awaited = {team->board, round, local};
  struct tsr_wait_why why = {TSR_WAIT_BARRIER, team->id, (int64_t)round};
  tsr_wait_slow(have_come, &awaited, why, &team->board->shared->gong);
}

static void await(const tsr_team *team, uint64_t round, int32_t local) {
  if (!have_come(&(struct awaited){team->board, round, local})) await_slow(team, round, local);
}

static void settle(tsr_team *team, uint64_t round) {
  await(team, round, ALL);
  team->board->settled = round;
}

/* Before a member writes anything of the next round: whoever may still read what the copy held has read it when it
 * arrives in the round after that. It waits for a later round at once, so that it need not look every time. */
static inline void make_room(tsr_team *team) {
  const struct tsr_board *board = team->board;
  uint64_t next = board->round + 1;
  if (__builtin_expect(next >= board->settled + COPIES_N, 0)) settle(team, next - COPIES_N / 2);
}

/* Arrives in the tree; true for the last arriver of all, who has gone all the way up. */
static bool arrive_last(const struct tsr_board *board) {
  struct counter *level = board->counters;
  int32_t index = board->self;
  uint64_t uses_n = (board->round + COPIES_N - 1) / COPIES_N; /* rounds that have come to this copy */
  for (int32_t n = board->locals_n; n > 1; n = parents_of(n)) {
    int32_t group = index >> shift(), left_n = n - (group << shift());
    int32_t members_n = left_n < 1 << shift() ? left_n : 1 << shift();
    uint32_t full = (uint32_t)members_n * (uint32_t)uses_n;
    if (atomic_fetch_add(&level[group].arrivals_n[board->round % COPIES_N], 1) + 1 != full) return false;
    level += parents_of(n);
    index = group;
  }
  return true;
}

enum arrival {
  BARE,   /* waits for all, and may show nothing */
  SHOWN,  /* in the cell in any case */
  REFUSED /* in both places, for whoever looks */
};

/* Full fence. */
static void publish(struct tsr_board *board, enum arrival how) {
  uint64_t round = board->round;
  bool in_line = board->locals_n <= LINE_MEMBERS;
  bool bare = how == BARE && !board->shows && in_line;
  if (!bare) atomic_exchange(&cell_of(board, board->self, round)->arrival, round * 2 + (how == REFUSED));
  if (bare || (how == REFUSED && in_line)) atomic_exchange(&board->shared->arrived[board->self], round);
  board->shows = false;
  tsr_fence_exchanged();
}

static char arrivals, services; /* of this process */
void tsr_agree_serve(void) { tsr_order_acquire(&arrivals); }
void tsr_agree_served(void) { tsr_order_release(&services); }

/* Begins a round. True: this member was the last to come, and everybody who waits has been woken. What it publishes is seen
 * before it looks at what the others did, and at who listens (partner: the count in base/wait, before the last look there). */
static bool arrive(tsr_team *team, enum arrival how) {
  tsr_order_release(&arrivals);
  struct tsr_board *board = team->board;
  make_room(team);
  uint64_t round = ++board->round;
  if (board->locals_n == 1) {
    board->settled = round;
    return true;
  }
  publish(board, how);
  if (board->locals_n > LINE_MEMBERS) {
    if (!arrive_last(board)) return false;
    atomic_exchange(&board->shared->released, round);
  } else if (!is_complete(board, round)) {
    return false;
  }
  wake_others(board);
  return true;
}

bool tsr_agree_turn(tsr_team *team) {
  struct tsr_board *board = team->board;
  if (!arrive(team, BARE)) await_slow(team, board->round, ALL);
  board->settled = board->round;
  tsr_order_acquire(&services);
  return atomic_load_explicit(&board->shared->refused[board->round % COPIES_N], memory_order_relaxed) != board->round;
}

bool tsr_agree_follow(tsr_team *team, int32_t local) {
  struct tsr_board *board = team->board;
  arrive(team, SHOWN);
  if (local == board->self) return true;
  await(team, board->round, local);
  tsr_order_acquire(&services);
  return !(arrival_of(board, local, board->round) & 1);
}

void tsr_agree_tell(tsr_team *team) {
  if (!arrive(team, SHOWN)) wake_others(team->board);
}

void tsr_agree_pass(tsr_team *team) { arrive(team, SHOWN); }

void tsr_agree_await_all(tsr_team *team) {
  if (team->board->settled < team->board->round) settle(team, team->board->round);
  tsr_order_acquire(&services);
}

bool tsr_agree_all_came(tsr_team *team) {
  const struct tsr_board *board = team->board;
  if (board->settled < board->round && !is_complete(board, board->round)) return false;
  tsr_agree_await_all(team);
  return true;
}

/* Who follows this member is woken as after a tell. */
void tsr_agree_refuse(tsr_team *team) {
  struct tsr_board *board = team->board;
  make_room(team);
  uint64_t round = board->round + 1;
  atomic_store_explicit(&board->shared->refused[round % COPIES_N], round, memory_order_relaxed); /* the arrival publishes it */
  if (!arrive(team, REFUSED)) wake_others(board);
}

uint64_t tsr_agree_number(const tsr_team *team) { return team->board->round + 1; }

static char *part_at(const struct tsr_board *board, int32_t local, uint64_t round, size_t bytes) {
  if (bytes <= board->part_bytes) return (char *)cell_of(board, local, round) + board->part_off;
  return board->stages + ((size_t)local * 2 + (round & 1)) * TSR_STAGE_BYTES;
}

/* A stage has two copies only: who reads one has read the other. */
void *tsr_agree_mine(tsr_team *team, size_t bytes) {
  struct tsr_board *board = team->board;
  make_room(team);
  board->shows = true;
  if (bytes > board->part_bytes && board->settled < board->round) settle(team, board->round);
  return part_at(board, board->self, board->round + 1, bytes);
}

const void *tsr_agree_theirs(const tsr_team *team, int32_t local, size_t bytes) {
  const struct tsr_board *board = team->board;
  return part_at(board, local, board->round, bytes);
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
    tsr_exchange exchange;
    tsr_exchange_begin(&exchange, TSR_TAG_TEAM + team->id);
    tsr_exchange_receive(&exchange, from, theirs, bytes);
    tsr_exchange_send(&exchange, to, v, bytes);
    tsr_exchange_end(&exchange);
    raise_to(v, theirs, n);
  }
}

/* What the leader has in all[0..n) becomes everybody's on the node. */
static void spread(tsr_team *team, int64_t all[], int32_t n) {
  const int32_t step = TSR_STAGE_BYTES / (int32_t)sizeof all[0];
  for (int32_t at = 0; at < n; at += step) {
    size_t bytes = (size_t)(n - at < step ? n - at : step) * sizeof all[0];
    if (leads(team)) {
      memcpy(tsr_agree_mine(team, bytes), all + at, bytes);
      tsr_agree_tell(team);
    } else {
      tsr_agree_follow(team, 0);
      memcpy(all + at, tsr_agree_theirs(team, 0, bytes), bytes);
    }
  }
}

bool tsr_agree_max(tsr_team *team, int64_t v[], int n) {
  size_t bytes = (size_t)n * sizeof v[0];
  memcpy(tsr_agree_mine(team, bytes), v, bytes);
  if (!tsr_agree_turn(team)) return false;
  for (int32_t i = 0; i < team->locals_n; i++) raise_to(v, tsr_agree_theirs(team, i, bytes), n);
  if (team->nodes_n == 1) return true;
  if (leads(team)) {
    int64_t theirs[TSR_AGREE_MAX_N];
    leaders_max(team, v, theirs, n);
  }
  spread(team, v, n);
  return true;
}

static _Noreturn void end_for_others(const tsr_team *team) {
  tsr_abort(EXIT_FAILURE, "team %d: unit %d, whose last collective call on it was number %llu (%s), has made other calls since "
            "the barrier before than another member of the team; they differ in kind, size, root or order: run with "
            "TESSERA_CHECK=1, which names both calls", team->id, tsr_place.self, (unsigned long long)team->calls_n,
            team->last_call ? team->last_call : "none that went on");
}

/* Messages between nodes that have the same size do not tell of which call they are. So members compare what they have called
 * where they meet: the most and the least of the digests; the least is found as the largest of the complements. */
static bool meet_nodes(tsr_team *team) {
  int64_t own = team->calls_digest, v[2] = {own, own == TSR_CALLS_REFUSED ? own : ~own};
  if (!tsr_agree_max(team, v, 2)) return false;
  if (v[0] != ~v[1] && v[0] != TSR_CALLS_REFUSED) end_for_others(team);
  team->calls_digest = 0;
  return true;
}

bool tsr_agree_barrier(tsr_team *team) { return team->nodes_n == 1 ? tsr_agree_turn(team) : meet_nodes(team); }

void tsr_agree_gather(tsr_team *team, int64_t mine, int64_t all[]) {
  for (int32_t i = 0; i < team->size; i++) all[i] = INT64_MIN;
  memcpy(tsr_agree_mine(team, sizeof mine), &mine, sizeof mine);
  tsr_agree_turn(team);
  for (int32_t i = 0; i < team->locals_n; i++)
    memcpy(&all[team->locals[i]], tsr_agree_theirs(team, i, sizeof mine), sizeof mine);
  if (team->nodes_n == 1) return;
  if (leads(team)) {
    int64_t *theirs = malloc((size_t)team->size * sizeof *theirs);
    if (!theirs) tsr_abort(1, "no private memory to collect a number of each of %d members", team->size);
    leaders_max(team, all, theirs, team->size);
    free(theirs);
  }
  spread(team, all, team->size);
}
