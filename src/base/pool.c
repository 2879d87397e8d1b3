#include "base/pool.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/poison.h"

enum { CHUNK_SLOTS = 64 /* in the first chunk */, GENERATION_MASK = INT32_MAX };

/* What stands before each object. A find reads the mark alone. */
struct slot {
  _Alignas(max_align_t) _Atomic uint32_t mark; /* the object's generation << 1, + 1 while it is taken */
  uint32_t next_free;                          /* index + 1, 0: the last; of free slots */
};

static uint32_t mark_of(uint32_t generation, bool taken) { return generation << 1 | taken; }
static uint32_t generation_in(const struct slot *slot) {
  return atomic_load_explicit(&slot->mark, memory_order_relaxed) >> 1;
}

static void *object_in(struct slot *slot) { return slot + 1; }

/* Chunk k starts with slot 64 * (2^k - 1). */
static struct slot *slot_at(const tsr_pool *pool, uint32_t index) {
  unsigned k = tsr_log2_floor(index / CHUNK_SLOTS + 1);
  size_t within = index - CHUNK_SLOTS * ((UINT64_C(1) << k) - 1);
  return (struct slot *)(void *)(pool->chunk[k] + within * pool->slot_bytes);
}

void tsr_pool_init(tsr_pool *pool, size_t object_bytes) {
  static _Atomic uint32_t pools_n;
  uint32_t before_n = atomic_fetch_add_explicit(&pools_n, 1, memory_order_relaxed);
  *pool = (tsr_pool){
    .object_bytes = object_bytes,
    .slot_bytes = sizeof(struct slot) + tsr_round_up(object_bytes, _Alignof(max_align_t)),
    /* Generations start far from those of earlier pools, so that handles of those are stale here: multiples of the golden ratio. */
    .generation = (before_n * UINT32_C(0x9e3779b9)) & GENERATION_MASK,
  };
}

/* No slot is free. */
static bool grow_pool(tsr_pool *pool) {
  if (pool->chunks_n == TSR_POOL_CHUNKS_MAX) return false;
  uint32_t n = (uint32_t)CHUNK_SLOTS << pool->chunks_n, first = pool->slots_n, end = first + n;
  char *chunk = calloc(n, pool->slot_bytes);
  if (!chunk) return false;
  pool->chunk[pool->chunks_n++] = chunk;
  for (uint32_t index = first; index < end; index++) {
    struct slot *slot = slot_at(pool, index);
    *slot = (struct slot){mark_of(pool->generation, false), index + 1 < end ? index + 2 : 0};
    tsr_poison(object_in(slot), pool->object_bytes);
  }
  atomic_store_explicit(&pool->slots_n, end, memory_order_release); /* partner: the load in find_taken() */
  pool->free_first = first + 1;
  return true;
}

void *tsr_pool_take(tsr_pool *pool, uint64_t *handle) {
  if (!pool->free_first && !grow_pool(pool)) return NULL;
  uint32_t number = pool->free_first;
  struct slot *slot = slot_at(pool, number - 1);
  pool->free_first = slot->next_free;
  uint32_t generation = generation_in(slot);
  tsr_unpoison(object_in(slot), pool->object_bytes);
  atomic_store_explicit(&slot->mark, mark_of(generation, true), memory_order_relaxed);
  *handle = (uint64_t)generation << 32 | number;
  return object_in(slot);
}

/* NULL: stale, or none of ours. */
static struct slot *find_taken(const tsr_pool *pool, uint64_t handle) {
  uint32_t index = (uint32_t)handle - 1; /* of 0: the largest, which no pool has */
  if (index >= atomic_load_explicit(&pool->slots_n, memory_order_acquire)) return NULL;
  struct slot *slot = slot_at(pool, index);
  uint64_t wanted = (handle >> 32) << 1 | 1; /* wider than any mark when the handle has a bit too many */
  return atomic_load_explicit(&slot->mark, memory_order_relaxed) == wanted ? slot : NULL;
}

void *tsr_pool_find(const tsr_pool *pool, uint64_t handle) {
  struct slot *slot = find_taken(pool, handle);
  return slot ? object_in(slot) : NULL;
}

void tsr_pool_give(tsr_pool *pool, uint64_t handle) {
  struct slot *slot = find_taken(pool, handle);
  assert(slot && "a live handle of this pool");
  uint32_t next = (generation_in(slot) + 1) & GENERATION_MASK;
  atomic_store_explicit(&slot->mark, mark_of(next, false), memory_order_relaxed);
  slot->next_free = pool->free_first;
  pool->free_first = (uint32_t)handle;
  tsr_poison(object_in(slot), pool->object_bytes);
}

void tsr_pool_each(tsr_pool *pool, void (*visit)(void *object)) {
  for (uint32_t index = 0; index < pool->slots_n; index++) {
    struct slot *slot = slot_at(pool, index);
    if (slot->mark & 1) visit(object_in(slot));
  }
}

void tsr_pool_finish(tsr_pool *pool) {
  for (int k = 0; k < pool->chunks_n; k++) free(pool->chunk[k]);
  *pool = (tsr_pool){0};
}
