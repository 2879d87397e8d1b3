#include "core/heap_base.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/agree.h"
#include "core/team.h"
#include "node/heap.h"

struct tsr_heap_bases tsr_heap_bases;
static int users_n;

static uint64_t usual(tsr_unit unit) { return (uintptr_t)tsr_heap_at((uint32_t)tsr_place_index(unit), 0); }

static bool are_usual(const uint64_t list[]) {
  int32_t unit = 0;
  while (unit < tsr_place.units_n && list[unit] == usual(TSR_UNIT(unit))) unit++;
  return unit == tsr_place.units_n;
}

/* The rest is known without a table. */
static void keep_own(void) {
  uint64_t *own = malloc(tsr_place.count * sizeof *own);
  if (!own) return;
  memcpy(own, tsr_heap_bases.table + tsr_place.first, tsr_place.count * sizeof *own);
  free(tsr_heap_bases.table);
  tsr_heap_bases = (struct tsr_heap_bases){tsr_place.first, tsr_place.count, own};
}

tessera_status_t tsr_heap_bases_start(void) {
  if (users_n++ > 0) return TESSERA_OK;
  int64_t *list = malloc((size_t)tsr_place.units_n * sizeof *list);
  if (!list) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a table of %d units", tsr_place.units_n);
  tsr_agree_gather(tsr_team_world, (int64_t)(uintptr_t)tsr_heap_at(tsr_heap.self, 0), list);
  tsr_heap_bases = (struct tsr_heap_bases){0, (uint32_t)tsr_place.units_n, (uint64_t *)list};
  if (tsr_place.count && are_usual(tsr_heap_bases.table)) keep_own();
  return TESSERA_OK;
}

void tsr_heap_bases_stop(void) {
  if (--users_n > 0) return;
  free(tsr_heap_bases.table);
  tsr_heap_bases = (struct tsr_heap_bases){0};
}

uint64_t tsr_heap_base_elsewhere(tsr_unit unit) { return usual(unit); }
