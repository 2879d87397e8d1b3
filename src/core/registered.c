#include "core/registered.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/limit.h"
#include "base/space.h"
#include "base/status.h"
#include "core/bootstrap.h"
#include "core/check.h"
#include "core/op.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/segment.h"

enum { TABLE_BYTES = TSR_SEGMENT_IDS * sizeof(tsr_segment), MARKS_BYTES = TSR_SEGMENT_IDS };

/* The state of a member's part of a registration, in its own heap, where the units of its node can read it. */
enum mark { LIVE, ENDED, RELEASED /* all members have ended theirs */ };

/* The registrations of a team. Tables are indexed by number, which is the negated number of the segment. A member ends
 * its part alone. At the next registration the members agree on the numbers that all have ended. */
struct tsr_registrations {
  tsr_segment *table;   /* never moves; address space whose pages become memory when they are used */
  int32_t numbers_n;    /* all numbers in use are smaller; equal on all members */
  int32_t next;         /* where the search for a free number begins; equal on all members */
  int32_t next_ended;   /* where the search for a number that all have ended begins; equal on all members */
  _Atomic int32_t ended_n; /* parts that this unit has ended, but whose numbers are not free yet */
  bool is_shared;       /* members know the addresses of each other's marks */
  uint64_t marks_off;   /* offset of this unit's marks in its heap */
  int64_t *marks_offs;  /* those of all members */
};

enum { NO_MARKS = -1 };

/* Registered ranges outside the heap, each as often as it is registered, in any order. */
struct range {
  uintptr_t from;
  size_t bytes;
};
static struct {
  pthread_mutex_t lock;
  struct range *list;
  size_t n, room;
} ranges = {.lock = PTHREAD_MUTEX_INITIALIZER};

static tessera_status_t add_range(struct range range) {
  bool added = true;
  pthread_mutex_lock(&ranges.lock);
  if (ranges.n == ranges.room) {
    size_t room = 2 * ranges.room + 8;
    struct range *list = realloc(ranges.list, room * sizeof *list);
    added = list != NULL;
    if (added) ranges.list = list;
    if (added) ranges.room = room;
  }
  if (added) ranges.list[ranges.n++] = range;
  pthread_mutex_unlock(&ranges.lock);
  return added ? TESSERA_OK
               : tsr_fail(TESSERA_ERR_MEMORY, "TSR-0360 no private memory for one more registration; " TSR_REMEDY_MEMORY);
}

static void remove_range(struct range range) {
  pthread_mutex_lock(&ranges.lock);
  for (size_t i = 0; i < ranges.n; i++) {
    if (ranges.list[i].from != range.from || ranges.list[i].bytes != range.bytes) continue;
    ranges.list[i] = ranges.list[--ranges.n];
    break;
  }
  if (ranges.n == 0) {
    free(ranges.list);
    ranges.list = NULL;
    ranges.room = 0;
  }
  pthread_mutex_unlock(&ranges.lock);
}

bool tsr_registered_holds(const void *memory, size_t bytes) {
  bool found = false;
  pthread_mutex_lock(&ranges.lock);
  for (size_t i = 0; i < ranges.n && !found; i++) {
    size_t off = (uintptr_t)memory - ranges.list[i].from; /* huge if it is before the range */
    found = off <= ranges.list[i].bytes && bytes <= ranges.list[i].bytes - off;
  }
  pthread_mutex_unlock(&ranges.lock);
  return found;
}

/* Threads may read while another one adds. */
tsr_segment *tsr_segment_registered(const tsr_team *team, int32_t id) {
  if (id >= 0 || id <= -TSR_SEGMENT_IDS) return NULL;
  const struct tsr_registrations *all = __atomic_load_n(&team->registrations, __ATOMIC_ACQUIRE);
  if (!all) return NULL;
  /* partner: tsr_segment_register() */
  return __atomic_load_n(&all->table[-id].team, __ATOMIC_ACQUIRE) ? &all->table[-id] : NULL;
}

static _Atomic uint8_t *marks_at(uint32_t local, uint64_t off) { return tsr_heap_at(local, off); }
static _Atomic uint8_t *own_marks(const struct tsr_registrations *all) { return marks_at(tsr_heap.self, all->marks_off); }

bool tsr_registered_ended(const tsr_segment *segment, tsr_member member) {
  const struct tsr_registrations *all = segment->team->registrations;
  int32_t local = tsr_place_local(tsr_team_unit(segment->team, member));
  if (local < 0) return false;
  const _Atomic uint8_t *marks = marks_at((uint32_t)local, (uint64_t)all->marks_offs[member.id]);
  return atomic_load_explicit(&marks[-segment->id], memory_order_acquire) != LIVE;
}

static void free_registrations(struct tsr_registrations *all) {
  if (all->table) tsr_space_release(all->table, TABLE_BYTES);
  if (all->marks_off != (uint64_t)NO_MARKS) tsr_heap_free(all->marks_off, TSR_HEAP_INTERNAL);
  free(all->marks_offs);
  free(all);
}

static tessera_status_t make_room(tsr_team *team) {
  if (team->registrations) return TESSERA_OK;
  struct tsr_registrations *all = malloc(sizeof *all);
  int64_t *marks_offs = malloc((size_t)team->size * sizeof *marks_offs);
  if (!all || !marks_offs) {
    free(all);
    free(marks_offs);
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0358 no private memory for the registrations of team %d; " TSR_REMEDY_MEMORY,
                    team->id);
  }
  *all = (struct tsr_registrations){
    .numbers_n = 1, .next = 1, .next_ended = 1, .marks_off = (uint64_t)NO_MARKS, .marks_offs = marks_offs,
    .table = tsr_space_reserve(TABLE_BYTES)};
  tessera_status_t status =
    all->table ? tsr_heap_alloc(MARKS_BYTES, TSR_HEAP_INTERNAL, &all->marks_off)
               : tsr_fail(TESSERA_ERR_MEMORY, "TSR-0359 no address space for the registrations of team %d; %s", team->id,
                          tsr_limit_remedy_addresses());
  if (status) free_registrations(all);
  else __atomic_store_n(&team->registrations, all, __ATOMIC_RELEASE);
  return status;
}

/* The next free number, the same on all members; a freed number is used again last. 0: none. */
static int32_t pick_number(const struct tsr_registrations *all) {
  int32_t number = all->next;
  for (int32_t tried = 1; tried < TSR_SEGMENT_IDS; tried++) {
    if (!all->table[number].team) return number;
    number = number < TSR_SEGMENT_IDS - 1 ? number + 1 : 1;
  }
  return 0;
}

/* Memory in the own heap is addressed by its offset there. */
static uint64_t off_of(const void *memory, size_t bytes) {
  uint32_t local;
  uint64_t off;
  bool own = memory && tsr_heap_contains(memory, &local, &off) && local == tsr_heap.self;
  return own && bytes <= tsr_heap_slice_bytes() - off ? off : tsr_addr_outside(TSR_UNIT(tsr_place.self), memory).off;
}

/* The range that other units may address directly: empty for memory in the heap. */
static struct range range_of(uint64_t off, size_t bytes) {
  return (struct range){off & ~TSR_ADDR_OUTSIDE, off & TSR_ADDR_OUTSIDE ? bytes : 0};
}

tessera_status_t tsr_registered_add(const void *memory, size_t bytes, uint64_t *off) {
  tessera_status_t status = tsr_op_track();
  if (status) return status;
  *off = off_of(memory, bytes);
  if (!(*off & TSR_ADDR_OUTSIDE)) return TESSERA_OK;
  status = add_range(range_of(*off, bytes));
  if (!status) tsr_progress_require();
  return status;
}

void tsr_registered_remove(const void *memory, size_t bytes) {
  uint64_t off = off_of(memory, bytes);
  if (off & TSR_ADDR_OUTSIDE) remove_range(range_of(off, bytes));
}

/* The part that each member does alone. On success there is a table and a range. */
static tessera_status_t prepare_registration(tsr_team *team, const void *memory, size_t bytes, tsr_segment *segment) {
  if (bytes == TSR_SEGMENT_FAILED) return TESSERA_ERR_ARG;
  if ((uintptr_t)memory >= TSR_ADDR_OUTSIDE || bytes > TSR_ADDR_OUTSIDE - (uintptr_t)memory)
    return tsr_fail(TESSERA_ERR_RANGE, "TSR-0361 %zu bytes at %p are beyond all memory; correct the size", bytes, memory);
  tessera_status_t status = make_room(team);
  if (!status) status = tsr_op_track();
  if (status) return status;
  segment->table = tsr_segment_table_make(team, true, true);
  if (!segment->table) return TESSERA_ERR_MEMORY;
  status = add_range(range_of(off_of(memory, bytes), bytes));
  if (status) {
    tsr_segment_table_free(segment->table);
    segment->table = NULL;
  }
  return status;
}

/* Ends the registration on this unit, without notifying other units. */
static void drop_registration(tsr_segment *segment) {
  struct tsr_registrations *all = segment->team->registrations;
  tsr_member self = TSR_MEMBER(segment->team->self);
  if (atomic_exchange(&own_marks(all)[-segment->id], RELEASED) == LIVE)
    remove_range(range_of(tsr_segment_off(segment, self), tsr_segment_bytes(segment, self)));
  else
    atomic_fetch_sub(&all->ended_n, 1);
  __atomic_store_n(&segment->team, (tsr_team *)NULL, __ATOMIC_RELEASE);
  tsr_segment_table_free(segment->table);
  segment->table = NULL;
}

/* Distance to the next number that this unit has ended, cyclically among `cycle_n` numbers; cycle_n: there is none. */
static int32_t distance_to_ended(const struct tsr_registrations *all, int32_t cycle_n) {
  if (!all || !atomic_load(&all->ended_n)) return cycle_n;
  const uint8_t *marks = (const uint8_t *)own_marks(all); /* only this unit writes them */
  const uint8_t *from = marks + all->next_ended, *end = marks + all->numbers_n;
  const uint8_t *found = memchr(from, ENDED, (size_t)(end - from));
  if (found) return (int32_t)(found - from);
  found = memchr(marks + 1, ENDED, (size_t)(from - marks - 1));
  return found ? (int32_t)(end - from + (found - marks - 1)) : cycle_n;
}

/* Frees numbers that all members have ended. Each member proposes the next number that it has ended. For each number
 * before the farthest proposal there is a member that has not ended it. Does a few steps only, unless no number is
 * free. True: a member has failed, and nothing was done. */
static bool agree_on_ended(tsr_team *team, tessera_status_t status) {
  enum { STEPS_MAX = 16 };
  struct tsr_registrations *all = team->registrations;
  int32_t cycle_n = all ? all->numbers_n - 1 : 0;
  for (int32_t step = 1, passed = 0;; step++) {
    int32_t own = distance_to_ended(all, cycle_n);
    int64_t v[3] = {status != TESSERA_OK, own, -own};
    tsr_bootstrap_max(team, v, 3);
    if (v[0]) return true;
    if (v[1] == cycle_n) return false; /* a member has ended none */
    int32_t number = 1 + (all->next_ended - 1 + (int32_t)v[1]) % cycle_n;
    bool by_all = v[1] == -v[2];
    if (by_all) drop_registration(&all->table[number]);
    all->next_ended = 1 + (number - 1 + by_all) % cycle_n;
    passed += (int32_t)v[1] + by_all;
    if (passed >= cycle_n || (step >= STEPS_MAX && pick_number(all))) return false;
  }
}

tessera_status_t tsr_segment_register(tsr_team *team, void *memory, size_t bytes, tsr_segment **out) {
  tsr_segment segment = {0};
  if (!tsr_check_name(team, "registration of memory (as dart_team_memregister)")) return TESSERA_ERR_PEER;
  tessera_status_t status = prepare_registration(team, memory, bytes, &segment);
  uint64_t off = off_of(memory, bytes);
  bool failed = agree_on_ended(team, status);
  int32_t number = failed ? 0 : pick_number(team->registrations);
  if (!number) {
    if (!status) remove_range(range_of(off, bytes));
    tsr_segment_table_free(segment.table);
    if (failed) return status ? status : TESSERA_ERR_PEER;
    return tsr_fail(TESSERA_ERR_LIMIT, "TSR-0363 all %d numbers of registered memory of team %d are in use; let every member "
                    "end some", TSR_SEGMENT_IDS - 1, team->id);
  }
  struct tsr_registrations *all = team->registrations;
  segment.id = -number;
  atomic_store(&own_marks(all)[number], LIVE);
  tsr_progress_require(); /* other units may send this one requests for the memory, and this one may send them
                           * requests */
  if (!all->is_shared) tsr_bootstrap_gather(team, (int64_t)all->marks_off, all->marks_offs);
  all->is_shared = true;
  tsr_bootstrap_gather(team, (int64_t)off, (int64_t *)segment.table->offs);
  tsr_bootstrap_gather(team, (int64_t)bytes, (int64_t *)segment.table->sizes);
  all->table[number] = segment;
  __atomic_store_n(&all->table[number].team, team, __ATOMIC_RELEASE); /* partner: tsr_segment_registered() */
  if (all->numbers_n <= number) all->numbers_n = number + 1;
  all->next = number < TSR_SEGMENT_IDS - 1 ? number + 1 : 1;
  *out = &all->table[number];
  return TESSERA_OK;
}

tessera_status_t tsr_segment_deregister(tsr_segment *segment) {
  if (segment->id >= 0)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0364 segment %d of team %d was allocated, not registered; free it", segment->id,
                    segment->team->id);
  struct tsr_registrations *all = segment->team->registrations;
  tsr_member self = TSR_MEMBER(segment->team->self);
  struct range range = range_of(tsr_segment_off(segment, self), tsr_segment_bytes(segment, self));
  uint8_t live = LIVE; /* once the part has ended, a registration by another thread may reuse the number */
  if (!atomic_compare_exchange_strong(&own_marks(all)[-segment->id], &live, ENDED))
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0365 this unit has ended its part of registered segment %d of team %d before; end it "
                    "once", segment->id, segment->team->id);
  remove_range(range);
  atomic_fetch_add(&all->ended_n, 1);
  return TESSERA_OK;
}

void tsr_registered_drop_api(tsr_team *team, enum tsr_api api) {
  for (int32_t number = 1; team->registrations && number < team->registrations->numbers_n; number++) {
    tsr_segment *segment = tsr_segment_registered(team, -number);
    if (segment && segment->api == api) drop_registration(segment);
  }
}

void tsr_registered_drop_all(tsr_team *team) {
  if (!team->registrations) return;
  for (int32_t number = 1; number < team->registrations->numbers_n; number++) {
    tsr_segment *segment = tsr_segment_registered(team, -number);
    if (segment) drop_registration(segment);
  }
  free_registrations(team->registrations);
  team->registrations = NULL;
}
