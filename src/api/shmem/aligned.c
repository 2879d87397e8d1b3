/* Blocks of an alignment that the heaps of a node do not have in common: a second mapping of the block's pages, at such an address.
 * The heaps keep the block at one offset, where other PEs reach it. */
#include "api/shmem/shmem_api.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct mapping {
  struct mapping *next;
  char *begin;
  size_t bytes; /* whole pages */
  uint64_t off; /* of the block in the own heap */
};

static struct mapping *mappings;
static _Atomic size_t mappings_n; /* so that a program without any takes no lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Finds an address range of this alignment, with nothing in it. */
static char *reserve(size_t bytes, size_t alignment) {
  char *all = mmap(NULL, bytes + alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return NULL;
  const size_t before = -(uintptr_t)all & (alignment - 1);
  if (before) munmap(all, before);
  munmap(all + before + bytes, alignment - before);
  return all + before;
}

/* By the kernel itself, as in node/data.c. Of a shared mapping the old length 0 makes one more mapping of the same pages. */
static bool map_again(void *pages, char *place, size_t bytes) {
  return syscall(SYS_mremap, pages, (size_t)0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) == (long)(intptr_t)place;
}

void *tsr_shmem_map_aligned(uint64_t off, size_t bytes, size_t alignment) {
  struct mapping *made = malloc(sizeof *made);
  char *place = made ? reserve(bytes, alignment) : NULL;
  if (!place || !map_again(tsr_heap_at(tsr_heap.self, off), place, bytes)) {
    if (place) munmap(place, bytes);
    free(made);
    return NULL;
  }
  pthread_mutex_lock(&lock);
  *made = (struct mapping){mappings, place, bytes, off};
  mappings = made;
  mappings_n++;
  pthread_mutex_unlock(&lock);
  return place;
}

bool tsr_shmem_find_aligned(const void *address, size_t bytes, uint64_t *off) {
  bool found = false;
  if (!atomic_load_explicit(&mappings_n, memory_order_relaxed)) return false;
  pthread_mutex_lock(&lock);
  for (const struct mapping *one = mappings; one && !found; one = one->next) {
    const uint64_t at = (uint64_t)((const char *)address - one->begin);
    found = at < one->bytes && bytes <= one->bytes - at;
    if (found) *off = one->off + at;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

void tsr_shmem_unmap_aligned(uint64_t off) {
  if (!atomic_load_explicit(&mappings_n, memory_order_relaxed)) return;
  pthread_mutex_lock(&lock);
  struct mapping **link = &mappings, *gone;
  while (*link && (*link)->off != off) link = &(*link)->next;
  if ((gone = *link)) *link = gone->next, mappings_n--;
  pthread_mutex_unlock(&lock);
  if (gone) munmap(gone->begin, gone->bytes);
  free(gone);
}

void tsr_shmem_aligned_stop(void) {
  while (mappings) tsr_shmem_unmap_aligned(mappings->off);
}
