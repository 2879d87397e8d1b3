#include "faces/armci/address.h"

#include <stdlib.h>

#include "core/agree.h"

uint64_t *tsr_armci_heaps;

void tsr_armci_addresses_start(void) {
  int64_t *list = malloc((size_t)tsr_place.units_n * sizeof *list);
  if (!list) tsr_armci_die("ARMCI_Init: no private memory for a table of %d processes", tsr_place.units_n);
  tsr_agree_gather(tsr_team_world, (int64_t)(uintptr_t)tsr_heap_at(tsr_heap.self, 0), list);
  tsr_armci_heaps = (uint64_t *)list;
}

void tsr_armci_addresses_stop(void) {
  free(tsr_armci_heaps);
  tsr_armci_heaps = NULL;
}

int tsr_armci_no_proc(const char *call, int proc) {
  return tsr_armci_fail(FAIL5, "%s: there is no process %d; processes are 0 to %d, in groups too", call, proc,
                        tsr_place.units_n - 1);
}

int tsr_armci_no_address(const char *call, const void *pointer, ptrdiff_t low, ptrdiff_t high, int proc) {
  tsr_addr address;
  if (tsr_armci_translate(pointer, low, high, proc, &address))
    return tsr_armci_fail(FAIL6, "%s: bytes %td to %td from %p on, of process %d, were freed by ARMCI_Free; complete what uses "
                          "memory before it goes", call, low, high, pointer, proc);
  return tsr_armci_fail(FAIL6, "%s: bytes %td to %td from %p on are no memory that process %d shares, which is from %p to %p; "
                        "pass that process's pointer as ARMCI_Malloc stored it", call, low, high, pointer, proc,
                        tsr_armci_pointer(TSR_UNIT(proc), 0), tsr_armci_pointer(TSR_UNIT(proc), tsr_heap_slice_bytes()));
}

int tsr_armci_not_aligned(const char *call, const void *pointer, size_t align) {
  return tsr_armci_fail(FAIL, "%s: %p is not at a multiple of %zu bytes, as elements of this type are", call, pointer, align);
}
