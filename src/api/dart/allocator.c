/* Allocators. Each is a segment of a team; each unit allocates blocks from its own part of it. */
#include <dash/dart/if/dart_globmem.h>

#include <inttypes.h>
#include <pthread.h>

#include "base/bits.h"
#include "base/pool.h"
#include "api/dart/dart_api.h"
#include "api/dart/type.h"
#include "node/buddy.h"

enum { BLOCK_LOG2 = 4 /* 16 bytes: the widest element */, BLOCK_BYTES = 1 << BLOCK_LOG2 };

struct allocator {
  struct allocator *next;
  uint64_t handle;
  dart_gptr_t base;     /* this unit's part of the segment */
  size_t bytes;         /* size of the part, as requested */
  uint64_t usable;      /* the same, rounded up to whole blocks */
  tsr_buddy *buddy;     /* covers the next power of two; the tail beyond `usable` is never free */
  tsr_segment *segment;
};

/* Handles come from a pool, which recognises those of destroyed allocators. */
static struct {
  pthread_mutex_t lock;
  tsr_pool pool;
  struct allocator *first; /* list of live allocators */
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Called with the lock held. NULL: not live. An allocator ends with its team. */
static struct allocator *find_allocator(dart_allocator_t handle) {
  struct allocator *found = tsr_pool_find(&own.pool, (uint64_t)(uintptr_t)handle);
  return found && found->segment && tsr_dart_segment(found->base) == found->segment ? found : NULL;
}

static dart_ret_t report_allocator(const char *call, dart_allocator_t handle) {
  if (!tsr_dart_up) return tsr_dart_no_team(call, DART_TEAM_ALL);
  return tsr_dart_invalid("TSR-2000 %s: allocator %p is not live; it or its team was destroyed, or dart_allocator_new did not "
                          "create it", call, (void *)handle);
}

/* NULL: no private memory. */
static tsr_buddy *new_buddy(uint64_t usable) {
  unsigned range_log2 = usable > BLOCK_BYTES ? tsr_log2_ceil(usable) : BLOCK_LOG2;
  uint64_t range = (uint64_t)1 << range_log2;
  tsr_buddy *buddy = tsr_buddy_create(range_log2, BLOCK_LOG2);
  /* Takes the range beyond `usable` out of the buddy allocator, in aligned blocks of growing size. */
  for (uint64_t from = usable, block; buddy && from < range; from += block) {
    block = from ? from & -from : range;
    if (tsr_buddy_take_at(buddy, from, block)) continue;
    tsr_buddy_destroy(buddy);
    return NULL;
  }
  return buddy;
}

/* NULL: no private memory. */
static struct allocator *new_record(void) {
  uint64_t handle = 0;
  pthread_mutex_lock(&own.lock);
  if (!own.pool.slot_bytes) tsr_pool_init(&own.pool, sizeof(struct allocator));
  struct allocator *made = tsr_pool_take(&own.pool, &handle);
  if (made) {
    *made = (struct allocator){.next = own.first, .handle = handle};
    own.first = made;
  }
  pthread_mutex_unlock(&own.lock);
  return made;
}

/* Called with the lock held. */
static void drop_record(struct allocator *old) {
  struct allocator **link = &own.first;
  while (*link != old) link = &(*link)->next;
  *link = old->next;
  tsr_buddy_destroy(old->buddy);
  tsr_pool_give(&own.pool, old->handle);
}

/* The local half of dart_allocator_new: a record and the free blocks of this unit's part. */
static dart_ret_t prepare_allocator(size_t pool, struct allocator **out) {
  if (pool > PTRDIFF_MAX / 2)
    return tsr_dart_invalid("TSR-2001 dart_allocator_new: pool_size %zu exceeds the address space; correct it", pool);
  struct allocator *made = new_record();
  if (!made)
    return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2002 dart_allocator_new: no private memory for one more "
                                             "allocator; " TSR_REMEDY_MEMORY);
  made->bytes = pool;
  made->usable = tsr_round_up(pool, BLOCK_BYTES);
  made->buddy = new_buddy(made->usable);
  *out = made;
  if (made->buddy) return DART_OK;
  return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2003 dart_allocator_new: no private memory for the blocks of %zu bytes; pass a "
                       "smaller pool, or free memory", pool);
}

/* A unit with wrong arguments still takes part in the collective, so that the other units fail instead of waiting. */
dart_ret_t dart_allocator_new(size_t pool_size, dart_team_t teamid, dart_allocator_t *new_allocator) {
  tsr_team *team = tsr_dart_team(teamid);
  if (!team) return tsr_dart_no_team(__func__, teamid);
  struct allocator *made = NULL;
  tsr_segment *segment = NULL;
  dart_ret_t result = new_allocator ? prepare_allocator(pool_size, &made)
                                    : tsr_dart_invalid("TSR-2004 %s: the pointer to the allocator is NULL; pass one", __func__);
  tessera_status_t status = tsr_segment_alloc(team, result == DART_OK ? made->usable : TSR_SEGMENT_FAILED, &segment);
  pthread_mutex_lock(&own.lock);
  if (!status) {
    segment->api = TSR_API_DART;
    made->segment = segment;
    made->base = (dart_gptr_t){.unitid = team->self, .segid = (int16_t)segment->id, .teamid = teamid};
    *new_allocator = (dart_allocator_t)(uintptr_t)made->handle;
  } else if (made) {
    drop_record(made);
  }
  pthread_mutex_unlock(&own.lock);
  return result != DART_OK ? result : tsr_dart_code(status);
}

dart_ret_t dart_allocator_alloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t *gptr, dart_allocator_t allocator) {
  if (!gptr) return tsr_dart_invalid("TSR-2006 %s: gptr is NULL; pass where to store the pointer", __func__);
  size_t bytes = 0;
  dart_ret_t result = tsr_dart_size(__func__, nelem, dtype, &bytes);
  *gptr = DART_GPTR_NULL;
  if (result != DART_OK) return result;
  pthread_mutex_lock(&own.lock);
  struct allocator *from = find_allocator(allocator);
  uint64_t off = 0;
  if (from && tsr_buddy_take(from->buddy, bytes ? bytes : 1, TSR_BUDDY_LOW, &off)) {
    *gptr = from->base;
    gptr->addr_or_offs.offset = off;
  } else if (from) {
    result = tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2005 %s: no block of %zu bytes is free in a pool of %zu bytes; free some, "
                           "or make the pool larger", __func__, bytes, from->bytes);
  }
  pthread_mutex_unlock(&own.lock);
  return from ? result : report_allocator(__func__, allocator);
}

/* Called with the lock held. */
static dart_ret_t free_block(struct allocator *to, dart_gptr_t gptr) {
  if (gptr.teamid != to->base.teamid || gptr.segid != to->base.segid || gptr.unitid != to->base.unitid)
    return tsr_dart_invalid("TSR-2007 dart_allocator_free: gptr names unit %d, segment %d, team %d, but this unit's part of "
                            "the allocator is unit %d, segment %d, team %d; free on the unit that allocated, with the same "
                            "allocator", gptr.unitid, gptr.segid, gptr.teamid, to->base.unitid, to->base.segid,
                            to->base.teamid);
  uint64_t off = gptr.addr_or_offs.offset;
  if (off < to->usable && tsr_buddy_give(to->buddy, off)) return DART_OK;
  return tsr_dart_invalid("TSR-2008 dart_allocator_free: no allocated block begins at offset %" PRIu64 "; pass a pointer that "
                          "dart_allocator_alloc returned, and free it once", off);
}

dart_ret_t dart_allocator_free(dart_gptr_t *gptr, dart_allocator_t allocator) {
  if (!gptr) return tsr_dart_invalid("TSR-2009 %s: gptr is NULL; pass the pointer to free", __func__);
  dart_ret_t result = DART_OK;
  pthread_mutex_lock(&own.lock);
  struct allocator *to = find_allocator(allocator);
  if (to) result = free_block(to, *gptr);
  pthread_mutex_unlock(&own.lock);
  if (!to) return report_allocator(__func__, allocator);
  if (result == DART_OK) *gptr = DART_GPTR_NULL;
  return result;
}

dart_ret_t dart_allocator_destroy(dart_allocator_t *allocator) {
  if (!allocator) return tsr_dart_invalid("TSR-2010 %s: the pointer to the allocator is NULL; pass one", __func__);
  pthread_mutex_lock(&own.lock);
  struct allocator *old = find_allocator(*allocator);
  tsr_segment *segment = old ? old->segment : NULL;
  if (old) drop_record(old);
  pthread_mutex_unlock(&own.lock);
  if (!segment) return report_allocator(__func__, *allocator);
  *allocator = DART_ALLOCATOR_NULL;
  return tsr_dart_code(tsr_segment_free(segment));
}

void tsr_dart_drop_allocators(void) {
  pthread_mutex_lock(&own.lock);
  while (own.first) drop_record(own.first);
  pthread_mutex_unlock(&own.lock);
}
