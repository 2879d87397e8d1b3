#include "node/mapping.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* An address range with nothing in it. */
static char *reserve_aligned(size_t bytes, size_t alignment) {
  char *all = mmap(NULL, bytes + alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return NULL;
  const size_t before = -(uintptr_t)all & (alignment - 1);
  if (before) munmap(all, before);
  munmap(all + before + bytes, alignment - before);
  return all + before;
}

/* Calls the kernel directly, as node/data.c does. The old length 0 makes mremap map the pages of a shared mapping once more. */
static bool map_again(void *pages, char *place, size_t bytes) {
  return syscall(SYS_mremap, pages, (size_t)0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) == (long)(intptr_t)place;
}

void *tsr_mapping_make(void *pages, size_t bytes, size_t alignment) {
  if (bytes > SIZE_MAX - alignment) return NULL;
  char *place = reserve_aligned(bytes, alignment);
  /* If the call fails, another thread may have mapped the range by now: it is left as it is. */
  return place && map_again(pages, place, bytes) ? place : NULL;
}

void tsr_mapping_end(void *place, size_t bytes) { munmap(place, bytes); }
