#include "core/split_barrier.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/poison.h"
#include "base/status.h"
#include "base/wait.h"
#include "core/place.h"

enum { LINE_MEMBERS = 4 };

/* The counts of up to four members, or groups of them: of a group, a meeting that all of it have reached. */
struct line {
  TSR_ALIGNED_LINE _Atomic uint64_t count[LINE_MEMBERS];
};

/* A member's view. The lines lie in the node's memory: those of the members first, then level by level, and at the end one
 * whose first count is of all. */
struct tsr_split_barrier {
  struct line *lines;
  int32_t locals_n, self;
  int32_t top; /* index of the last line */
  uint64_t arrivals_n;
  tsr_word *bells[]; /* doorbell of each local member */
};

static int32_t groups_of(int32_t n) { return (n + LINE_MEMBERS - 1) / LINE_MEMBERS; }

static int32_t lines_n(int32_t locals_n) {
  int32_t total = 1;
  for (int32_t level = locals_n; level > 1; level = groups_of(level)) total += groups_of(level);
  return total;
}

size_t tsr_split_barrier_bytes(int32_t locals_n) { return (size_t)lines_n(locals_n) * sizeof(struct line); }

tessera_status_t tsr_split_barrier_attach(tsr_team *team, void *memory) {
  int32_t n = team->locals_n;
  struct tsr_split_barrier *meet = calloc(1, sizeof *meet + (size_t)n * sizeof meet->bells[0]);
  if (!meet) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a team of %d local members", n);
  meet->lines = memory;
  meet->locals_n = n;
  meet->self = team->self_local;
  meet->top = lines_n(n) - 1;
  for (int32_t i = 0; i < n; i++) {
    int32_t local = tsr_place_local(tsr_team_unit(team, TSR_MEMBER(team->locals[i])));
    meet->bells[i] = &tsr_heap_unit((uint32_t)local)->bell;
  }
  team->meet = meet;
  return TESSERA_OK;
}

void tsr_split_barrier_forget(tsr_team *team) {
  free(team->meet);
  team->meet = NULL;
}

static inline bool have_reached(const struct line *line, int32_t counts_n, uint64_t number) {
  for (int32_t i = 0; i < counts_n; i++) {
    if (atomic_load_explicit(&line->count[i], memory_order_acquire) < number) return false;
  }
  return true;
}

static char arrivals; /* of this process */

static inline bool is_over(const struct tsr_split_barrier *meet, uint64_t number) {
  bool in_line = meet->locals_n <= LINE_MEMBERS;
  return have_reached(&meet->lines[in_line ? 0 : meet->top], in_line ? meet->locals_n : 1, number);
}

bool tsr_split_barrier_is_over(const tsr_team *team, uint64_t number) {
  if (!is_over(team->meet, number)) return false;
  tsr_order_acquire(&arrivals);
  return true;
}

/* A full fence in any case: of all that tell of one meeting in one line, the last sees what the others told. */
static void raise_to(_Atomic uint64_t *count, uint64_t number) {
  uint64_t seen = 0;
  while (!atomic_compare_exchange_strong(count, &seen, number)) {
    if (seen >= number) break;
  }
  atomic_thread_fence(memory_order_seq_cst);
}

/* Tells of a meeting that all of the first line have reached. Whoever is ahead of it in another line tells of a later one only
 * after it has told of this one itself, so that somebody tells of this one when the last has come. True: that is us. */
static bool tell(const struct tsr_split_barrier *meet, uint64_t number) {
  struct line *level = meet->lines;
  int32_t group = meet->self / LINE_MEMBERS;
  for (int32_t n = groups_of(meet->locals_n); n > 1; n = groups_of(n)) {
    level += n;
    struct line *line = &level[group / LINE_MEMBERS];
    int32_t left = n - group / LINE_MEMBERS * LINE_MEMBERS;
    raise_to(&line->count[group % LINE_MEMBERS], number);
    if (!have_reached(line, left < LINE_MEMBERS ? left : LINE_MEMBERS, number)) return false;
    group /= LINE_MEMBERS;
  }
  raise_to(&meet->lines[meet->top].count[0], number);
  return true;
}

static void ring_others(const struct tsr_split_barrier *meet) {
  for (int32_t i = 0; i < meet->locals_n; i++) {
    if (i != meet->self) tsr_bell_ring_fenced(meet->bells[i]);
  }
}

uint64_t tsr_split_barrier_arrive(tsr_team *team) {
  tsr_order_release(&arrivals);
  struct tsr_split_barrier *meet = team->meet;
  uint64_t number = ++meet->arrivals_n;
  struct line *line = &meet->lines[meet->self / LINE_MEMBERS];
  int32_t left = meet->locals_n - meet->self / LINE_MEMBERS * LINE_MEMBERS;
  atomic_exchange(&line->count[meet->self % LINE_MEMBERS], number);
  tsr_fence_exchanged();
  if (!have_reached(line, left < LINE_MEMBERS ? left : LINE_MEMBERS, number)) return number;
  if (meet->locals_n <= LINE_MEMBERS || tell(meet, number)) ring_others(meet);
  return number;
}
