#include "api/armci/late.h"

#include "core/op.h"

tsr_armci_late tsr_armci_waited = TSR_ARMCI_LATE_NONE, tsr_armci_started = TSR_ARMCI_LATE_NONE;

/* Several units are as good as all: the next call waits for all that is under way. */
static void add(tsr_armci_late *late, int32_t unit) {
  int32_t seen = atomic_load(late), next;
  do next = seen == TSR_ARMCI_LATE_NONE || seen == unit ? unit : TSR_ARMCI_LATE_SEVERAL;
  while (!atomic_compare_exchange_weak(late, &seen, next));
}

void tsr_armci_late_add(tsr_armci_late *late, tsr_unit unit) { add(late, unit.id); }

void tsr_armci_late_wait(void) {
  int32_t started = atomic_exchange(&tsr_armci_started, TSR_ARMCI_LATE_NONE);
  if (started != TSR_ARMCI_LATE_NONE) add(&tsr_armci_waited, started);
}

void tsr_armci_late_flush(tsr_unit unit) {
  int32_t late = atomic_load(&tsr_armci_waited);
  if (late != unit.id && late != TSR_ARMCI_LATE_SEVERAL) return;
  if (!atomic_compare_exchange_strong(&tsr_armci_waited, &late, TSR_ARMCI_LATE_NONE)) late = TSR_ARMCI_LATE_SEVERAL;
  if (late == TSR_ARMCI_LATE_SEVERAL) tsr_op_flush_all();
  else tsr_op_flush(unit);
}
