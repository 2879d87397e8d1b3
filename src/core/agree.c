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

/* A sync area as it lies in the node's memory: this, the cells, the counters of the arrival tree (one line each, leaves first),
 * the bounce buffers. Rounds count steps; zero is the state before the first. What belongs to a round lies in copy
 * round % COPIES_N, and is used again when the round COPIES_N later begins. */
struct shared {
  TSR_ALIGNED_LINE _Atomic uint64_t arrived[LINE_MEMBERS]; /* up to four members: a round that each has reached */
  _Atomic uint64_t released;                               /* more members: the last round that all have reached */
  _Atomic uint32_t left_n;                                 /* members that have detached */
  tsr_eventcount eventcount;                                           /* whoever waits for any of this listens */
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

/* A member's view of the sync area. */
struct tsr_sync_area {
  struct shared *shared;
  struct counter *counters;
  char *cells, *bounces;
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

size_t tsr_agree_bounces_bytes(int32_t locals_n) { return (size_t)locals_n * 2 * TSR_BOUNCE_BYTES; }

size_t tsr_agree_board_bytes(int32_t locals_n) {
  return sizeof(struct shared) + cells_bytes(locals_n) + (size_t)counters_n(locals_n) * sizeof(struct counter) +
         tsr_agree_bounces_bytes(locals_n);
}

static void lay_out_cells(struct tsr_sync_area *sync_area) {
  int32_t n = sync_area->locals_n;
  uint32_t cell_bytes = n == 1 || n > LINE_MEMBERS ? TSR_CACHE_LINE : TSR_CACHE_LINE / (n == 2 ? 2 : LINE_MEMBERS);
  sync_area->part_off = cell_bytes > 2 * sizeof(struct cell) ? 2 * sizeof(struct cell) : sizeof(struct cell);
  sync_area->part_bytes = cell_bytes - sync_area->part_off;
  sync_area->stride_bytes = n > LINE_MEMBERS ? COPIES_N * TSR_CACHE_LINE : cell_bytes;
}

tessera_status_t tsr_agree_attach(tsr_team *team, void *memory) {
  int32_t n = team->locals_n;
  struct tsr_sync_area *sync_area = calloc(1, sizeof *sync_area + (size_t)n * sizeof sync_area->bells[0]);
  if (!sync_area) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a team of %d local members", n);
  sync_area->shared = memory;
  sync_area->cells = (char *)(sync_area->shared + 1);
  sync_area->counters = (struct counter *)(sync_area->cells + cells_bytes(n));
  sync_area->bounces = (char *)(sync_area->counters + counters_n(n));
  sync_area->locals_n = n;
  sync_area->self = team->self_local;
  lay_out_cells(sync_area);
  for (int32_t i = 0; i < n; i++) {
    int32_t local = tsr_place_local(tsr_team_unit(team, TSR_MEMBER(team->locals[i])));
    sync_area->bells[i] = &tsr_heap_unit((uint32_t)local)->bell;
  }
  team->sync_area = sync_area;
  return TESSERA_OK;
}

static struct cell *cell_of(const struct tsr_sync_area *sync_area, int32_t local, uint64_t round) {
  return (struct cell *)(sync_area->cells + (size_t)local * sync_area->stride_bytes +
                         round % COPIES_N * TSR_CACHE_LINE);
}

static uint64_t arrival_of(const struct tsr_sync_area *sync_area, int32_t local, uint64_t round) {
  return atomic_load_explicit(&cell_of(sync_area, local, round)->arrival, memory_order_acquire);
}

/* After a full fence. */
static void wake_others(const struct tsr_sync_area *sync_area) {
  if (!tsr_eventcount_signal_fenced(&sync_area->shared->eventcount)) return;
  for (int32_t i = 0; i < sync_area->locals_n; i++) {
    if (i != sync_area->self) tsr_bell_ring_fenced(sync_area->bells[i]);
  }
}

static bool all_left(const void *arg) {
  const struct tsr_sync_area *sync_area = arg;
  return atomic_load_explicit(&sync_area->shared->left_n, memory_order_acquire) + 1 == (uint32_t)sync_area->locals_n;
}

void tsr_agree_detach(tsr_team *team) {
  struct tsr_sync_area *sync_area = team->sync_area;
  if (team->self_local == 0) {
    tsr_wait(all_left, sync_area, (struct tsr_wait_why){TSR_WAIT_BARRIER, team->id, (int64_t)sync_area->round});
  } else {
    tsr_word *leader = sync_area->bells[0];
    atomic_fetch_add(&sync_area->shared->left_n, 1); /* the sync area may be gone from here on */
    tsr_bell_ring_fenced(leader);
  }
  tsr_agree_forget(team);
}

void tsr_agree_forget(tsr_team *team) {
  free(team->sync_area);
  team->sync_area = NULL;
}

static bool has_reached(const struct tsr_sync_area *sync_area, int32_t local, uint64_t round) {
  bool in_line = sync_area->locals_n <= LINE_MEMBERS;
  if (in_line && atomic_load_explicit(&sync_area->shared->arrived[local], memory_order_acquire) >= round) return true;
  return arrival_of(sync_area, local, round) >= round * 2;
}

bool tsr_agree_has_come(const tsr_team *team, int32_t local, uint64_t round) {
  return has_reached(team->sync_area, local, round);
}

/* All have reached the round. */
static bool is_complete(const struct tsr_sync_area *sync_area, uint64_t round) {
  if (sync_area->locals_n > LINE_MEMBERS)
    return atomic_load_explicit(&sync_area->shared->released, memory_order_acquire) >= round;
  for (int32_t i = 0; i < sync_area->locals_n; i++) {
    if (!has_reached(sync_area, i, round)) return false;
  }
  return true;
}

/* What a wait is for: all members, or one of them, to reach a round. */
struct awaited {
  const struct tsr_sync_area *sync_area;
  uint64_t round;
  int32_t local; /* ALL */
};
enum { ALL = -1 };

/* Who waits for one member looks at all the same: when members disagree on which one it is, that has not told. */
static bool have_come(const void *arg) {
  const struct awaited *awaited = arg;
  if (awaited->local != ALL && has_reached(awaited->sync_area, awaited->local, awaited->round)) return true;
  return is_complete(awaited->sync_area, awaited->round);
}

/* For who has just looked. */
static void await_slow(const tsr_team *team, uint64_t round, int32_t local) {
  struct awaited awaited = {team->sync_area, round, local};
  struct tsr_wait_why why = {TSR_WAIT_BARRIER, team->id, (int64_t)round};
  tsr_wait_slow(have_come, &awaited, why, &team->sync_area->shared->eventcount);
}

static void await(const tsr_team *team, uint64_t round, int32_t local) {
  if (!have_come(&(struct awaited){team->sync_area, round, local})) await_slow(team, round, local);
}

static void settle(tsr_team *team, uint64_t round) {
  await(team, round, ALL);
  team->sync_area->settled = round;
}

/* Before a member writes anything of the next round: whoever may still read what the copy held has read it when it
 * arrives in the round after that. It waits for a later round at once, so that it need not look every time. */
static inline void make_room(tsr_team *team) {
  const struct tsr_sync_area *sync_area = team->sync_area;
  uint64_t next = sync_area->round + 1;
  if (__builtin_expect(next >= sync_area->settled + COPIES_N, 0)) settle(team, next - COPIES_N / 2);
}

/* Arrives in the tree; true for the last arriver of all, who has gone all the way up. */
static bool arrive_last(const struct tsr_sync_area *sync_area) {
  struct counter *level = sync_area->counters;
  int32_t index = sync_area->self;
  uint64_t uses_n = (sync_area->round + COPIES_N - 1) / COPIES_N; /* rounds that have come to this copy */
  for (int32_t n = sync_area->locals_n; n > 1; n = parents_of(n)) {
    int32_t group = index >> shift(), left_n = n - (group << shift());
    int32_t members_n = left_n < 1 << shift() ? left_n : 1 << shift();
    uint32_t full = (uint32_t)members_n * (uint32_t)uses_n;
    if (atomic_fetch_add(&level[group].arrivals_n[sync_area->round % COPIES_N], 1) + 1 != full) return false;
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
static void publish(struct tsr_sync_area *sync_area, enum arrival how) {
  uint64_t round = sync_area->round;
  bool in_line = sync_area->locals_n <= LINE_MEMBERS;
  bool bare = how == BARE && !sync_area->shows && in_line;
  if (!bare) atomic_exchange(&cell_of(sync_area, sync_area->self, round)->arrival, round * 2 + (how == REFUSED));
  if (bare || (how == REFUSED && in_line)) atomic_exchange(&sync_area->shared->arrived[sync_area->self], round);
  sync_area->shows = false;
  tsr_fence_exchanged();
}

static char arrivals, services; /* of this process */
void tsr_agree_serve(void) { tsr_order_acquire(&arrivals); }
void tsr_agree_served(void) { tsr_order_release(&services); }

/* Begins a round. True: this member was the last to come, and everybody who waits has been woken. What it publishes is seen
 * before it looks at what the others did, and at who listens (partner: the count in base/wait, before the last look there). */
static bool arrive(tsr_team *team, enum arrival how) {
  tsr_order_release(&arrivals);
  struct tsr_sync_area *sync_area = team->sync_area;
  make_room(team);
  uint64_t round = ++sync_area->round;
  if (sync_area->locals_n == 1) {
    sync_area->settled = round;
    return true;
  }
  publish(sync_area, how);
  if (sync_area->locals_n > LINE_MEMBERS) {
    if (!arrive_last(sync_area)) return false;
    atomic_exchange(&sync_area->shared->released, round);
  } else if (!is_complete(sync_area, round)) {
    return false;
  }
  wake_others(sync_area);
  return true;
}

bool tsr_agree_turn(tsr_team *team) {
  struct tsr_sync_area *sync_area = team->sync_area;
  if (!arrive(team, BARE)) await_slow(team, sync_area->round, ALL);
  sync_area->settled = sync_area->round;
  tsr_order_acquire(&services);
  return atomic_load_explicit(&sync_area->shared->refused[sync_area->round % COPIES_N], memory_order_relaxed) !=
         sync_area->round;
}

bool tsr_agree_follow(tsr_team *team, int32_t local) {
  struct tsr_sync_area *sync_area = team->sync_area;
  arrive(team, SHOWN);
  if (local == sync_area->self) return true;
  await(team, sync_area->round, local);
  tsr_order_acquire(&services);
  return !(arrival_of(sync_area, local, sync_area->round) & 1);
}

void tsr_agree_tell(tsr_team *team) {
  if (!arrive(team, SHOWN)) wake_others(team->sync_area);
}

void tsr_agree_pass(tsr_team *team) { arrive(team, SHOWN); }

void tsr_agree_await_all(tsr_team *team) {
  if (team->sync_area->settled < team->sync_area->round) settle(team, team->sync_area->round);
  tsr_order_acquire(&services);
}

bool tsr_agree_all_came(tsr_team *team) {
  const struct tsr_sync_area *sync_area = team->sync_area;
  if (sync_area->settled < sync_area->round && !is_complete(sync_area, sync_area->round)) return false;
  tsr_agree_await_all(team);
  return true;
}

/* Who follows this member is woken as after a tell. */
void tsr_agree_refuse(tsr_team *team) {
  struct tsr_sync_area *sync_area = team->sync_area;
  make_room(team);
  uint64_t round = sync_area->round + 1;
  atomic_store_explicit(&sync_area->shared->refused[round % COPIES_N], round, memory_order_relaxed); /* the arrival publishes it */
  if (!arrive(team, REFUSED)) wake_others(sync_area);
}

uint64_t tsr_agree_number(const tsr_team *team) { return team->sync_area->round + 1; }

static char *part_at(const struct tsr_sync_area *sync_area, int32_t local, uint64_t round, size_t bytes) {
  if (bytes <= sync_area->part_bytes) return (char *)cell_of(sync_area, local, round) + sync_area->part_off;
  return sync_area->bounces + ((size_t)local * 2 + (round & 1)) * TSR_BOUNCE_BYTES;
}

/* A bounce buffer has two copies only: who reads one has read the other. */
void *tsr_agree_mine(tsr_team *team, size_t bytes) {
  struct tsr_sync_area *sync_area = team->sync_area;
  make_room(team);
  sync_area->shows = true;
  if (bytes > sync_area->part_bytes && sync_area->settled < sync_area->round) settle(team, sync_area->round);
  return part_at(sync_area, sync_area->self, sync_area->round + 1, bytes);
}

const void *tsr_agree_theirs(const tsr_team *team, int32_t local, size_t bytes) {
  const struct tsr_sync_area *sync_area = team->sync_area;
  return part_at(sync_area, local, sync_area->round, bytes);
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
  const int32_t step = TSR_BOUNCE_BYTES / (int32_t)sizeof all[0];
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
