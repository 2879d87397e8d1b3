/* Blocks with a larger alignment than the heaps of a node have in common. The pages of such a block are mapped a second time, at an
 * aligned address. In the heaps the block stays at one offset, where other PEs access it. */
#include "api/shmem/shmem_api.h"

#include <pthread.h>
#include <stdlib.h>

#include "node/mapping.h"

struct mapping {
  struct mapping *next;
  char *begin;
  size_t bytes; /* whole pages */
  uint64_t off; /* of the block in the own heap */
};

static struct mapping *mappings;
static _Atomic size_t mappings_n; /* 0: look-ups take no lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *tsr_shmem_map_aligned(uint64_t off, size_t bytes, size_t alignment) {
  struct mapping *made = malloc(sizeof *made);
  char *place = made ? tsr_mapping_make(tsr_heap_at(tsr_heap.self, off), bytes, alignment) : NULL;
  if (!place) {
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
  if (gone) tsr_mapping_end(gone->begin, gone->bytes);
  free(gone);
}

void tsr_shmem_aligned_stop(void) {
  while (mappings) tsr_shmem_unmap_aligned(mappings->off);
}
