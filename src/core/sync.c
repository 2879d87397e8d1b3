#include "core/sync.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/poison.h"
#include "base/status.h"
#include "base/wait.h"
#include "core/conflict.h"
#include "core/place.h"
#include "core/runtime.h"

enum { FLAT_MEMBERS = 4, FEW_MEMBERS = 32, ROUND_SHIFT = 16, FAILED = 1 << 15, MIXED = FAILED - 1 };

/* The head of an area. The trees, the cells, the words of started calls and the places of the bounce buffers follow it.
 *
 * An arrival word contains the round, whether the member fails it, and the digest of its call. Words only grow. Up to
 * four members read each other's words in the head; with more members, the first word is that of the last round in
 * which all have arrived. Rounds count from 1. */
struct area {
  TSR_ALIGNED_LINE _Atomic uint64_t calls[FLAT_MEMBERS];
  TSR_ALIGNED_LINE _Atomic uint32_t left_n; /* members that have detached; not in the line that every arrival moves */
  tsr_eventcount eventcount;           /* for members that wait for a blocking call or a split-phase barrier */
  TSR_ALIGNED_LINE _Atomic uint64_t started[FLAT_MEMBERS];
  _Atomic uint64_t released; /* the last round of started calls in which the members of all nodes have arrived */
  union {
    TSR_ALIGNED_LINE _Atomic uint64_t split[2][2 * FLAT_MEMBERS]; /* of even and of odd rounds: words, each followed by a name */
    struct {                                                      /* of more members */
      _Atomic uint64_t split_top[2 * FLAT_MEMBERS]; /* the first word: see struct sequence */
      _Atomic uint64_t left[8]; /* per copy, the last round that a member has left at once, and the first that did */
    };
  };
  TSR_ALIGNED_LINE _Atomic uint64_t failed[8]; /* per copy, the last round that a member has failed */
};

/* An arrival that carries a part, or that of a member that may be ahead of others. The words of members that wait for
 * all have no copies, so they move less between the caches. */
struct cell {
  _Atomic uint64_t arrival; /* the part follows, aligned for any element that fits */
};

struct sequence {
  _Atomic uint64_t *top;
  size_t step, odd_off; /* of up to four members: distance from one word to the next, and to the words of odd rounds */
  char *tree; /* of more than four members: their words, followed level by level by those of groups */
  uint64_t round;
};

/* The area as one member sees it. */
struct tsr_sync {
  struct area *area;
  struct sequence sequences[TSR_SYNC_SEQUENCES_N];
  char *joint, *cells;
  int64_t *names; /* of more than four members: names in split-phase barriers */
  _Atomic int64_t *bounces; /* by member: one more than the distance from the base of the heaps; 0: no bounce buffer */
  int32_t locals_n, self;
  uint32_t shift, group_bytes; /* of the trees: a group has 1 << shift members */
  uint32_t copies_mask;
  uint32_t joint_bytes, joint_off, joint_part; /* of a member's cell in the joint line: its size, and the offset of its
                                                * part */
  uint32_t cell_bytes;
  uint64_t complete_round; /* a round in which all are known to have arrived */
  uint64_t bounce_off; /* of the own bounce buffer, in the own heap */
  bool owns_bounce;
  bool shows; /* the member has written a part of the next round */
};

enum { PART_OFF = 2 * sizeof(struct cell) };

static bool is_flat(int32_t locals_n) { return locals_n <= FLAT_MEMBERS; }

/* ---- memory ---- */

static uint32_t shift_for(int32_t locals_n) { return is_flat(locals_n) ? 2 : tsr_heap.memory->barrier_shift; }
static uint32_t group_bytes_for(uint32_t shift) {
  uint32_t bytes = (uint32_t)sizeof(uint64_t) << shift;
  return bytes < TSR_CACHE_LINE ? TSR_CACHE_LINE : bytes;
}
static int32_t groups_of(int32_t n, uint32_t shift) { return (n + (1 << shift) - 1) >> shift; }

static size_t tree_bytes(int32_t locals_n) {
  uint32_t shift = shift_for(locals_n);
  size_t total = 0;
  if (is_flat(locals_n)) return 0;
  for (int32_t n = locals_n; n > 1; n = groups_of(n, shift)) total += (size_t)groups_of(n, shift) * group_bytes_for(shift);
  return total;
}

/* The more members there are, the fewer copies each of them has. */
static uint32_t copies_n(int32_t locals_n) { return locals_n <= FEW_MEMBERS ? 8 : locals_n <= 2 * FEW_MEMBERS ? 4 : 2; }
static uint32_t cell_bytes(int32_t locals_n) { return locals_n <= FEW_MEMBERS ? TSR_CACHE_LINE : TSR_CACHE_LINE / 2; }
static size_t joint_bytes(int32_t locals_n) { return is_flat(locals_n) ? copies_n(locals_n) * (size_t)TSR_CACHE_LINE : 0; }
static size_t cells_bytes(int32_t locals_n) { return (size_t)locals_n * copies_n(locals_n) * cell_bytes(locals_n); }
static size_t names_bytes(int32_t locals_n) { return is_flat(locals_n) ? 0 : (size_t)locals_n * 2 * sizeof(int64_t); }

size_t tsr_sync_area_bytes(int32_t locals_n) {
  return sizeof(struct area) + TSR_SYNC_SEQUENCES_N * tree_bytes(locals_n) + joint_bytes(locals_n) + cells_bytes(locals_n) +
         names_bytes(locals_n) + (size_t)locals_n * sizeof(int64_t);
}

tessera_status_t tsr_sync_attach(tsr_team *team, void *memory) {
  int32_t n = team->locals_n;
  struct tsr_sync *sync = calloc(1, sizeof *sync);
  if (!sync) return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0376 no private memory for the sync area of a team with %d member%s on this "
                             "node; free memory, or destroy teams", n, n == 1 ? "" : "s");
  struct area *area = memory;
  *sync = (struct tsr_sync){.area = area, .locals_n = n, .self = team->self_local, .shift = shift_for(n)};
  sync->sequences[TSR_SYNC_CALLS] = (struct sequence){.top = area->calls, .step = 1};
  sync->sequences[TSR_SYNC_STARTED] = (struct sequence){.top = area->started, .step = 1};
  sync->sequences[TSR_SYNC_SPLIT] = (struct sequence){.top = area->split[0], .step = 2, .odd_off = 2 * FLAT_MEMBERS};
  for (size_t i = 0; i < TSR_SYNC_SEQUENCES_N; i++) sync->sequences[i].tree = (char *)(area + 1) + i * tree_bytes(n);
  sync->joint = (char *)(area + 1) + TSR_SYNC_SEQUENCES_N * tree_bytes(n);
  sync->cells = sync->joint + joint_bytes(n);
  sync->names = (int64_t *)(sync->cells + cells_bytes(n));
  sync->bounces = (_Atomic int64_t *)((char *)sync->names + names_bytes(n));
  sync->group_bytes = group_bytes_for(sync->shift);
  sync->copies_mask = copies_n(n) - 1;
  sync->cell_bytes = cell_bytes(n);
  if (is_flat(n)) {
    sync->joint_bytes = TSR_CACHE_LINE / (n == 1 ? 1 : n == 2 ? 2 : FLAT_MEMBERS);
    sync->joint_off = sync->joint_bytes > PART_OFF ? PART_OFF : sizeof(struct cell);
    sync->joint_part = sync->joint_bytes - sync->joint_off;
  }
  team->sync = sync;
  return TESSERA_OK;
}

static tsr_word *bell_of(const tsr_team *team, int32_t local) {
  return &tsr_heap_unit((uint32_t)tsr_place_local(tsr_team_unit(team, TSR_MEMBER(team->locals[local]))))->bell;
}

static bool all_left(const void *arg) {
  const struct tsr_sync *sync = arg;
  return atomic_load_explicit(&sync->area->left_n, memory_order_acquire) + 1 == (uint32_t)sync->locals_n;
}

void tsr_sync_detach(tsr_team *team) {
  struct tsr_sync *sync = team->sync;
  if (sync->self == 0) {
    tsr_wait(all_left, sync, (struct tsr_wait_why){TSR_WAIT_BARRIER, team->id, (int64_t)sync->sequences[TSR_SYNC_CALLS].round});
  } else {
    tsr_word *leader = bell_of(team, 0);
    atomic_fetch_add(&sync->area->left_n, 1); /* the area may be freed at once */
    tsr_bell_ring_fenced(leader);
  }
  tsr_sync_forget(team);
}

void tsr_sync_forget(tsr_team *team) {
  if (team->sync && team->sync->owns_bounce) tsr_heap_free(team->sync->bounce_off, TSR_HEAP_INTERNAL);
  free(team->sync);
  team->sync = NULL;
}

void tsr_sync_give_bounce(tsr_team *team, void *memory) {
  struct tsr_sync *sync = team->sync;
  int64_t distance = (intptr_t)memory - (intptr_t)tsr_heap.base;
  atomic_store_explicit(&sync->bounces[sync->self], distance + 1, memory_order_relaxed);
}

/* The next arrival publishes the place of the bounce buffer. */
static void make_bounce(tsr_team *team) {
  struct tsr_sync *sync = team->sync;
  if (tsr_heap_alloc(TSR_SYNC_BOUNCE_BYTES, TSR_HEAP_INTERNAL, &sync->bounce_off))
    tsr_abort(EXIT_FAILURE, "TSR-0377 team %d: no room in the heap for a bounce buffer of %d KiB, which its first collective "
              "of more than %zu "
              "bytes needs and the other members wait for; the line above says what limits the heap", team->id,
              TSR_SYNC_BOUNCE_BYTES >> 10, tsr_sync_part_bytes(team));
  sync->owns_bounce = true;
  tsr_sync_give_bounce(team, tsr_heap_at(tsr_heap.self, sync->bounce_off));
}

static struct cell *joint_cell(const struct tsr_sync *sync, int32_t local, uint64_t round) {
  return (struct cell *)(sync->joint + (round & sync->copies_mask) * TSR_CACHE_LINE + (size_t)local * sync->joint_bytes);
}

static struct cell *own_cell(const struct tsr_sync *sync, int32_t local, uint64_t round) {
  size_t copy = (size_t)local * (sync->copies_mask + 1) + (round & sync->copies_mask);
  return (struct cell *)(sync->cells + copy * sync->cell_bytes);
}

/* The cell in which an arrival that carries a part is published. */
static struct cell *cell_of(const struct tsr_sync *sync, int32_t local, uint64_t round) {
  return is_flat(sync->locals_n) ? joint_cell(sync, local, round) : own_cell(sync, local, round);
}

static _Noreturn __attribute__((cold, noinline)) void end_without_part(const tsr_team *team, int32_t local, size_t bytes) {
  tsr_abort(EXIT_FAILURE,
            "TSR-0403 %s on team %d: unit %d passes no data, but unit %d expects up to %zu bytes of it; let all members "
            "pass the same counts",
            tsr_call_name((enum tsr_call_kind)(team->call_digest >> TSR_CALL_HASH_BITS)), team->id,
            tsr_team_unit(team, TSR_MEMBER(team->locals[local])).id, tsr_place.self, bytes);
}

static inline char *part_at(const tsr_team *team, int32_t local, uint64_t round, size_t bytes) {
  const struct tsr_sync *sync = team->sync;
  if (__builtin_expect(bytes <= sync->joint_part, 1)) return (char *)joint_cell(sync, local, round) + sync->joint_off;
  if (bytes <= sync->cell_bytes - PART_OFF) return (char *)own_cell(sync, local, round) + PART_OFF;
  int64_t place = atomic_load_explicit(&sync->bounces[local], memory_order_relaxed); /* published by an arrival */
  if (__builtin_expect(place == 0, 0)) end_without_part(team, local, bytes);
  return tsr_heap.base + (place - 1) + (round & 1) * TSR_BOUNCE_BYTES;
}

size_t tsr_sync_part_bytes(const tsr_team *team) {
  const struct tsr_sync *sync = team->sync;
  size_t part = sync->cell_bytes - PART_OFF;
  return part > sync->joint_part ? part : sync->joint_part;
}

/* ---- comparing calls ---- */

static const char *const call_names[] = {
    [TSR_CALL_SETUP] = "a call that sets up or frees something", [TSR_CALL_BARRIER] = "barrier", [TSR_CALL_BCAST] = "broadcast",
    [TSR_CALL_SCATTER] = "scatter", [TSR_CALL_GATHER] = "gather", [TSR_CALL_ALLGATHER] = "allgather",
    [TSR_CALL_ALLGATHERV] = "allgatherv", [TSR_CALL_ALLTOALL] = "alltoall", [TSR_CALL_REDUCE] = "reduce",
    [TSR_CALL_ALLREDUCE] = "allreduce"};
_Static_assert(((TSR_CALL_KINDS_N - 1) << TSR_CALL_HASH_BITS | ((1 << TSR_CALL_HASH_BITS) - 1)) < MIXED, "a digest is not MIXED");

const char *tsr_call_name(enum tsr_call_kind kind) { return kind < TSR_CALL_KINDS_N ? call_names[kind] : "another call"; }

static enum tsr_call_kind kind_of(uint64_t word) {
  return (enum tsr_call_kind)((word & MIXED) >> TSR_CALL_HASH_BITS);
}

static _Noreturn void end_for(const tsr_team *team, int32_t local, const char *own, const char *theirs) {
  const int32_t unit = tsr_team_unit(team, TSR_MEMBER(team->locals[local])).id;
  tsr_abort(EXIT_FAILURE, "TSR-0378 unit %d makes another collective call on team %d than unit %d, or passes another size, root "
            "or operation: unit %d is in %s, unit %d in %s; let all members make the same calls in the same order "
            "(TESSERA_CHECK=1 names both calls)", unit, team->id, tsr_place.self, unit, theirs, tsr_place.self, own);
}

/* ---- waiting ---- */

static uint64_t round_of(uint64_t word) { return word >> ROUND_SHIFT; }

/* The word of a member in a sequence of rounds. `round`: the round that the word is awaited for. */
static _Atomic uint64_t *word_at(const struct tsr_sync *sync, const struct sequence *sequence, int32_t local, uint64_t round) {
  if (is_flat(sync->locals_n)) return &sequence->top[(size_t)local * sequence->step + (round & 1) * sequence->odd_off];
  size_t group = (size_t)(local >> sync->shift), slot = (size_t)local & (((size_t)1 << sync->shift) - 1);
  return (_Atomic uint64_t *)(sequence->tree + group * sync->group_bytes) + slot;
}

static uint64_t load_word(_Atomic uint64_t *word) { return atomic_load_explicit(word, memory_order_acquire); }

/* Whether the member has arrived in a round of blocking calls, with a part or without one. */
static inline bool has_arrived(const struct tsr_sync *sync, int32_t local, uint64_t round) {
  return load_word(&cell_of(sync, local, round)->arrival) >= round << ROUND_SHIFT ||
         load_word(word_at(sync, &sync->sequences[TSR_SYNC_CALLS], local, round)) >= round << ROUND_SHIFT;
}

bool tsr_sync_has_arrived(const tsr_team *team, enum tsr_sync_sequence sequence, int32_t local, uint64_t round) {
  const struct tsr_sync *sync = team->sync;
  if (sequence == TSR_SYNC_CALLS) return has_arrived(sync, local, round);
  return round_of(load_word(word_at(sync, &sync->sequences[sequence], local, round))) >= round;
}

/* Whether all members have arrived in the round of the own word. *differs: another word differs, perhaps because it
 * belongs to another call. Each word is read once, since a member that continues takes the cache line away. */
static inline bool all_arrived(const struct tsr_sync *sync, uint64_t own, bool *differs) {
  uint64_t least = round_of(own) << ROUND_SHIFT, word = own, odd = 0;
  if (!is_flat(sync->locals_n)) {
    word = load_word(&sync->area->calls[0]);
    *differs = word != own;
    return word >= least;
  }
  char *joint = (char *)joint_cell(sync, 0, round_of(own));
  for (int32_t i = 0; i < sync->locals_n; i++, joint += sync->joint_bytes) {
    word = load_word(&sync->area->calls[i]);
    if (word < least) word = load_word(&((struct cell *)joint)->arrival);
    if (word < least) return false;
    odd |= word ^ own;
  }
  *differs = odd != 0;
  return true;
}

/* The condition of a wait: all members, or one of them, have arrived in a round. */
struct awaited {
  const struct tsr_sync *sync;
  uint64_t own;  /* the own word of the round */
  int32_t local; /* or ALL */
  bool *differs; /* a word differs, if all were awaited */
};
enum { ALL = -1 };

/* A wait for one member also ends when all have arrived: if members disagree on the root, it does not signal. */
static bool have_arrived(const void *arg) {
  const struct awaited *awaited = arg;
  if (awaited->local != ALL && has_arrived(awaited->sync, awaited->local, round_of(awaited->own))) return true;
  return all_arrived(awaited->sync, awaited->own, awaited->differs);
}

/* Called after one poll. `carries`: the awaited arrivals carry parts; then skipping the brief wait is slightly faster.
 * True: a word differs, if all members were awaited. */
static bool await_slow(const tsr_team *team, uint64_t own, int32_t local, bool carries) {
  bool differs = false;
  struct awaited awaited = {team->sync, own, local, &differs};
  struct tsr_wait_why why = {TSR_WAIT_BARRIER, team->id, (int64_t)round_of(own)};
  if (carries || !tsr_wait_briefly(have_arrived, &awaited))
    tsr_wait_slow(have_arrived, &awaited, why, &team->sync->area->eventcount);
  return differs;
}

static void await_members(const tsr_team *team, uint64_t own, int32_t local) {
  bool differs;
  if (!have_arrived(&(struct awaited){team->sync, own, local, &differs})) await_slow(team, own, local, false);
}

static void await_round(tsr_team *team, uint64_t round) {
  await_members(team, round << ROUND_SHIFT, ALL);
  team->sync->complete_round = round;
}

/* Called before a member writes for the next round. Members have read the old content of a copy when they arrive in the
 * round after that of the copy. The wait is for a later round than necessary, so that most calls need no check. */
static inline void make_room(tsr_team *team) {
  const struct tsr_sync *sync = team->sync;
  uint64_t next = sync->sequences[TSR_SYNC_CALLS].round + 1, copies_n = sync->copies_mask + 1;
  if (__builtin_expect(next >= sync->complete_round + copies_n, 0)) await_round(team, next - copies_n / 2);
}

/* The caller has made a full fence. */
static void ring_others(const tsr_team *team) {
  for (int32_t i = 0; i < team->locals_n; i++) {
    if (i != team->self_local) tsr_bell_ring_fenced(bell_of(team, i));
  }
}
static void wake_others(const tsr_team *team) {
  if (tsr_eventcount_signal_fenced(&team->sync->area->eventcount)) ring_others(team);
}

/* ---- arriving ---- */

/* Combines the words of a group: 0 while a member has not arrived in the round; MIXED if their calls differ, or if a
 * member is ahead, so that only its cell has the word of this round. */
static uint64_t join_group(_Atomic uint64_t *words, int32_t members_n, uint64_t word) {
  uint64_t round = round_of(word), joined = word;
  for (int32_t i = 0; i < members_n; i++) {
    uint64_t theirs = load_word(&words[i]);
    if (round_of(theirs) < round) return 0;
    if (theirs != word) joined = round << ROUND_SHIFT | MIXED;
  }
  return joined;
}

/* Stores the own word and the words of complete groups up the tree. True: all have arrived. Several members may find a
 * group complete at once, and store the same word. A later word of a group is stored only after each of its members has
 * arrived again, and so has left this function: words never decrease. Full fence. */
static bool arrive_in_tree(const struct tsr_sync *sync, const struct sequence *sequence, uint64_t word) {
  char *level = sequence->tree;
  int32_t index = sync->self, n = sync->locals_n;
  while (n > 1) {
    int32_t group = index >> sync->shift, first = group << sync->shift;
    int32_t members_n = n - first < 1 << sync->shift ? n - first : 1 << sync->shift;
    _Atomic uint64_t *words = (_Atomic uint64_t *)(level + (size_t)group * sync->group_bytes);
    atomic_exchange(&words[index - first], word);
    tsr_fence_exchanged();
    word = join_group(words, members_n, word);
    if (!word) return false;
    n = groups_of(n, sync->shift);
    level += (size_t)n * sync->group_bytes;
    index = group;
  }
  atomic_exchange(&sequence->top[0], word);
  tsr_fence_exchanged();
  return true;
}

/* The word that a member had in this round; 0: it has been overwritten. */
static uint64_t word_of_round(const struct tsr_sync *sync, int32_t local, uint64_t round) {
  uint64_t word = load_word(word_at(sync, &sync->sequences[TSR_SYNC_CALLS], local, round));
  if (round_of(word) != round) word = load_word(&cell_of(sync, local, round)->arrival);
  return round_of(word) == round ? word : 0;
}

/* The digest of a member that fails the round is not compared. */
static void compare_call(const tsr_team *team, int32_t local, uint64_t own) {
  uint64_t theirs = word_of_round(team->sync, local, round_of(own));
  if (theirs && theirs != own && !(theirs & FAILED))
    end_for(team, local, tsr_call_name(kind_of(own)), tsr_call_name(kind_of(theirs)));
}

/* All have arrived, and none fails the round. */
static __attribute__((noinline, cold)) void compare_calls(const tsr_team *team, uint64_t own) {
  for (int32_t i = 0; i < team->locals_n; i++) compare_call(team, i, own);
}

enum arrival {
  WAITS,  /* for all */
  LEAVES, /* waits for one member or for none */
  FAILS
};

static char arrivals, services; /* objects of tsr_order_release and tsr_order_acquire, in this process */
void tsr_sync_serve(void) { tsr_order_acquire(&arrivals); }
void tsr_sync_served(void) { tsr_order_release(&services); }

/* Begins a round. True: this member was the last to arrive, and has woken all waiters. It publishes its word before it
 * reads the words of others and the number of waiters (partner: the count in base/wait, before the last poll there). */
static inline __attribute__((always_inline)) bool arrive_in_round(tsr_team *team, enum arrival how, bool *differs) {
  struct tsr_sync *sync = team->sync;
  bool flat = is_flat(sync->locals_n), all;
  *differs = false;
  tsr_order_release(&arrivals);
  make_room(team);
  uint64_t round = ++sync->sequences[TSR_SYNC_CALLS].round, word = round << ROUND_SHIFT | team->call_digest;
  if (how == FAILS) word |= FAILED;
  bool in_cell = sync->shows || how != WAITS;
  sync->shows = false;
  if (sync->locals_n == 1) {
    sync->complete_round = round;
    return true;
  }
  if (in_cell && flat) atomic_exchange(&joint_cell(sync, sync->self, round)->arrival, word);
  else if (in_cell) atomic_store_explicit(&own_cell(sync, sync->self, round)->arrival, word, memory_order_release);
  if (flat && (!in_cell || how == FAILS)) atomic_exchange(&sync->area->calls[sync->self], word);
  tsr_fence_exchanged();
  if (flat) {
    all = all_arrived(sync, word, differs);
  } else {
    all = arrive_in_tree(sync, &sync->sequences[TSR_SYNC_CALLS], word);
    if (all && how == WAITS) *differs = load_word(&sync->area->calls[0]) != word;
  }
  if (all) wake_others(team);
  return all;
}

static uint64_t own_word(const tsr_team *team) {
  return team->sync->sequences[TSR_SYNC_CALLS].round << ROUND_SHIFT | team->call_digest;
}

/* All have arrived in the last round. `differs`: a word of it may differ. False: a member has failed it. */
static inline bool end_barrier(tsr_team *team, bool differs) {
  struct tsr_sync *sync = team->sync;
  uint64_t round = sync->complete_round = sync->sequences[TSR_SYNC_CALLS].round;
  tsr_order_acquire(&services);
  if (atomic_load_explicit(&sync->area->failed[round & sync->copies_mask], memory_order_relaxed) == round) return false;
  if (__builtin_expect(differs, 0)) compare_calls(team, own_word(team));
  return true;
}

bool tsr_sync_barrier(tsr_team *team) {
  bool differs, carries = team->sync->shows;
  if (!arrive_in_round(team, WAITS, &differs)) differs = await_slow(team, own_word(team), ALL, carries);
  return end_barrier(team, differs);
}

void tsr_sync_enter(tsr_team *team) {
  bool differs;
  arrive_in_round(team, WAITS, &differs);
}

bool tsr_sync_leave(tsr_team *team) {
  bool differs = false;
  struct awaited awaited = {team->sync, own_word(team), ALL, &differs};
  if (!have_arrived(&awaited)) differs = await_slow(team, awaited.own, ALL, true);
  return end_barrier(team, differs);
}

bool tsr_sync_wait_root(tsr_team *team, int32_t local) {
  struct tsr_sync *sync = team->sync;
  bool differs;
  arrive_in_round(team, LEAVES, &differs);
  uint64_t own = own_word(team);
  if (__builtin_expect(differs, 0)) compare_calls(team, own); /* the last to arrive: see compare_and_leave */
  if (local == sync->self) return true;
  await_members(team, own, local);
  tsr_order_acquire(&services);
  uint64_t word = load_word(&cell_of(sync, local, round_of(own))->arrival);
  if (__builtin_expect(word == own, 1)) return true;
  if (round_of(word) == round_of(own) && word & FAILED) return false;
  if (all_arrived(sync, own, &differs)) compare_calls(team, own);
  else compare_call(team, local, own);
  return true;
}

/* A member that does not wait compares its call, too, since perhaps no other member does. With up to four members the last to
 * arrive compares all words. With more, that would cost it a cache miss for each member, so each compares with the first that has
 * left the round. */
_Static_assert(TSR_NODE_UNITS_MAX <= UINT16_MAX, "a word has room for a member");
static inline void compare_and_leave(const tsr_team *team, bool differs) {
  struct tsr_sync *sync = team->sync;
  const uint64_t own = own_word(team), round = round_of(own);
  if (is_flat(sync->locals_n)) {
    if (__builtin_expect(differs, 0)) compare_calls(team, own);
    return;
  }
  _Atomic uint64_t *first = &sync->area->left[round & sync->copies_mask];
  uint64_t seen = load_word(first);
  while (round_of(seen) < round) {
    if (atomic_compare_exchange_weak(first, &seen, round << ROUND_SHIFT | (uint64_t)sync->self)) return;
  }
  compare_call(team, (int32_t)(seen & UINT16_MAX), own);
}

void tsr_sync_signal(tsr_team *team) {
  bool differs;
  if (!arrive_in_round(team, LEAVES, &differs)) wake_others(team);
  compare_and_leave(team, differs);
}

void tsr_sync_arrive(tsr_team *team) {
  bool differs;
  arrive_in_round(team, LEAVES, &differs);
  compare_and_leave(team, differs);
}

/* Wakes the members that wait for this one, as a signal does. */
void tsr_sync_fail(tsr_team *team) {
  struct tsr_sync *sync = team->sync;
  make_room(team);
  uint64_t round = sync->sequences[TSR_SYNC_CALLS].round + 1;
  atomic_store_explicit(&sync->area->failed[round & sync->copies_mask], round, memory_order_relaxed); /* published by
                                                                                                       * the arrival */
  bool differs;
  if (!arrive_in_round(team, FAILS, &differs)) wake_others(team);
}

uint64_t tsr_sync_next(const tsr_team *team) { return team->sync->sequences[TSR_SYNC_CALLS].round + 1; }

/* A bounce buffer has two copies only, so all members must have arrived in the round before: then all have read the
 * copy before it. */
static __attribute__((noinline)) void *large_part(tsr_team *team, size_t bytes) {
  struct tsr_sync *sync = team->sync;
  if (bytes > sync->cell_bytes - PART_OFF) {
    if (sync->complete_round < sync->sequences[TSR_SYNC_CALLS].round) await_round(team, sync->sequences[TSR_SYNC_CALLS].round);
    if (atomic_load_explicit(&sync->bounces[sync->self], memory_order_relaxed) == 0) make_bounce(team);
  }
  return part_at(team, sync->self, sync->sequences[TSR_SYNC_CALLS].round + 1, bytes);
}

void *tsr_sync_mine(tsr_team *team, size_t bytes) {
  struct tsr_sync *sync = team->sync;
  make_room(team);
  sync->shows = true;
  if (__builtin_expect(bytes > sync->joint_part, 0)) return large_part(team, bytes);
  return (char *)joint_cell(sync, sync->self, sync->sequences[TSR_SYNC_CALLS].round + 1) + sync->joint_off;
}

const void *tsr_sync_theirs(const tsr_team *team, int32_t local, size_t bytes) {
  return part_at(team, local, team->sync->sequences[TSR_SYNC_CALLS].round, bytes);
}

/* ---- started calls and split-phase barriers ---- */

static bool is_complete(const struct tsr_sync *sync, const struct sequence *sequence, uint64_t round) {
  if (!is_flat(sync->locals_n)) return round_of(load_word(&sequence->top[0])) >= round;
  for (int32_t i = 0; i < sync->locals_n; i++) {
    if (round_of(load_word(word_at(sync, sequence, i, round))) < round) return false;
  }
  return true;
}

bool tsr_sync_is_complete(const tsr_team *team, enum tsr_sync_sequence sequence, uint64_t round) {
  if (!is_complete(team->sync, &team->sync->sequences[sequence], round)) return false;
  tsr_order_acquire(&arrivals);
  return true;
}

/* True: the word completes its round. */
static bool arrive_in_sequence(tsr_team *team, struct sequence *sequence, uint64_t word) {
  struct tsr_sync *sync = team->sync;
  tsr_conflict_sync();
  tsr_order_release(&arrivals);
  if (!is_flat(sync->locals_n)) return arrive_in_tree(sync, sequence, word);
  atomic_exchange(word_at(sync, sequence, sync->self, sequence->round), word);
  tsr_fence_exchanged();
  return is_complete(sync, sequence, sequence->round);
}

/* A member that has started further calls has the word of the last one: its call of this round is not compared. */
static void compare_started(const tsr_team *team, uint64_t own, const char *call) {
  const struct tsr_sync *sync = team->sync;
  for (int32_t i = 0; i < sync->locals_n; i++) {
    const uint64_t theirs = load_word(word_at(sync, &sync->sequences[TSR_SYNC_STARTED], i, round_of(own)));
    if (__builtin_expect(round_of(theirs) == round_of(own) && theirs != own, 0)) end_for(team, i, call, "another call");
  }
}

/* Of more than four members the last to arrive compares, if the words that it has combined differ. */
uint64_t tsr_sync_start(tsr_team *team, struct tsr_started_call call) {
  struct tsr_sync *sync = team->sync;
  struct sequence *sequence = &sync->sequences[TSR_SYNC_STARTED];
  const uint64_t word = ++sequence->round << ROUND_SHIFT | call.digest % MIXED;
  const bool all = arrive_in_sequence(team, sequence, word);
  if (is_flat(sync->locals_n) || (all && load_word(&sequence->top[0]) != word)) compare_started(team, word, call.name);
  if (all && call.is_awaited) ring_others(team);
  return sequence->round;
}

uint64_t tsr_sync_split(tsr_team *team) {
  struct sequence *sequence = &team->sync->sequences[TSR_SYNC_SPLIT];
  if (arrive_in_sequence(team, sequence, ++sequence->round << ROUND_SHIFT)) wake_others(team);
  return sequence->round;
}

/* A release of a call also releases the calls before it, so calls may complete out of order. */
void tsr_sync_release(tsr_team *team, uint64_t round) {
  _Atomic uint64_t *released = &team->sync->area->released;
  tsr_order_release(&arrivals);
  uint64_t seen = 0;
  while (seen < round && !atomic_compare_exchange_weak(released, &seen, round)) continue;
  atomic_thread_fence(memory_order_seq_cst);
  ring_others(team);
}

bool tsr_sync_is_released(const tsr_team *team, uint64_t round) {
  if (load_word(&team->sync->area->released) < round) return false;
  tsr_order_acquire(&arrivals);
  return true;
}

struct open_round {
  const tsr_team *team;
  uint64_t round;
};

static bool split_is_complete(const void *arg) {
  const struct open_round *open = arg;
  return tsr_sync_is_complete(open->team, TSR_SYNC_SPLIT, open->round);
}

void tsr_sync_await(tsr_team *team, uint64_t round) {
  struct open_round open = {team, round};
  struct tsr_wait_why why = {TSR_WAIT_SPLIT, team->id, (int64_t)round};
  if (!split_is_complete(&open)) tsr_wait_slow(split_is_complete, &open, why, &team->sync->area->eventcount);
}

/* Each member has two names: it reads the names of a barrier before it arrives in the next one, and overwrites its own
 * for the one after that. */
int64_t *tsr_sync_name(const tsr_team *team, int32_t local, uint64_t round) {
  const struct tsr_sync *sync = team->sync;
  if (is_flat(sync->locals_n)) return (int64_t *)(word_at(sync, &sync->sequences[TSR_SYNC_SPLIT], local, round) + 1);
  return sync->names + (size_t)local * 2 + (round & 1);
}
