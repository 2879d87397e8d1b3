#include "node/heap.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/config.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/poison.h"
#include "base/status.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

enum { PAGE_BYTES = 4096, HUGE_PAGE_BYTES = 2 << 20, BLOCK_ORDER = 6, SPACE_ORDER = 36 };
enum { HEAPS_ORDER_MAX = 45 /* all slices of a node together; user space has 47 bits */ };
enum {
  SLICE_ORDER_ASAN = 28,    /* the sanitizer's shadow of a poisoned slice is real memory */
  SLICE_ORDER_VALGRIND = 27 /* its leak check reads all slices, which makes real memory of them */
};

enum { SPARE_BYTES = 64 << 10, BEING_FREED = 255 /* tag of a block whose pages go back to the kernel */ };

struct tsr_heap tsr_heap;

/* The allocator of the own slice. No thread holds the lock while the kernel makes pages or takes them back. */
static struct {
  pthread_mutex_t lock;
  tsr_buddy *buddy;
  int64_t reserved_bytes; /* own part of the node's reserved bytes: those of live blocks, and the spare ones */
  int64_t spare_least;    /* spare bytes that are reserved beyond need, and kept when more are returned */
  size_t kept_bytes;      /* in free blocks whose pages may still be there */
  size_t keep_limit;      /* above which freed pages are given back at once */
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};
static bool keeps_pages; /* tsr_heap_keep_pages was called; also for later heaps of this process */

unsigned tsr_heap_slice_order(void) {
  if (TSR_ASAN && !tsr_config.heap_size) return SLICE_ORDER_ASAN;
  if (tsr_config_under_valgrind() && !tsr_config.heap_size) return SLICE_ORDER_VALGRIND;
  /* Four times the memory there is: the allocator rounds to powers of two, and address space costs nothing. */
  size_t wanted = tsr_config.heap_size ? tsr_config.heap_size : 4 * tsr_topology_memory_total();
  unsigned order = tsr_log2_ceil(wanted);
  return order < TSR_HEAP_SLICE_ORDER_MIN ? TSR_HEAP_SLICE_ORDER_MIN : order;
}

unsigned tsr_heap_slice_order_max(uint32_t units_n) {
  unsigned order = HEAPS_ORDER_MAX - tsr_log2_ceil(units_n);
  return order < TSR_HEAP_SLICE_ORDER_MIN ? TSR_HEAP_SLICE_ORDER_MIN : order;
}

/* The gap after each slice is an odd number of pages, so that all heaps' parts of a segment differ in the address bits from 4 KiB
 * to 128 MiB that caches and TLBs hash; a multiple of pages, so that blocks keep their alignment. All gaps together are no longer
 * than a slice, which tsr_heap_contains relies on: with many units and short slices they are shorter, or there are none. */
static uint64_t slice_stride(uint32_t units_n, unsigned slice_order) {
  static const uint64_t gaps[] = {HUGE_PAGE_BYTES + 17 * PAGE_BYTES, 17 * PAGE_BYTES, PAGE_BYTES};
  const uint64_t slice = (uint64_t)1 << slice_order;
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
    if (units_n * gaps[i] <= slice) return slice + gaps[i];
  }
  return slice;
}

static size_t mapping_bytes(const struct tsr_heap_shape *shape) {
  return tsr_memory_control_bytes(shape->units_n) + shape->units_n * slice_stride(shape->units_n, shape->slice_order) +
         tsr_memory_net_bytes(shape->ranks_n);
}

int tsr_heap_make(const struct tsr_heap_shape *shape) {
  size_t bytes = mapping_bytes(shape);
  int fd = memfd_create("tessera-heap", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) {
    tsr_error("TSR-0103 cannot create the node's memory: memfd_create: %s; %s", strerror(errno), tsr_limit_remedy(errno));
    return -1;
  }
  struct rlimit limit; /* a file beyond the limit of file sizes would bring a signal */
  bool is_allowed = getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
  if (!is_allowed) errno = EFBIG;
  if (!is_allowed || ftruncate(fd, (off_t)bytes)) {
    tsr_error("TSR-0104 cannot size the node's memory to %zu bytes: ftruncate: %s; %s, or set TESSERA_HEAP_SIZE to a smaller "
              "value", bytes, strerror(errno), tsr_limit_remedy(errno));
    goto fail;
  }
  if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) {
    tsr_error("TSR-0105 cannot seal the node's memory: fcntl: %s; %s", strerror(errno), tsr_limit_remedy(errno));
    goto fail;
  }
  return fd;

fail:
  close(fd);
  return -1;
}

/* Maps at a fixed address without replacing anything, or anywhere on a huge page's boundary. NULL: no room. */
static char *map_file(int fd, size_t bytes, char *at) {
  int flags = MAP_SHARED | MAP_NORESERVE;
  if (at) {
    char *got = mmap(at, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, fd, 0);
    if (got == at) return at;
    if (got != MAP_FAILED) munmap(got, bytes); /* a kernel that does not know the flag took it as a hint */
    return NULL;
  }
  char *room = mmap(NULL, bytes + HUGE_PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return NULL;
  char *aligned = (char *)tsr_round_up((uintptr_t)room, HUGE_PAGE_BYTES);
  char *end = room + bytes + HUGE_PAGE_BYTES;
  if (aligned > room) munmap(room, (size_t)(aligned - room));
  if (aligned + bytes < end) munmap(aligned + bytes, (size_t)(end - aligned) - bytes);
  if (mmap(aligned, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, 0) != MAP_FAILED) return aligned;
  munmap(aligned, bytes);
  return NULL;
}

tessera_status_t tsr_heap_map(int fd, const struct tsr_heap_shape *shape, uint32_t self, void *base) {
  size_t control_bytes = tsr_memory_control_bytes(shape->units_n);
  if (TSR_TSAN && base) return TESSERA_ERR_MEMORY; /* the sanitizer knows few address ranges, and dies in others */
  char *map = map_file(fd, mapping_bytes(shape), base ? (char *)base - control_bytes : NULL);
  if (!map) return TESSERA_ERR_MEMORY;
  tsr_heap = (struct tsr_heap){.base = map + control_bytes,
                               .stride = slice_stride(shape->units_n, shape->slice_order),
                               .slice_shift = shape->slice_order,
                               .units_n = shape->units_n,
                               .self = self,
                               .ranks_n = shape->ranks_n,
                               .memory = (struct tsr_node_memory *)map};
  return TESSERA_OK;
}

/* Written by the owner of the slice alone, with the lock held. */
static int64_t read_spare(void) {
  return atomic_load_explicit(&tsr_heap_unit(tsr_heap.self)->spare_bytes, memory_order_relaxed);
}
static void set_spare(int64_t bytes) {
  atomic_store_explicit(&tsr_heap_unit(tsr_heap.self)->spare_bytes, bytes, memory_order_relaxed);
}

static void return_reserved(int64_t bytes) {
  atomic_fetch_sub(&tsr_heap.memory->reserved_bytes, bytes);
  own.reserved_bytes -= bytes;
}

/* Makes `buddy` the allocator; no block is live. */
static void replace_allocator(tsr_buddy *buddy) {
  tsr_buddy_destroy(own.buddy);
  own.buddy = buddy;
  own.kept_bytes = 0;
  set_spare(0);
  return_reserved(own.reserved_bytes);
}

void tsr_heap_unmap(void) {
  if (!tsr_heap.base) return;
  char *slice = tsr_heap_at(tsr_heap.self, 0);
  if (own.buddy) tsr_unpoison(slice, tsr_heap_slice_bytes()); /* only a reset poisons; this writes an eighth of the slice */
  replace_allocator(NULL);
  madvise(slice, tsr_heap_slice_bytes(), MADV_REMOVE); /* others may keep the mapping */
  munmap(tsr_heap.memory, mapping_bytes(&(struct tsr_heap_shape){tsr_heap.units_n, tsr_heap.slice_shift, tsr_heap.ranks_n}));
  tsr_heap = (struct tsr_heap){0};
}

tessera_status_t tsr_heap_reset(void) {
  tsr_buddy *buddy = tsr_buddy_create(tsr_heap.slice_shift, BLOCK_ORDER);
  if (!buddy) return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0106 no private memory for the heap's allocator; " TSR_REMEDY_MEMORY);
  /* As the length of the slices, this is the same for all units of the job, so that their offsets agree. */
  if (sysconf(_SC_PAGESIZE) == PAGE_BYTES) tsr_buddy_stagger(buddy, tsr_heap.slice_shift >= SPACE_ORDER);
  char *slice = tsr_heap_at(tsr_heap.self, 0);
  replace_allocator(buddy);
  size_t share = (size_t)tsr_heap.memory->limit_bytes / 8 / tsr_heap.units_n;
  own.spare_least = (int64_t)(share / 16 < SPARE_BYTES ? share / 16 : SPARE_BYTES);
  own.keep_limit = keeps_pages ? SIZE_MAX : tsr_config.heap_keep < share ? tsr_config.heap_keep : share;
  if (!keeps_pages) madvise(slice, tsr_heap_slice_bytes(), MADV_REMOVE);
  /* Collective blocks grow from the bottom: huge pages pay there, where the kernel gives them. */
  madvise(slice, tsr_heap_slice_bytes() / 2, MADV_HUGEPAGE);
  tsr_poison(slice, tsr_heap_slice_bytes());
  return TESSERA_OK;
}

void tsr_heap_keep_pages(void) { keeps_pages = true; }

void tsr_heap_clear(void *pages, size_t bytes) {
  if (keeps_pages) memset(pages, 0, bytes);
  else madvise(pages, bytes, MADV_REMOVE);
}

/* What a block of this size can take from the node's memory. */
static size_t charge_of(size_t bytes) {
  return tsr_round_up(bytes, bytes < PAGE_BYTES ? (size_t)1 << BLOCK_ORDER : PAGE_BYTES);
}

/* Small blocks come from the spare bytes, so that units that allocate at the same time do not contend for the node's counter. At
 * most 1/64 of the node's limit is spare. If the spare bytes do not suffice, the rest is reserved from what the limit leaves, and
 * `spare_least` bytes more if they fit. */
static bool reserve_bytes(size_t bytes) {
  int64_t limit = tsr_heap.memory->limit_bytes, more = 0;
  if (bytes > (uint64_t)limit) return false;
  int64_t spare = read_spare(), charge = (int64_t)charge_of(bytes), missing = charge - spare;
  if (missing > 0) {
    int64_t held = atomic_load(&tsr_heap.memory->reserved_bytes);
    do {
      if (missing > limit - held) return false;
      more = missing + own.spare_least <= limit - held ? missing + own.spare_least : missing;
    } while (!atomic_compare_exchange_weak(&tsr_heap.memory->reserved_bytes, &held, held + more));
    own.reserved_bytes += more;
  }
  set_spare(spare + more - charge);
  return true;
}

static void unreserve_charge(size_t charge) {
  int64_t spare = read_spare() + (int64_t)charge;
  int64_t excess = spare > 2 * own.spare_least ? spare - own.spare_least : 0;
  set_spare(spare - excess);
  if (excess) return_reserved(excess);
}

static void unreserve_bytes(size_t bytes) { unreserve_charge(charge_of(bytes)); }

int64_t tsr_heap_live_bytes(void) {
  int64_t bytes = atomic_load(&tsr_heap.memory->reserved_bytes);
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) bytes -= atomic_load(&tsr_heap_unit(local)->spare_bytes);
  return bytes;
}

/* What the limit on all heaps of the node was taken from, and what to do about it. */
static const char *const limit_remedies[] = {
    [TSR_LIMIT_FROM_MACHINE] = "that the machine had available at the start; free something, or use more nodes",
    [TSR_LIMIT_FROM_GROUP] = ("that the control group had left at the start; free something, use more nodes, or raise the group's "
                              "limit (memory.max)"),
    [TSR_LIMIT_FROM_VARIABLE] = "that TESSERA_HEAP_LIMIT allows; free something, use more nodes, or raise it",
};

/* The remedy for what kept the heap from being larger. */
static const char *size_remedy(void) {
  unsigned most = tsr_heap_slice_order_max(tsr_heap.units_n), wanted = tsr_heap_slice_order();
  if (wanted <= tsr_heap.slice_shift) return "raise TESSERA_HEAP_SIZE";
  if (tsr_heap.slice_shift >= most) return "use fewer units per node, since they share the machine's address space";
  if (tsr_limit_has_address_space()) return "raise the limit of address space (ulimit -v), into which the heaps had to fit";
  return "raise the limit of address space (ulimit -v) or TESSERA_HEAP_SIZE of the unit where it is the smallest";
}

uint64_t tsr_heap_largest_block(void) {
  pthread_mutex_lock(&own.lock);
  uint64_t largest = tsr_buddy_largest(own.buddy);
  pthread_mutex_unlock(&own.lock);
  return largest;
}

tessera_status_t tsr_heap_explain(tessera_status_t status, size_t bytes) {
  if (status == TESSERA_ERR_MEMORY)
    return tsr_fail(status, "TSR-0107 out of memory: asked for %zu bytes, the node's heaps hold %lld of %lld bytes %s", bytes,
                    (long long)tsr_heap_live_bytes(), (long long)tsr_heap.memory->limit_bytes,
                    limit_remedies[tsr_heap.memory->limit_from]);
  if (status == TESSERA_ERR_SYSTEM)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0108 out of memory: the kernel gives no pages for %zu bytes: %s; %s", bytes,
                    strerror(errno), tsr_limit_remedy_pages());
  const uint64_t largest = tsr_heap_largest_block();
  if (largest >= bytes)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0124 no private memory to keep account of %zu bytes of the heap; free memory", bytes);
  return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0109 out of address space: asked for %zu bytes, the largest free block of this unit's "
                  "heap of %llu bytes has %llu; %s", bytes, (unsigned long long)tsr_heap_slice_bytes(),
                  (unsigned long long)largest, size_remedy());
}

size_t tsr_heap_room(uint32_t takers_n) {
  uint64_t largest = tsr_heap_largest_block();
  if (largest == tsr_heap_slice_bytes()) largest /= 2; /* the whole slice is gone with the first byte that is allocated */
  int64_t left = tsr_heap.memory->limit_bytes - atomic_load(&tsr_heap.memory->reserved_bytes);
  uint64_t share = left > 0 ? (uint64_t)left / takers_n : 0;
  return tsr_round_down(share < largest ? share : largest, PAGE_BYTES);
}

/* Makes all pages of a block present. False: there is no memory for them. */
static bool commit_pages(uint64_t off, size_t bytes) {
  if (tsr_config.heap_commit != TSR_HEAP_COMMIT_EAGER || bytes == 0) return true;
  uint64_t from = tsr_round_down(off, PAGE_BYTES);
  char *at = tsr_heap_at(tsr_heap.self, from);
  size_t length = tsr_round_up(off + bytes, PAGE_BYTES) - from;
  if (madvise(at, length, MADV_POPULATE_WRITE) && errno != EINVAL) return false; /* EINVAL: an older kernel */
  if (length >= HUGE_PAGE_BYTES) madvise(at, tsr_round_down(length, HUGE_PAGE_BYTES), MADV_COLLAPSE);
  return true;
}

/* Where a block is to be: at *off, or at the lowest or highest place, or the lowest one from *off on. */
enum place { AT, LOWEST, HIGHEST, FROM };

static bool take_block(size_t bytes, enum place place, uint64_t *off) {
  if (place == AT) return tsr_buddy_take_at(own.buddy, *off, bytes);
  if (place == FROM) return tsr_buddy_take_from(own.buddy, *off, bytes, off);
  return tsr_buddy_take(own.buddy, bytes, place == LOWEST ? TSR_BUDDY_LOW : TSR_BUDDY_HIGH, off);
}

/* TESSERA_ERR_MEMORY: the node's limit is reached; TESSERA_ERR_RANGE: no such block is free; TESSERA_ERR_SYSTEM: the kernel has no
 * pages, and errno says why. */
static tessera_status_t allocate_block(size_t bytes, enum place place, enum tsr_heap_use use, uint64_t *off) {
  size_t block = bytes ? bytes : 1;
  tessera_status_t status = TESSERA_OK;
  pthread_mutex_lock(&own.lock);
  if (!reserve_bytes(block)) {
    status = TESSERA_ERR_MEMORY;
  } else if (!take_block(block, place, off)) {
    unreserve_bytes(block);
    status = TESSERA_ERR_RANGE;
  } else {
    own.kept_bytes -= bytes < own.kept_bytes ? bytes : own.kept_bytes;
    tsr_unpoison(tsr_heap_at(tsr_heap.self, *off), block);
    if (use != TSR_HEAP_SEGMENT) tsr_buddy_set_tag(own.buddy, *off, (uint8_t)use);
  }
  pthread_mutex_unlock(&own.lock);
  if (status || commit_pages(*off, bytes)) return status;
  int error = errno;
  pthread_mutex_lock(&own.lock);
  tsr_buddy_give(own.buddy, *off);
  unreserve_bytes(block);
  pthread_mutex_unlock(&own.lock);
  errno = error;
  return TESSERA_ERR_SYSTEM;
}

tessera_status_t tsr_heap_alloc(size_t bytes, enum tsr_heap_use use, uint64_t *off) {
  uint64_t got = 0;
  tessera_status_t status = allocate_block(bytes, use == TSR_HEAP_SEGMENT ? LOWEST : HIGHEST, use, &got);
  if (status) return tsr_heap_explain(status, bytes);
  *off = got;
  return TESSERA_OK;
}

tessera_status_t tsr_heap_alloc_at(uint64_t off, size_t bytes) {
  tessera_status_t status = allocate_block(bytes, AT, TSR_HEAP_SEGMENT, &off);
  return status == TESSERA_ERR_SYSTEM ? TESSERA_ERR_MEMORY : status;
}

tessera_status_t tsr_heap_alloc_from(uint64_t from, size_t bytes, enum tsr_heap_use use, uint64_t *off) {
  tessera_status_t status = allocate_block(bytes, from ? FROM : LOWEST, use, &from);
  if (!status) *off = from;
  return status;
}

uint64_t tsr_heap_rounded(uint64_t bytes) { return tsr_buddy_rounded(own.buddy, bytes); }

/* Gives a live block of `bytes` bytes back, and its pages to the kernel if enough pages are kept. The caller holds the lock,
 * which is released while the kernel takes the pages: until then the block stays taken, with a tag that keeps other threads from
 * freeing it. */
static void free_block(uint64_t off, uint64_t bytes) {
  if (own.kept_bytes + bytes > own.keep_limit) {
    tsr_buddy_set_tag(own.buddy, off, BEING_FREED);
    pthread_mutex_unlock(&own.lock);
    if (bytes >= PAGE_BYTES) madvise(tsr_heap_at(tsr_heap.self, off), tsr_round_up(bytes, PAGE_BYTES), MADV_REMOVE);
    pthread_mutex_lock(&own.lock);
  } else {
    own.kept_bytes += bytes;
  }
  tsr_buddy_give(own.buddy, off);
  unreserve_bytes(bytes);
  tsr_poison(tsr_heap_at(tsr_heap.self, off), tsr_buddy_rounded(own.buddy, bytes));
}

tessera_status_t tsr_heap_free(uint64_t off, enum tsr_heap_use use) {
  uint64_t bytes = 0;
  pthread_mutex_lock(&own.lock);
  bool found = tsr_buddy_tag(own.buddy, off, &bytes) == (int)use;
  if (found) free_block(off, bytes);
  pthread_mutex_unlock(&own.lock);
  return found ? TESSERA_OK : TESSERA_ERR_NOT_FOUND;
}

/* The pages are given back before the block ends earlier: until then no other block has them. */
tessera_status_t tsr_heap_shrink(uint64_t off, size_t bytes, enum tsr_heap_use use) {
  uint64_t start = off, before = 0;
  if (tsr_heap_find(off, &start, &before) != (int)use || start != off || before < bytes) return TESSERA_ERR_NOT_FOUND;
  const uint64_t from = tsr_round_up(off + bytes, PAGE_BYTES), end = tsr_round_up(off + before, PAGE_BYTES);
  if (end > from && !keeps_pages) madvise(tsr_heap_at(tsr_heap.self, from), end - from, MADV_REMOVE);
  pthread_mutex_lock(&own.lock);
  tsr_buddy_shrink(own.buddy, off, bytes);
  unreserve_charge(charge_of(before) - charge_of(bytes));
  tsr_poison(tsr_heap_at(tsr_heap.self, off + bytes), before - bytes);
  pthread_mutex_unlock(&own.lock);
  return TESSERA_OK;
}

int tsr_heap_find(uint64_t off, uint64_t *start, uint64_t *bytes) {
  pthread_mutex_lock(&own.lock);
  const int use = tsr_buddy_find(own.buddy, off, start);
  if (use >= 0 && bytes) tsr_buddy_tag(own.buddy, *start, bytes);
  pthread_mutex_unlock(&own.lock);
  return use;
}

bool tsr_heap_next(enum tsr_heap_use use, uint64_t *off, uint64_t *bytes) {
  pthread_mutex_lock(&own.lock);
  const bool found = tsr_buddy_next(own.buddy, (uint8_t)use, off);
  if (found) tsr_buddy_tag(own.buddy, *off, bytes);
  pthread_mutex_unlock(&own.lock);
  return found;
}

void tsr_heap_free_all(enum tsr_heap_use use) {
  pthread_mutex_lock(&own.lock);
  for (uint64_t off = 0, bytes = 0; tsr_buddy_next(own.buddy, (uint8_t)use, &off);) {
    tsr_buddy_tag(own.buddy, off, &bytes);
    free_block(off, bytes);
  }
  pthread_mutex_unlock(&own.lock);
}
