#include "api/armci/address.h"

int tsr_armci_no_proc(const char *call, int proc) {
  return tsr_armci_fail(FAIL5, "TSR-3000 %s: there is no process %d; pass a number in the world, 0 to %d, also for groups",
                        call, proc, tsr_place.units_n - 1);
}

int tsr_armci_no_address(const char *call, const void *pointer, ptrdiff_t low, ptrdiff_t high, int proc) {
  tsr_addr address;
  if (!tsr_armci_translate(pointer, low, high, proc, &address))
    return tsr_armci_fail(FAIL6, "TSR-3001 %s: bytes %td to %td from %p on are not in the shared memory of process %d, %p to "
                          "%p; pass that process's pointer as ARMCI_Malloc stored it", call, low, high, pointer, proc,
                          tsr_heap_base_pointer(TSR_UNIT(proc), 0),
                          tsr_heap_base_pointer(TSR_UNIT(proc), tsr_heap_slice_bytes()));
  if (tsr_armci_find(address.unit, address.off + (uint64_t)low, (uint64_t)high - (uint64_t)low) == TSR_ARMCI_BEYOND)
    return tsr_armci_fail(FAIL6, "TSR-3002 %s: bytes %td to %td from %p on, of process %d, go beyond an allocation; check "
                          "sizes and strides", call, low, high, pointer, proc);
  return tsr_armci_fail(FAIL6, "TSR-3003 %s: bytes %td to %td from %p on, of process %d, were freed by ARMCI_Free; complete "
                        "all operations on memory before it is freed", call, low, high, pointer, proc);
}
