#include "works.h"

#include <stdio.h>

void works_check(dart_ret_t status, const char *call) {
  if (status == DART_OK) return;
  fprintf(stderr, "tessera-perf: %s returned %d: the log line above says why\n", call, (int)status);
  dart_abort(1);
}

dart_gptr_t works_alloc(const struct perf *p, size_t bytes, int unit) {
  dart_gptr_t memory;
  void *own;
  works_check(dart_team_memalloc_aligned(DART_TEAM_ALL, bytes, DART_TYPE_BYTE, &memory),
              "dart_team_memalloc_aligned");
  works_check(dart_gptr_getaddr(works_at(memory, p->unit), &own), "dart_gptr_getaddr");
  perf_touch(own, bytes);
  p->barrier();
  return works_at(memory, unit);
}

void *works_at_target(const struct perf *p, dart_gptr_t memory) {
  void *own = NULL;
  if (p->unit == p->target) works_check(dart_gptr_getaddr(works_at(memory, p->unit), &own), "dart_gptr_getaddr");
  return own;
}

void works_free(dart_gptr_t memory) { works_check(dart_team_memfree(works_at(memory, 0)), "dart_team_memfree"); }
