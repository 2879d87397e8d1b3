/* Where each unit's heap begins in that unit's address space, for interfaces that name remote memory by its owner's pointers.
 * Usually all nodes have mapped their heaps at one address; then an entry of the table is filled when its unit is first asked
 * for. Otherwise all entries are filled at the start. */
#ifndef TSR_CORE_HEAP_BASE_H
#define TSR_CORE_HEAP_BASE_H

#include <stdatomic.h>
#include <stdint.h>

#include <tessera.h>

#include "base/status.h"
#include "core/place.h"
#include "core/unit.h"

extern _Atomic uint64_t *tsr_heap_bases; /* by unit, 0: not asked for yet; NULL: no interface needs them */

/* An interface that needs the table calls _start, and calls _stop when it no longer needs it. The first call of _start is
 * collective over the job. TESSERA_ERR_MEMORY: the other units wait in the call, so the caller ends the job. */
tessera_status_t tsr_heap_bases_start(void) TSR_MUST_USE;
void tsr_heap_bases_stop(void);

/* _known: 0 when it was not asked for yet. */
static inline uint64_t tsr_heap_base_known(tsr_unit unit) {
  return atomic_load_explicit(&tsr_heap_bases[unit.id], memory_order_relaxed);
}
uint64_t tsr_heap_base_fill(tsr_unit unit);
static inline uint64_t tsr_heap_base(tsr_unit unit) {
  uint64_t base = tsr_heap_base_known(unit);
  return __builtin_expect(base != 0, 1) ? base : tsr_heap_base_fill(unit);
}

/* The same for a caller that visits many units: the table is not filled in. */
uint64_t tsr_heap_base_look_up(tsr_unit unit);

/* The address of this byte of the unit's heap in the unit's own process. */
static inline void *tsr_heap_base_pointer(tsr_unit unit, uint64_t off) {
  return (void *)(uintptr_t)(tsr_heap_base_look_up(unit) + off);
}

#endif
