#include "core/heap_base.h"

#include <stdlib.h>

#include "base/status.h"
#include "core/agree.h"
#include "core/place.h"
#include "core/team.h"
#include "node/heap.h"

uint64_t *tsr_heap_bases;
static int users_n;

tessera_status_t tsr_heap_bases_start(void) {
  if (users_n++ > 0) return TESSERA_OK;
  int64_t *list = malloc((size_t)tsr_place.units_n * sizeof *list);
  if (!list) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a table of %d units", tsr_place.units_n);
  tsr_agree_gather(tsr_team_world, (int64_t)(uintptr_t)tsr_heap_at(tsr_heap.self, 0), list);
  tsr_heap_bases = (uint64_t *)list;
  return TESSERA_OK;
}

void tsr_heap_bases_stop(void) {
  if (--users_n > 0) return;
  free(tsr_heap_bases);
  tsr_heap_bases = NULL;
}
