/* Where each unit's heap begins in that unit's own memory, for interfaces whose programs name remote memory by its owner's
 * pointers. Usually all nodes have mapped their heaps at one address, and a table of the own node's units is enough. Units that
 * found no common free range have mapped them anywhere, and then there is a table of all. */
#ifndef TSR_CORE_HEAP_BASE_H
#define TSR_CORE_HEAP_BASE_H

#include <stdint.h>

#include <tessera.h>

#include "core/place.h"
#include "core/unit.h"

struct tsr_heap_bases {
  uint32_t first, count; /* units in the table: [first, first + count) */
  uint64_t *table;       /* NULL: no interface needs it */
};
extern struct tsr_heap_bases tsr_heap_bases;

/* Each interface that needs them says so, and that it needs them no more. The first is collective over the job.
 * TESSERA_ERR_MEMORY: the others wait. */
tessera_status_t tsr_heap_bases_start(void);
void tsr_heap_bases_stop(void);

/* Where that unit's heap begins for itself; _elsewhere: of a unit that is not in the table. */
uint64_t tsr_heap_base_elsewhere(tsr_unit unit);
static inline uint64_t tsr_heap_base(tsr_unit unit) {
  uint32_t index = (uint32_t)unit.id - tsr_heap_bases.first;
  return __builtin_expect(index < tsr_heap_bases.count, 1) ? tsr_heap_bases.table[index] : tsr_heap_base_elsewhere(unit);
}

/* The pointer that a unit itself knows this byte of its heap by. */
static inline void *tsr_heap_base_pointer(tsr_unit unit, uint64_t off) {
  return (void *)(uintptr_t)(tsr_heap_base(unit) + off);
}

#endif
