/* The symmetric heap: blocks that begin at one offset of all heaps. */
#include "api/shmem/shmem_api.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/copy.h"
#include "base/log.h"
#include "base/status.h"
#include "coll/coll.h"
#include "core/bootstrap.h"
#include "core/check.h"
#include "core/stats.h"
#include "core/symmetric.h"

/* Bytes of SHMEM_SYMMETRIC_SIZE, and of live blocks; limit 0: what the node has. */
static struct {
  uint64_t limit, used;
} heap;

/* ---- SHMEM_SYMMETRIC_SIZE ---- */

/* Reads the exponent behind a number, such as e9, if there is one. Returns the text after it. */
static const char *parse_exponent(const char *text, double *number) {
  const bool is_negative = text[0] && text[1] == '-';
  const char *digits = text + 1 + (text[0] && (text[1] == '-' || text[1] == '+'));
  int exponent = 0;
  if (tolower((unsigned char)*text) != 'e' || !isdigit((unsigned char)*digits)) return text;
  for (; isdigit((unsigned char)*digits); digits++)
    if (exponent < 100) exponent = exponent * 10 + (*digits - '0');
  for (; exponent > 0; exponent--) *number = is_negative ? *number / 10 : *number * 10;
  return digits;
}

/* Reads digits, perhaps with a point and an exponent, whatever the locale. Returns the text after them; NULL: there are none. */
static const char *parse_number(const char *text, double *number) {
  const char *at = text;
  double part = 1;
  for (*number = 0; isdigit((unsigned char)*at); at++) *number = *number * 10 + (*at - '0');
  bool any = at > text;
  if (*at == '.')
    for (at++; isdigit((unsigned char)*at); at++, any = true) *number += (part /= 10) * (*at - '0');
  return any ? parse_exponent(at, number) : NULL;
}

/* Reads a number, perhaps with a fraction and an exponent, and a suffix for a power of 1024; the text after them is ignored.
 * False: the text is not a valid size. */
static bool parse_size(const char *text, uint64_t *bytes) {
  static const char suffixes[] = "kmgt", spaces[] = " \t";
  double number;
  const char *end = parse_number(text + strspn(text, spaces), &number);
  if (!end || number > 1e18) return false;
  end += strspn(end, spaces);
  const char *found = *end ? strchr(suffixes, tolower((unsigned char)*end)) : NULL;
  if (*end && !found) return false;
  double all = found ? ldexp(number, 10 * (int)(found - suffixes + 1)) : number;
  if (all >= 0x1p62) return false;
  *bytes = (uint64_t)all + (all > (double)(uint64_t)all);
  return true;
}

void tsr_shmem_memory_start(const char *call) {
  struct tsr_shmem_setting size = tsr_shmem_setting(TSR_SHMEM_SYMMETRIC_SIZE);
  heap.limit = heap.used = 0;
  if (size.text && !parse_size(size.text, &heap.limit))
    tsr_shmem_die("TSR-5032 %s: %s is '%.40s'; set a number of bytes, with k, m, g or t behind it for powers of 1024", call,
                  size.name, size.text);
}

void tsr_shmem_memory_stop(void) {
  tsr_shmem_aligned_stop();
  tsr_symmetric_drop_all();
}

/* ---- blocks ---- */

static uint64_t offset_of(const void *ptr) {
  uint64_t off;
  if (tsr_shmem_find_aligned(ptr, 1, &off)) return off;
  return (uint64_t)((const char *)ptr - (const char *)tsr_heap_at(tsr_heap.self, 0));
}

static bool is_allowed(size_t bytes, uint64_t used) {
  return !heap.limit || (bytes <= heap.limit && used <= heap.limit - bytes);
}

/* Reports a failure that is the same on all PEs; only the first PE without room knows the reason. `used`: the bytes of all
 * blocks, or of all but the one that was to be replaced. */
static void explain_failure(tessera_status_t status, size_t bytes, uint64_t used, const char *call) {
  if (status == TESSERA_ERR_ARG)
    tsr_shmem_die("TSR-5053 %s: this PE asks for %zu bytes and others for other sizes; pass the same size on all PEs", call, bytes);
  if (status == TESSERA_ERR_LIMIT)
    tsr_fail(status, "TSR-5033 %s: no room for %zu bytes in the symmetric heap: %llu of its %llu bytes are in use%s, %llu are "
             "left; free some, or raise SHMEM_SYMMETRIC_SIZE", call, bytes, (unsigned long long)used,
             (unsigned long long)heap.limit, used < heap.used ? " by other blocks" : "", (unsigned long long)(heap.limit - used));
  if (status == TESSERA_ERR_RANGE && tsr_place.self == 0)
    tsr_fail(status, "TSR-5034 %s: no %zu bytes are free at one offset of all heaps, and the largest free block of this PE's "
             "heap has %llu; free some, or enlarge TESSERA_HEAP_SIZE", call, bytes, (unsigned long long)tsr_heap_largest_block());
}

/* A failure on one PE fails the call on all PEs. A block is at least as large as the alignment, which is at most a
 * page, so that the allocator aligns it. */
static void *allocate_block(size_t alignment, size_t size, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  const size_t bytes = size < alignment ? alignment : size;
  uint64_t off;
  if (!tsr_check_same(tsr_team_world, call, size, -1, alignment) || !size) return NULL;
  tsr_shmem_quiet(&tsr_shmem_ctx_default);
  tessera_status_t status = tsr_symmetric_alloc(bytes, is_allowed(bytes, heap.used), &off);
  if (status) {
    explain_failure(status, size, heap.used, call);
    return NULL;
  }
  heap.used += bytes;
  tsr_stats_end(TSR_STAT_ALLOC, begun_ns, bytes);
  return tsr_heap_at(tsr_heap.self, off);
}

/* Before a block goes or moves: no PE has an operation on it under way, and all PEs pass the same one. */
static void await_last_use(const void *ptr, uint64_t bytes, const char *call) {
  tsr_shmem_quiet(&tsr_shmem_ctx_default);
  tsr_op_flush_all(); /* other operations must not write to free memory either */
  if (!tsr_symmetric_same(offset_of(ptr)))
    tsr_shmem_die("TSR-5065 %s: this PE passes %p, a block of %llu bytes, and others pass other blocks; free and resize the same "
                  "blocks in the same order on all PEs", call, ptr, (unsigned long long)bytes);
}

static void release_block(void *ptr, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  uint64_t bytes;
  if (!ptr) return;
  if (!tsr_symmetric_find(offset_of(ptr), &bytes))
    tsr_shmem_die("TSR-5036 %s: no block of the symmetric heap begins at %p; pass a pointer that shmem_malloc returned, and free "
                  "it once", call, ptr);
  if (!tsr_check_name(tsr_team_world, call)) return;
  const uint64_t off = offset_of(ptr);
  await_last_use(ptr, bytes, call);
  tsr_shmem_unmap_aligned(off);
  tsr_symmetric_free(off);
  heap.used -= bytes;
  tsr_stats_end(TSR_STAT_FREE, begun_ns, 0);
}

enum { ALIGNMENT = 16, PAGE_ALIGNMENT = 4096 /* node/heap.h: an odd number of pages is between two heaps */ };

void *pshmem_malloc(size_t size) { return allocate_block(ALIGNMENT, size, "shmem_malloc"); }
void *pshmem_malloc_with_hints(size_t size, long hints) {
  (void)hints;
  return allocate_block(ALIGNMENT, size, "shmem_malloc_with_hints");
}

void *pshmem_calloc(size_t count, size_t size) {
  size_t bytes;
  tsr_shmem_must_be_up("shmem_calloc");
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX; /* for which there is no room */
  void *made = allocate_block(ALIGNMENT, bytes, "shmem_calloc");
  if (!made) return NULL;
  memset(made, 0, bytes);
  tsr_barrier_or_abort(tsr_team_world, "shmem_calloc"); /* no PE writes before all have zeroed */
  return made;
}

/* For an alignment larger than the one that the heaps of a node have in common. */
static void *allocate_aligned(size_t alignment, size_t size, const char *call) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  const size_t bytes = size > SIZE_MAX - page ? SIZE_MAX : (size + page - 1) / page * page;
  if (!tsr_check_same(tsr_team_world, call, size, -1, alignment)) return NULL;
  char *block = allocate_block(page, bytes, call);
  if (!block) return NULL;
  void *made = tsr_shmem_map_aligned(offset_of(block), bytes, alignment);
  if (!tsr_bootstrap_any(tsr_team_world, !made)) return made;
  if (tsr_place.self == 0)
    tsr_fail(TESSERA_ERR_MEMORY,
             "TSR-5054 %s: a PE cannot map %zu bytes once more, at a multiple of %zu; ask for a smaller alignment, or "
             "raise the limits of address space (ulimit -v) and of mappings (vm.max_map_count)",
             call, bytes, alignment);
  release_block(block, call);
  return NULL;
}

/* Takes part in the allocation, so that PEs with another alignment fail instead of waiting. */
static void *refuse_alignment(size_t alignment, size_t size, const char *call) {
  TSR_SHMEM_ENTER(call);
  uint64_t off;
  tsr_fail(TESSERA_ERR_ARG, "TSR-5037 %s: the alignment is %zu, so there is no block; pass a power of two", call, alignment);
  if (tsr_check_same(tsr_team_world, call, size, -1, alignment) && size) (void)tsr_symmetric_alloc(size, false, &off);
  return NULL;
}

void *pshmem_align(size_t alignment, size_t size) {
  tsr_shmem_must_be_up("shmem_align");
  if (!alignment || alignment & (alignment - 1)) return refuse_alignment(alignment, size, "shmem_align");
  if (alignment > PAGE_ALIGNMENT) return allocate_aligned(alignment, size, "shmem_align");
  return allocate_block(alignment < ALIGNMENT ? ALIGNMENT : alignment, size, "shmem_align");
}

/* ---- blocks of another size ---- */

/* The block keeps its place. If it had an address of its own (shmem_align), it has the heap's now. */
static void *shrink_block(void *ptr, uint64_t old_bytes, size_t bytes) {
  const uint64_t off = offset_of(ptr);
  tsr_shmem_unmap_aligned(off);
  tsr_symmetric_shrink(off, bytes);
  heap.used -= old_bytes - bytes;
  return tsr_heap_at(tsr_heap.self, off);
}

/* The old block does not count against SHMEM_SYMMETRIC_SIZE, since it goes. A smaller block for which there is no room beside the
 * old one stays where that is. */
static void *resize_block(void *ptr, uint64_t old_bytes, size_t size, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin(), other_bytes = heap.used - old_bytes;
  const size_t bytes = size < ALIGNMENT ? ALIGNMENT : size;
  const bool is_smaller = bytes <= old_bytes, allowed = is_allowed(bytes, other_bytes);
  uint64_t off;
  if (!tsr_check_same(tsr_team_world, call, size, -1, ALIGNMENT)) return NULL;
  tessera_status_t status = is_smaller ? tsr_symmetric_try(bytes, allowed, &off) : tsr_symmetric_alloc(bytes, allowed, &off);
  if (status && (status == TESSERA_ERR_ARG || !is_smaller)) {
    explain_failure(status, bytes, other_bytes, call);
    return NULL;
  }
  if (status) {
    await_last_use(ptr, old_bytes, call);
    ptr = shrink_block(ptr, old_bytes, bytes);
  } else {
    heap.used += bytes;
    char *made = tsr_heap_at(tsr_heap.self, off);
    tsr_copy(made, ptr, is_smaller ? bytes : old_bytes);
    release_block(ptr, call);
    ptr = made;
  }
  tsr_stats_end(TSR_STAT_ALLOC, begun_ns, bytes);
  return ptr;
}

void *pshmem_realloc(void *ptr, size_t size) {
  const char *call = "shmem_realloc";
  if (!ptr) return allocate_block(ALIGNMENT, size, call);
  if (!size) {
    release_block(ptr, call);
    return NULL;
  }
  tsr_shmem_must_be_up(call);
  uint64_t bytes;
  if (!tsr_symmetric_find(offset_of(ptr), &bytes))
    tsr_shmem_die("TSR-5038 %s: no block of the symmetric heap begins at %p; pass a pointer that shmem_malloc returned", call, ptr);
  pshmem_barrier_all(); /* what others have put into the old block has arrived */
  return resize_block(ptr, bytes, size, call);
}

void pshmem_free(void *ptr) { release_block(ptr, "shmem_free"); }

void *shmalloc(size_t size) { return pshmem_malloc(size); }
void *shmemalign(size_t alignment, size_t size) { return pshmem_align(alignment, size); }
void *shrealloc(void *ptr, size_t size) { return pshmem_realloc(ptr, size); }
void shfree(void *ptr) { pshmem_free(ptr); }

#include "api/shmem/names.h"
#include <shmem/memory.h>
