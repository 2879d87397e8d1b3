/* Private address space that becomes memory as it is used: for tables that must not move. */
#ifndef TSR_BASE_SPACE_H
#define TSR_BASE_SPACE_H

#include <stddef.h>
#include <sys/mman.h>

/* Zeros. NULL: no address space (not logged). munmap releases it. */
static inline void *tsr_space_reserve(size_t bytes) {
  void *space = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return space == MAP_FAILED ? NULL : space;
}
static inline void tsr_space_release(void *space, size_t bytes) { munmap(space, bytes); }

#endif
