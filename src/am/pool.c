#include "am/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/config.h"
#include "base/poison.h"
#include "base/status.h"
#include "core/place.h"
#include "core/retry.h"
#include "core/runtime.h"

/* A pool is an array of pages, divided into runs of pages. A run is a block in use, or free. The word `in_use` of its first
 * page tells which; other processes clear it. A search joins adjacent free runs. The lock is for the threads of this process. */
enum { PAGE_BYTES = 1024, POOL_BYTES_MIN = 256 << 10 };
#define NOWHERE UINT32_MAX

static struct pool {
  pthread_mutex_t lock;
  uint64_t off;     /* in the own heap */
  uint32_t *run;    /* by page: the length of the run that begins there; NULL: the pool is not allocated yet */
  uint32_t pages_n;
  uint32_t cursor;  /* the run behind the block that was taken last; a search starts here */
} pools[TSR_AM_POOLS_N] = {
    {.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER},
    {.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};

static bool lock_pool(struct pool *pool) {
  bool guarded = !tsr_alone();
  if (guarded) pthread_mutex_lock(&pool->lock);
  return guarded;
}
static void unlock_pool(struct pool *pool, bool guarded) {
  if (guarded) pthread_mutex_unlock(&pool->lock);
}

/* A pool takes at most an eighth of the heap. The smallest pool still has room for the longest medium message. */
static size_t whole_bytes(enum tsr_am_pool which) {
  const bool for_replies = which == TSR_AM_POOL_REPLIES || which == TSR_AM_POOL_IN_REPLIES;
  size_t wanted = for_replies ? tsr_config.am_pool / 4 : tsr_config.am_pool;
  if (wanted < POOL_BYTES_MIN) wanted = POOL_BYTES_MIN;
  return tsr_round_down(tsr_min_size(wanted, tsr_heap_slice_bytes() / 8), PAGE_BYTES);
}

size_t tsr_am_pool_bytes(enum tsr_am_pool which) { return whole_bytes(which) - sizeof(struct tsr_am_block); }

static struct tsr_am_block *block_at(const struct pool *pool, uint32_t page) {
  return tsr_heap_at(tsr_heap.self, pool->off + (uint64_t)page * PAGE_BYTES);
}

/* Partner: the release in tsr_am_block_give. */
static bool is_free(const struct pool *pool, uint32_t page) {
  return !atomic_load_explicit(&block_at(pool, page)->in_use, memory_order_acquire);
}

/* Called with the lock held. */
static tessera_status_t make_pool(struct pool *pool, size_t bytes) {
  uint32_t pages_n = (uint32_t)(bytes / PAGE_BYTES);
  uint32_t *run = malloc(pages_n * sizeof *run);
  if (!run)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0500 no private memory for the page table of the pool of active "
                    "messages; " TSR_REMEDY_MEMORY);
  tessera_status_t status = tsr_heap_alloc(bytes, TSR_HEAP_INTERNAL, &pool->off);
  if (status) {
    free(run);
    return status;
  }
  pool->run = run;
  pool->pages_n = run[0] = pages_n;
  pool->cursor = 0;
  atomic_init(&block_at(pool, 0)->in_use, 0);
  return TESSERA_OK;
}

/* Joins free runs from this page on, up to `most` pages. Returns the length of the run; 0: it is in use. */
static uint32_t join_runs(struct pool *pool, uint32_t page, uint32_t most) {
  if (!is_free(pool, page)) return 0;
  uint32_t *run = pool->run;
  while (run[page] < most) {
    uint32_t end = page + run[page];
    if (end == pool->pages_n || !is_free(pool, end)) break;
    if (pool->cursor == end) pool->cursor = page;
    run[page] += run[end];
  }
  return run[page];
}

/* Prefers the first block, which is in the caches if the target keeps up; otherwise searches from the cursor, where the
 * oldest blocks are. */
static uint32_t find_block(struct pool *pool, uint32_t least, uint32_t most) {
  if (join_runs(pool, 0, most) >= least) return 0;
  uint32_t page = pool->cursor;
  for (uint32_t seen_n = 0; seen_n < pool->pages_n; seen_n += pool->run[page], page += pool->run[page]) {
    if (page == pool->pages_n) page = 0;
    if (join_runs(pool, page, most) >= least) return page;
  }
  return NOWHERE;
}

static void reserve_block(struct pool *pool, uint32_t page, uint32_t most) {
  uint32_t *run = pool->run, end = page + most;
  if (run[page] > most) {
    run[end] = run[page] - most;
    run[page] = most;
    atomic_store_explicit(&block_at(pool, end)->in_use, 0, memory_order_relaxed);
  }
  end = page + run[page];
  pool->cursor = end == pool->pages_n ? 0 : end;
  atomic_store_explicit(&block_at(pool, page)->in_use, 1, memory_order_relaxed);
}

static uint32_t pages_for(size_t bytes) {
  return (uint32_t)((bytes + sizeof(struct tsr_am_block) + PAGE_BYTES - 1) / PAGE_BYTES);
}

struct allocation {
  enum tsr_am_pool which;
  size_t least, most; /* bytes wanted; take_block stores the bytes of the block in `most` */
  struct tsr_am_block *block;
  uint32_t given_before; /* blocks_given before the last search */
};

static tessera_status_t take_block(void *arg) {
  struct allocation *allocation = arg;
  struct pool *pool = &pools[allocation->which];
  tessera_status_t status = TESSERA_OK;
  bool guarded = lock_pool(pool);
  if (!pool->run) status = make_pool(pool, whole_bytes(allocation->which));
  uint32_t pages_n = pages_for(allocation->most), page = status ? NOWHERE : find_block(pool, pages_for(allocation->least), pages_n);
  if (page != NOWHERE) {
    tsr_order_acquire(tsr_heap.base); /* one object for all blocks, since they are split and joined */
    reserve_block(pool, page, pages_n);
    allocation->block = block_at(pool, page);
    allocation->most = tsr_min_size(allocation->most, (size_t)pool->run[page] * PAGE_BYTES - sizeof(struct tsr_am_block));
  } else if (!status) {
    status = TESSERA_ERR_AGAIN;
  }
  unlock_pool(pool, guarded);
  return status;
}

static uint32_t count_given(void) {
  return atomic_load_explicit(&tsr_heap_unit(tsr_heap.self)->blocks_given, memory_order_acquire);
}

/* A waiting thread polls one counter instead of all blocks. A block that the search finds in use raises the counter when it
 * is given back. */
static tessera_status_t try_again(void *arg) {
  struct allocation *allocation = arg;
  allocation->given_before = count_given();
  return take_block(allocation);
}

static bool was_given(const void *arg) { return count_given() != ((const struct allocation *)arg)->given_before; }

tessera_status_t tsr_am_pool_take(enum tsr_am_pool which, size_t least, size_t *bytes, struct tsr_am_block **block, tsr_unit to,
                                  bool waits) {
  struct allocation allocation = {which, least, tsr_min_size(*bytes, tsr_am_pool_bytes(which)), NULL, 0};
  tessera_status_t status = take_block(&allocation);
  if (status == TESSERA_ERR_AGAIN && waits) status = try_again(&allocation);
  if (status == TESSERA_ERR_AGAIN && waits)
    status = tsr_retry(&(struct tsr_retry){try_again, was_given, &allocation, {TSR_WAIT_AM_BLOCK, to.id, (int64_t)least}});
  if (status) return status;
  *block = allocation.block;
  *bytes = allocation.most;
  return TESSERA_OK;
}

/* Wakes the owner, which may wait for room. The waiter may also be another thread of this process. */
void tsr_am_block_give(struct tsr_am_block *block) {
  uint32_t local = 0;
  uint64_t off;
  tsr_heap_contains(block, &local, &off);
  struct tsr_node_unit *owner = tsr_heap_unit(local);
  atomic_store_explicit(&block->in_use, 0, memory_order_release); /* partner: the load in is_free() */
  atomic_fetch_add(&owner->blocks_given, 1);                      /* partner: the load in count_given() */
  tsr_bell_ring_fenced(&owner->bell);
}

int tsr_am_pool_taken(void) {
  int n = 0;
  for (struct pool *pool = pools; pool < pools + TSR_AM_POOLS_N; pool++) {
    bool guarded = lock_pool(pool);
    for (uint32_t page = 0; pool->run && page < pool->pages_n; page += pool->run[page]) n += !is_free(pool, page);
    unlock_pool(pool, guarded);
  }
  return n;
}

void tsr_am_pool_stop(void) {
  for (int i = 0; i < TSR_AM_POOLS_N; i++) {
    struct pool *pool = &pools[i];
    if (!pool->run) continue;
    tsr_heap_free(pool->off, TSR_HEAP_INTERNAL);
    free(pool->run);
    pool->run = NULL;
  }
}
