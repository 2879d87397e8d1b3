#include "base/space.h"

#include <sys/mman.h>

void *tsr_space_reserve(size_t bytes) {
  void *space = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return space == MAP_FAILED ? NULL : space;
}

void tsr_space_release(void *space, size_t bytes) { munmap(space, bytes); }
