/* Objects of one size behind handles: an object stays where it is, and its handle is stale once it was given back.
 *
 * Nothing here is locked: the caller orders all calls on one pool. Only tsr_pool_find may be called by any thread at the same
 * time as a take or a give. */
#ifndef TSR_BASE_POOL_H
#define TSR_BASE_POOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { TSR_POOL_CHUNKS_MAX = 25 };

/* Opaque. All zeros: a pool in which nothing is found. */
typedef struct tsr_pool {
  size_t slot_bytes, object_bytes;
  _Atomic uint32_t slots_n; /* in all chunks */
  uint32_t free_first;      /* index + 1 of the free slot that is taken next; 0: none */
  uint32_t generation;      /* of slots that were never taken */
  int chunks_n;
  char *chunk[TSR_POOL_CHUNKS_MAX]; /* chunk k holds 64 << k slots */
} tsr_pool;

/* Makes an empty pool; allocates nothing. */
void tsr_pool_init(tsr_pool *pool, size_t object_bytes);

/* Takes an object, aligned for any type; what it holds is undefined. Stores its handle: index + 1 in the low 32 bits, generation in
 * the 31 above, so never 0 and never negative as an int64_t. NULL: no private memory (not logged). */
void *tsr_pool_take(tsr_pool *pool, uint64_t *handle);

/* The object of a handle; NULL: the handle is stale, or a number that never came from this pool. A stale handle may be mistaken
 * for a live one after 2^31 uses of its slot. Any thread, no lock. */
void *tsr_pool_find(const tsr_pool *pool, uint64_t handle);

/* Gives the object of a live handle back; it is the next to be taken. */
void tsr_pool_give(tsr_pool *pool, uint64_t handle);

/* Calls visit(object) for each object that is taken, in the order of their numbers. `visit` may give that object
 * back. */
void tsr_pool_each(tsr_pool *pool, void (*visit)(void *object));

/* Frees everything, objects still taken included. The pool is all zeros again. */
void tsr_pool_finish(tsr_pool *pool);

#endif
