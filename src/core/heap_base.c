#include "core/heap_base.h"

#include <stdlib.h>

#include "base/status.h"
#include "core/bootstrap.h"
#include "core/team.h"
#include "node/heap.h"

_Atomic uint64_t *tsr_heap_bases;
static int users_n;

static uint64_t usual_base(tsr_unit unit) { return (uintptr_t)tsr_heap_at((uint32_t)tsr_place_index(unit), 0); }

tessera_status_t tsr_heap_bases_start(void) {
  if (users_n++ > 0) return TESSERA_OK;
  size_t units_n = (size_t)tsr_place.units_n;
  int64_t *list = malloc(units_n * sizeof *list);
  tsr_heap_bases = calloc(units_n, sizeof *tsr_heap_bases);
  if (!list || !tsr_heap_bases)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0315 no private memory for a table of %d units; " TSR_REMEDY_MEMORY,
                    tsr_place.units_n);
  tsr_bootstrap_gather(tsr_team_world, (int64_t)(uintptr_t)tsr_heap_at(tsr_heap.self, 0), list);
  int32_t usual_n = 0;
  while (usual_n < tsr_place.units_n && (uint64_t)list[usual_n] == usual_base(TSR_UNIT(usual_n))) usual_n++;
  for (int32_t unit = 0; unit < tsr_place.units_n && usual_n < tsr_place.units_n; unit++)
    atomic_store_explicit(&tsr_heap_bases[unit], (uint64_t)list[unit], memory_order_relaxed);
  free(list);
  /* The entries of the units of this node are filled now. */
  for (int32_t unit = (int32_t)tsr_place.first, n = 0; n < (int32_t)tsr_place_local_units(); unit++) {
    if (tsr_place_is_local(TSR_UNIT(unit))) n++, tsr_heap_base(TSR_UNIT(unit));
  }
  return TESSERA_OK;
}

void tsr_heap_bases_stop(void) {
  if (--users_n > 0) return;
  free(tsr_heap_bases);
  tsr_heap_bases = NULL;
}

uint64_t tsr_heap_base_look_up(tsr_unit unit) {
  uint64_t base = tsr_heap_base_known(unit);
  return base ? base : usual_base(unit);
}

uint64_t tsr_heap_base_fill(tsr_unit unit) {
  uint64_t base = usual_base(unit);
  atomic_store_explicit(&tsr_heap_bases[unit.id], base, memory_order_relaxed);
  return base;
}
