/* Where each unit's heap begins in that unit's own memory, for interfaces whose programs name remote memory by its owner's
 * pointers. Usually that follows from one number, but units that found no common free range have mapped it anywhere. */
#ifndef TSR_CORE_HEAP_BASE_H
#define TSR_CORE_HEAP_BASE_H

#include <stdint.h>

#include <tessera.h>

#include "core/unit.h"

extern uint64_t *tsr_heap_bases; /* by unit */

/* Each interface that needs the table says so, and that it needs it no more. The first is collective over the job.
 * TESSERA_ERR_MEMORY: the others wait. */
tessera_status_t tsr_heap_bases_start(void);
void tsr_heap_bases_stop(void);

/* The pointer that a unit itself knows this byte of its heap by. */
static inline void *tsr_heap_base_pointer(tsr_unit unit, uint64_t off) {
  return (void *)(uintptr_t)(tsr_heap_bases[unit.id] + off);
}

#endif
