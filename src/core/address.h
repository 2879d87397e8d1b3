/* A place in global memory: a unit and an offset in that unit's heap. The pointers of every interface are translated to this.
 *
 * Memory that a program brings lies outside the heap. Its offset has the top bit set and is otherwise its address in the process of
 * the unit: offsets add up in the same way, but only the unit itself gets a pointer from it. */
#ifndef TSR_CORE_ADDRESS_H
#define TSR_CORE_ADDRESS_H

#include <stdbool.h>

#include "core/unit.h"

typedef struct tsr_addr {
  tsr_unit unit;
  uint64_t off;
} tsr_addr;

#define TSR_ADDR_OUTSIDE ((uint64_t)1 << 63) /* addresses of processes have 56 bits at most */

static inline tsr_addr tsr_addr_outside(tsr_unit unit, const void *pointer) {
  return (tsr_addr){unit, TSR_ADDR_OUTSIDE | (uintptr_t)pointer};
}
static inline bool tsr_addr_is_outside(tsr_addr address) { return address.off >= TSR_ADDR_OUTSIDE; }

/* The address in the process of the unit; it is meaningless in any other process. */
static inline void *tsr_addr_outside_pointer(tsr_addr address) {
  return (void *)(uintptr_t)(address.off & ~TSR_ADDR_OUTSIDE);
}

#endif
