/* Where each unit's heap begins in that unit's own memory, for interfaces whose programs name remote memory by its owner's
 * pointers. Usually all nodes have mapped their heaps at one address; units that found no common free range have mapped them
 * anywhere, and then there is a table. */
#ifndef TSR_CORE_HEAP_BASE_H
#define TSR_CORE_HEAP_BASE_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera.h>

#include "core/place.h"
#include "core/unit.h"

struct tsr_heap_bases {
  bool known;     /* some interface needs it */
  uint64_t *list; /* by unit; NULL: as this unit's node would have it */
};
extern struct tsr_heap_bases tsr_heap_bases;

/* Each interface that needs them says so, and that it needs them no more. The first is collective over the job.
 * TESSERA_ERR_MEMORY: the others wait. */
tessera_status_t tsr_heap_bases_start(void);
void tsr_heap_bases_stop(void);

/* Where that unit's heap begins for itself. */
uint64_t tsr_heap_base_elsewhere(tsr_unit unit);
static inline uint64_t tsr_heap_base(tsr_unit unit) {
  int32_t local = tsr_place_local(unit);
  if (__builtin_expect(local >= 0 && !tsr_heap_bases.list, 1)) return (uintptr_t)tsr_heap_at((uint32_t)local, 0);
  return tsr_heap_base_elsewhere(unit);
}

/* The pointer that a unit itself knows this byte of its heap by. */
static inline void *tsr_heap_base_pointer(tsr_unit unit, uint64_t off) {
  return (void *)(uintptr_t)(tsr_heap_base(unit) + off);
}

#endif
