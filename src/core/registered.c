#include "core/registered.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/space.h"
#include "base/status.h"
#include "core/agree.h"
#include "core/check.h"
#include "core/op.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/segment.h"

/* By the negated number; address space that becomes memory as it is used. */
enum { TABLE_BYTES = TSR_SEGMENT_IDS * sizeof(tsr_segment) };

/* Ranges outside the heap, each as often as it is registered, in no order. */
struct range {
  uintptr_t from;
  size_t bytes;
};
static struct {
  pthread_mutex_t lock;
  struct range *list;
  size_t n, room;
} ranges = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool add_range(struct range range) {
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
  return added;
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
    size_t off = (uintptr_t)memory - ranges.list[i].from; /* huge when before it */
    found = off <= ranges.list[i].bytes && bytes <= ranges.list[i].bytes - off;
  }
  pthread_mutex_unlock(&ranges.lock);
  return found;
}

/* Threads may look while one adds. */
tsr_segment *tsr_segment_registered(const tsr_team *team, int32_t id) {
  if (id >= 0 || id <= -TSR_SEGMENT_IDS) return NULL;
  tsr_segment *table = __atomic_load_n(&team->registered, __ATOMIC_ACQUIRE);
  if (!table) return NULL;
  return __atomic_load_n(&table[-id].team, __ATOMIC_ACQUIRE) ? &table[-id] : NULL; /* partner: publish() */
}

static int32_t next_of(int32_t id) { return id > -(TSR_SEGMENT_IDS - 1) ? id - 1 : -1; }

/* The next free number, the same on all members; one that was given back is the last to be used again. 0: none. */
static int32_t pick_id(const tsr_team *team) {
  int32_t id = team->next_registered_id;
  for (int32_t tried = 1; tried < TSR_SEGMENT_IDS; tried++, id = next_of(id)) {
    if (!tsr_segment_registered(team, id)) return id;
  }
  return 0;
}

static tessera_status_t make_room(tsr_team *team) {
  if (team->registered) return TESSERA_OK;
  tsr_segment *table = tsr_space_reserve(TABLE_BYTES);
  if (!table)
    return tsr_fail(TESSERA_ERR_MEMORY, "no address space for the registrations of team %d; raise ulimit -v", team->id);
  __atomic_store_n(&team->registered, table, __ATOMIC_RELEASE);
  return TESSERA_OK;
}

static void free_table(struct tsr_segment_table *table) {
  if (!table) return;
  free(table->offs);
  free(table->sizes);
  free(table);
}

static struct tsr_segment_table *new_table(const tsr_team *team) {
  struct tsr_segment_table *table = calloc(1, sizeof *table);
  if (!table) return NULL;
  table->offs = malloc((size_t)team->size * sizeof *table->offs);
  table->sizes = malloc((size_t)team->size * sizeof *table->sizes);
  if (table->offs && table->sizes) return table;
  free_table(table);
  return NULL;
}

/* Memory that lies in the own heap is reached as such. */
static uint64_t off_of(const void *memory, size_t bytes) {
  uint32_t local;
  uint64_t off;
  bool own = memory && tsr_heap_contains(memory, &local, &off) && local == tsr_heap.self;
  return own && bytes <= tsr_heap_slice_bytes() - off ? off : tsr_addr_outside(TSR_UNIT(tsr_place.self), memory).off;
}

/* What others may ask this unit for by address: nothing of what lies in the heap. */
static struct range range_of(uint64_t off, size_t bytes) {
  return (struct range){off & ~TSR_ADDR_OUTSIDE, off & TSR_ADDR_OUTSIDE ? bytes : 0};
}

tessera_status_t tsr_registered_add(const void *memory, size_t bytes, uint64_t *off) {
  tessera_status_t status = tsr_op_track();
  if (status) return status;
  *off = off_of(memory, bytes);
  if (!(*off & TSR_ADDR_OUTSIDE)) return TESSERA_OK;
  if (!add_range(range_of(*off, bytes))) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for one more registration");
  tsr_progress_attend();
  return TESSERA_OK;
}

void tsr_registered_remove(const void *memory, size_t bytes) {
  uint64_t off = off_of(memory, bytes);
  if (off & TSR_ADDR_OUTSIDE) remove_range(range_of(off, bytes));
}

/* What each member can do alone. On success the segment has a number, a table and a range. */
static tessera_status_t prepare(tsr_team *team, const void *memory, size_t bytes, tsr_segment *segment) {
  if (bytes == TSR_SEGMENT_REFUSED) return TESSERA_ERR_ARG;
  if ((uintptr_t)memory >= TSR_ADDR_OUTSIDE || bytes > TSR_ADDR_OUTSIDE - (uintptr_t)memory)
    return tsr_fail(TESSERA_ERR_RANGE, "%zu bytes at %p are beyond all memory; correct the size", bytes, memory);
  tessera_status_t status = make_room(team);
  if (!status) status = tsr_op_track();
  if (status) return status;
  segment->id = pick_id(team);
  if (!segment->id)
    return tsr_fail(TESSERA_ERR_LIMIT, "all %d numbers of registered memory of team %d are in use; deregister some",
                    TSR_SEGMENT_IDS - 1, team->id);
  segment->table = new_table(team);
  if (segment->table && add_range(range_of(off_of(memory, bytes), bytes))) return TESSERA_OK;
  free_table(segment->table);
  segment->table = NULL;
  return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a table of %d units", team->size);
}

static tsr_segment *publish(tsr_team *team, const tsr_segment *made) {
  tsr_segment *segment = &team->registered[-made->id];
  *segment = *made;
  __atomic_store_n(&segment->team, team, __ATOMIC_RELEASE); /* partner: tsr_segment_registered() */
  if (team->registered_n < 1 - made->id) team->registered_n = 1 - made->id;
  team->next_registered_id = next_of(made->id);
  return segment;
}

tessera_status_t tsr_segment_register(tsr_team *team, void *memory, size_t bytes, tsr_segment **out) {
  tsr_segment segment = {0};
  if (!tsr_check_name(team, "registration of memory (as dart_team_memregister)")) return TESSERA_ERR_PEER;
  tessera_status_t status = prepare(team, memory, bytes, &segment);
  uint64_t off = off_of(memory, bytes);
  int64_t failed = status != TESSERA_OK;
  tsr_agree_max(team, &failed, 1);
  if (failed) {
    if (!status) remove_range(range_of(off, bytes));
    free_table(segment.table);
    return status ? status : TESSERA_ERR_PEER;
  }
  tsr_progress_attend(); /* from now on others may send us requests for it, and we them */
  tsr_agree_gather(team, (int64_t)off, (int64_t *)segment.table->offs);
  tsr_agree_gather(team, (int64_t)bytes, (int64_t *)segment.table->sizes);
  *out = publish(team, &segment);
  return TESSERA_OK;
}

static void drop(tsr_segment *segment) {
  tsr_member self = TSR_MEMBER(segment->team->self);
  remove_range(range_of(tsr_segment_off(segment, self), tsr_segment_bytes(segment, self)));
  __atomic_store_n(&segment->team, (tsr_team *)NULL, __ATOMIC_RELEASE);
  free_table(segment->table);
  segment->table = NULL;
}

tessera_status_t tsr_segment_deregister(tsr_segment *segment) {
  if (segment->id >= 0)
    return tsr_fail(TESSERA_ERR_ARG, "segment %d of team %d was allocated, not registered; free it", segment->id,
                    segment->team->id);
  if (!tsr_check_name(segment->team, "deregistration of memory (as dart_team_memderegister)")) return TESSERA_ERR_PEER;
  tsr_op_flush_all(); /* what this unit has started would not find the memory any more */
  tsr_agree_barrier(segment->team);
  drop(segment);
  return TESSERA_OK;
}

void tsr_registered_drop_face(tsr_team *team, enum tsr_face face) {
  for (int32_t id = -1; id > -team->registered_n; id--) {
    tsr_segment *segment = tsr_segment_registered(team, id);
    if (segment && segment->face == face) drop(segment);
  }
}

void tsr_registered_drop_all(tsr_team *team) {
  if (!team->registered) return;
  for (int32_t id = -1; id > -team->registered_n; id--) {
    tsr_segment *segment = tsr_segment_registered(team, id);
    if (segment) drop(segment);
  }
  tsr_space_release(team->registered, TABLE_BYTES);
  team->registered = NULL;
  team->registered_n = 0;
}
