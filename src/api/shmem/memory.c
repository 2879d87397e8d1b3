/* The symmetric heap: segments of the world whose parts begin at one offset of all heaps. */
#include "api/shmem/shmem_api.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/status.h"
#include "base/stats.h"
#include "coll/coll.h"
#include "core/check.h"
#include "core/segment.h"

/* What one block takes in the table of blocks, sorted by address. */
struct block {
  uint64_t off, bytes;
  tsr_segment *segment;
};
static struct {
  struct block *blocks;
  size_t n, room;
  uint64_t limit, used; /* bytes, of SHMEM_SYMMETRIC_SIZE; limit 0: what the node has */
} heap;

/* ---- SHMEM_SYMMETRIC_SIZE ---- */

/* A number, perhaps with a fraction, and a suffix of powers of 1024; what follows is ignored. False: no such text. */
static bool parse_size(const char *text, uint64_t *bytes) {
  static const char suffixes[] = "kmgt";
  char *end;
  double number = strtod(text, &end);
  if (end == text || !(number >= 0) || number > 1e18) return false;
  const char *found = *end ? strchr(suffixes, tolower((unsigned char)*end)) : NULL;
  if (*end && !found && !isspace((unsigned char)*end)) return false;
  double all = found ? ldexp(number, 10 * (int)(found - suffixes + 1)) : number;
  if (all >= 0x1p62) return false;
  *bytes = (uint64_t)ceil(all);
  return true;
}

void tsr_shmem_memory_start(const char *call) {
  struct tsr_shmem_setting size = tsr_shmem_setting(TSR_SHMEM_SYMMETRIC_SIZE);
  heap.limit = heap.used = 0;
  if (size.text && !parse_size(size.text, &heap.limit))
    tsr_shmem_die("TSR-5032 %s: %s is '%.40s'; set a number of bytes, with k, m, g or t behind it for powers of 1024", call, size.name,
                  size.text);
}

void tsr_shmem_memory_stop(void) {
  free(heap.blocks);
  heap.blocks = NULL;
  heap.n = heap.room = 0;
}

/* ---- the table ---- */

/* Index of the first block that begins at `off` or behind it. */
static size_t find_index(uint64_t off) {
  size_t low = 0, high = heap.n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (heap.blocks[middle].off < off) low = middle + 1;
    else high = middle;
  }
  return low;
}

static struct block *find_block(const void *ptr) {
  uint64_t off = (uint64_t)((const char *)ptr - (const char *)tsr_heap_at(tsr_heap.self, 0));
  size_t i = find_index(off);
  return i < heap.n && heap.blocks[i].off == off ? &heap.blocks[i] : NULL;
}

static bool add_block(const struct block *block) {
  if (heap.n == heap.room) {
    size_t room = heap.room ? 2 * heap.room : 64;
    struct block *grown = realloc(heap.blocks, room * sizeof *grown);
    if (!grown) return false;
    heap.blocks = grown;
    heap.room = room;
  }
  size_t i = find_index(block->off);
  memmove(&heap.blocks[i + 1], &heap.blocks[i], (heap.n - i) * sizeof *block);
  heap.blocks[i] = *block;
  heap.n++;
  return true;
}

static void remove_block(const struct block *block) {
  size_t i = (size_t)(block - heap.blocks);
  heap.n--;
  memmove(&heap.blocks[i], &heap.blocks[i + 1], (heap.n - i) * sizeof *block);
}

/* ---- allocation ---- */

static void explain_lack(size_t bytes, const char *call) {
  tsr_fail(TESSERA_ERR_MEMORY, "TSR-5033 %s: no room for %zu bytes in the symmetric heap: %llu of %llu bytes are in use; free some, or "
           "raise SHMEM_SYMMETRIC_SIZE", call, bytes, (unsigned long long)heap.used, (unsigned long long)heap.limit);
}

/* Whatever fails on one PE fails on all. Blocks are as large as a multiple of the alignment, so that the allocator aligns them. */
static void *allocate_block(size_t alignment, size_t bytes, const char *call) {
  const uint64_t begun_ns = tsr_stats_begin();
  tsr_segment *segment = NULL;
  tsr_shmem_must_be_up(call);
  if (!tsr_check_same(tsr_team_world, call, bytes, -1, alignment) || !bytes) return NULL;
  if (heap.limit && (bytes > heap.limit || heap.used > heap.limit - bytes)) {
    if (tsr_place.self == 0) explain_lack(bytes, call);
    return NULL;
  }
  if (bytes > PTRDIFF_MAX - alignment) return NULL;
  if (tsr_segment_alloc(tsr_team_world, bytes < alignment ? alignment : bytes, &segment)) return NULL;
  segment->api = TSR_API_SHMEM;
  struct block block = {segment->off, bytes, segment};
  if (segment->table && segment->table->sizes)
    tsr_shmem_die("TSR-5053 %s: this PE asks for %zu bytes and others for other sizes; pass the same size on all PEs", call, bytes);
  if (segment->table) { /* the PEs have different blocks at the bottoms of their heaps, of teams of another interface */
    tsr_fail(TESSERA_ERR_MEMORY, "TSR-5034 %s: no %zu bytes are free at one offset of all heaps; enlarge TESSERA_HEAP_SIZE", call,
             bytes);
    tsr_segment_free(segment);
    return NULL;
  }
  if (!add_block(&block)) tsr_shmem_die("TSR-5035 %s: no private memory for a list of %zu blocks", call, heap.n);
  heap.used += bytes;
  tsr_stats_end(TSR_STAT_ALLOC, begun_ns, bytes, 0);
  return tsr_heap_at(tsr_heap.self, segment->off);
}

static void release_block(void *ptr, const char *call) {
  const uint64_t begun_ns = tsr_stats_begin();
  tsr_shmem_must_be_up(call);
  if (!ptr) return;
  struct block *block = find_block(ptr);
  if (!block)
    tsr_shmem_die("TSR-5036 %s: no block of the symmetric heap begins at %p; pass a pointer that shmem_malloc returned, and free it once",
                  call, ptr);
  tsr_segment *segment = block->segment;
  heap.used -= block->bytes;
  remove_block(block);
  tsr_shmem_quiet(&tsr_shmem_ctx_default);
  tsr_segment_free(segment);
  tsr_stats_end(TSR_STAT_FREE, begun_ns, 0, 0);
}

enum { ALIGNMENT = 16, ALIGNMENT_MAX = 4096 /* node/heap.h: an odd number of pages is between two heaps */ };

void *pshmem_malloc(size_t size) { return allocate_block(ALIGNMENT, size, "shmem_malloc"); }
void *pshmem_malloc_with_hints(size_t size, long hints) {
  (void)hints;
  return allocate_block(ALIGNMENT, size, "shmem_malloc_with_hints");
}

void *pshmem_calloc(size_t count, size_t size) {
  size_t bytes;
  tsr_shmem_must_be_up("shmem_calloc");
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  void *made = allocate_block(ALIGNMENT, bytes, "shmem_calloc");
  if (!made) return NULL;
  memset(made, 0, bytes);
  tsr_barrier(tsr_team_world); /* no PE writes before all have zeroed */
  return made;
}

void *pshmem_align(size_t alignment, size_t size) {
  tsr_shmem_must_be_up("shmem_align");
  if (!alignment || alignment & (alignment - 1))
    tsr_shmem_die("TSR-5037 shmem_align: the alignment is %zu; pass a power of two", alignment);
  if (alignment > ALIGNMENT_MAX) {
    tsr_fail(TESSERA_ERR_ARG, "TSR-5054 shmem_align: the alignment is %zu, and the heaps of a node lie at multiples of %d; pass %d or "
             "less", alignment, ALIGNMENT_MAX, ALIGNMENT_MAX);
    return NULL;
  }
  return allocate_block(alignment < ALIGNMENT ? ALIGNMENT : alignment, size, "shmem_align");
}

void *pshmem_realloc(void *ptr, size_t size) {
  const char *call = "shmem_realloc";
  if (!ptr) return allocate_block(ALIGNMENT, size, call);
  if (!size) {
    release_block(ptr, call);
    return NULL;
  }
  tsr_shmem_must_be_up(call);
  const struct block *block = find_block(ptr);
  if (!block)
    tsr_shmem_die("TSR-5038 %s: no block of the symmetric heap begins at %p; pass a pointer that shmem_malloc returned", call, ptr);
  size_t kept = block->bytes < size ? block->bytes : size;
  pshmem_barrier_all(); /* what others have put into the old block has arrived */
  void *made = allocate_block(ALIGNMENT, size, call);
  if (!made) return NULL;
  memcpy(made, ptr, kept);
  release_block(ptr, call);
  return made;
}

void pshmem_free(void *ptr) { release_block(ptr, "shmem_free"); }

void *shmalloc(size_t size) { return pshmem_malloc(size); }
void *shmemalign(size_t alignment, size_t size) { return pshmem_align(alignment, size); }
void *shrealloc(void *ptr, size_t size) { return pshmem_realloc(ptr, size); }
void shfree(void *ptr) { pshmem_free(ptr); }

#include "api/shmem/names.h"
#include <shmem/memory.h>
