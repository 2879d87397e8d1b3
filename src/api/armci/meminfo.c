/* Local allocations, and the descriptions by which other processes access them. */
#include "core/segment.h"
#include "api/armci/address.h"

void PARMCI_Memget(size_t bytes, armci_meminfo_t *meminfo, int memflg) {
  if (!tsr_armci_up) tsr_armci_die("TSR-3047 ARMCI_Memget: called before ARMCI_Init or after ARMCI_Finalize");
  if (!meminfo) tsr_armci_die("TSR-3048 ARMCI_Memget: meminfo is NULL; pass where to store the description");
  if (!bytes || memflg)
    tsr_armci_die("TSR-3049 ARMCI_Memget: %zu bytes with flag %d; pass at least 1 byte, and flag 0", bytes, memflg);
  uint64_t off;
  if (tsr_segment_local_alloc(TSR_API_ARMCI, bytes, &off))
    tsr_armci_die("TSR-3050 ARMCI_Memget: no memory for %zu bytes; enlarge TESSERA_HEAP_SIZE", bytes);
  char *made = tsr_heap_at(tsr_heap.self, off);
  *meminfo = (armci_meminfo_t){.armci_addr = made, .addr = made, .size = bytes, .cpid = tsr_place.self};
}

/* An invalid description ends the job. */
static tsr_addr address_of(const char *call, const armci_meminfo_t *meminfo) {
  tsr_addr address;
  if (!tsr_armci_up) tsr_armci_die("TSR-3051 %s: called before ARMCI_Init or after ARMCI_Finalize", call);
  if (!meminfo) tsr_armci_die("TSR-3052 %s: meminfo is NULL; pass a description that ARMCI_Memget stored", call);
  bool good = meminfo->armci_addr && tsr_armci_has(meminfo->cpid) && meminfo->size <= PTRDIFF_MAX;
  if (good) good = tsr_armci_address(meminfo->armci_addr, 0, (ptrdiff_t)meminfo->size, meminfo->cpid, &address);
  if (!good || tsr_addr_is_outside(address))
    tsr_armci_die("TSR-3053 %s: meminfo describes no memory: it was freed, or ARMCI_Memget did not fill it in; pass a live one",
                  call);
  return address;
}

void *PARMCI_Memat(armci_meminfo_t *meminfo, long offset) {
  tsr_addr address = address_of("ARMCI_Memat", meminfo);
  if (offset < 0 || (size_t)offset > meminfo->size)
    tsr_armci_die("TSR-3054 ARMCI_Memat: offset is %ld; pass 0 to %zu, the size of the memory", offset, meminfo->size);
  char *begin = tsr_place_pointer(address);
  return (begin ? begin : meminfo->armci_addr) + offset;
}

void PARMCI_Memdt(armci_meminfo_t *meminfo, long offset) {
  (void)offset;
  (void)address_of("ARMCI_Memdt", meminfo);
}

void PARMCI_Memctl(armci_meminfo_t *meminfo) {
  tsr_addr address = address_of("ARMCI_Memctl", meminfo);
  if (address.unit.id == tsr_place.self && tsr_segment_local_free(TSR_API_ARMCI, address.off))
    tsr_armci_die("TSR-3055 ARMCI_Memctl: no memory of ARMCI_Memget begins at %p; free it once", (void *)meminfo->armci_addr);
  meminfo->armci_addr = meminfo->addr = NULL;
}

TSR_ARMCI_NAME(Memget);
TSR_ARMCI_NAME(Memat);
TSR_ARMCI_NAME(Memdt);
TSR_ARMCI_NAME(Memctl);
