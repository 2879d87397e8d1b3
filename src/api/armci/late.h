/* Puts and accumulates between nodes that the program has waited for, but that may not have reached their target: ARMCI_Wait and
 * its like end when the memory of this process may be reused. One that is a single request stays in order. Another one could be
 * overtaken by a later call, although a process sees its own operations on a target in order. So later calls wait for it. */
#ifndef TSR_API_ARMCI_LATE_H
#define TSR_API_ARMCI_LATE_H

#include <stdatomic.h>

#include "core/unit.h"

/* The unit that such operations go to, or one of the values below. */
typedef _Atomic int32_t tsr_armci_late;
enum { TSR_ARMCI_LATE_NONE = -1, TSR_ARMCI_LATE_SEVERAL = -2 };

extern tsr_armci_late tsr_armci_waited;  /* that the program has waited for */
extern tsr_armci_late tsr_armci_started; /* without a handle, not waited for yet */

void tsr_armci_late_add(tsr_armci_late *late, tsr_unit unit);

/* The program has waited for the operations without a handle on some process or on all. */
void tsr_armci_late_wait(void);

/* Before a call that must not overtake them. */
void tsr_armci_late_flush(tsr_unit unit);
static inline void tsr_armci_keep_order(tsr_unit unit) {
  if (__builtin_expect(atomic_load_explicit(&tsr_armci_waited, memory_order_relaxed) != TSR_ARMCI_LATE_NONE, 0))
    tsr_armci_late_flush(unit);
}

#endif
