/* Translates the owner's pointers, by which programs name remote memory, to addresses. */
#ifndef TSR_API_ARMCI_ADDRESS_H
#define TSR_API_ARMCI_ADDRESS_H

#include "base/config.h"
#include "core/address.h"
#include "core/heap_base.h"
#include "core/place.h"
#include "core/segment.h"
#include "api/armci/armci_api.h"

static inline bool tsr_armci_has(int proc) { return (uint32_t)proc < (uint32_t)tsr_place.units_n; }

/* 0, or the code to return, logged: the interface is not up, or there is no such process. */
int tsr_armci_no_proc(const char *call, int proc) __attribute__((cold));
static inline int tsr_armci_check_proc(const char *call, int proc) {
  if (TSR_ARMCI_LIKELY(tsr_armci_up && tsr_armci_has(proc))) return 0;
  return tsr_armci_up ? tsr_armci_no_proc(call, proc) : tsr_armci_not_up(call);
}

/* tsr_armci_translate stores the address of `pointer`. The pointer itself may lie outside the bytes accessed, [pointer + low,
 * pointer + high). `proc` exists. False: the bytes are remote and not in that process's heap; local bytes may be anywhere. */
static inline bool tsr_armci_in_heap(uint64_t off, ptrdiff_t low, ptrdiff_t high) {
  uint64_t begin = off + (uint64_t)low, bytes = (uint64_t)high - (uint64_t)low, slice_bytes = tsr_heap_slice_bytes();
  return begin <= slice_bytes && bytes <= slice_bytes - begin && off < slice_bytes;
}
static inline bool tsr_armci_translate(const void *pointer, ptrdiff_t low, ptrdiff_t high, int proc, tsr_addr *address) {
  uint64_t off = (uintptr_t)pointer - tsr_heap_base(TSR_UNIT(proc));
  *address = (tsr_addr){TSR_UNIT(proc), off};
  if (TSR_ARMCI_LIKELY(tsr_armci_in_heap(off, low, high))) return true;
  *address = tsr_addr_outside(TSR_UNIT(proc), pointer);
  return proc == tsr_place.self;
}

/* The same for a unit whose heap base is known; those of this node's units are. For another unit the result may be wrong. Calls no
 * function, so that the fast path stays in registers. */
static inline bool tsr_armci_translate_known(const void *pointer, ptrdiff_t low, ptrdiff_t high, int proc,
                                             tsr_addr *address) {
  uint64_t off = (uintptr_t)pointer - tsr_heap_base_known(TSR_UNIT(proc));
  *address = (tsr_addr){TSR_UNIT(proc), off};
  if (TSR_ARMCI_LIKELY(tsr_armci_in_heap(off, low, high))) return true;
  *address = tsr_addr_outside(TSR_UNIT(proc), pointer);
  return proc == tsr_place.self;
}

/* ---- TESSERA_CHECK=1: freed memory is kept until its group has freed some more. Later accesses to it are reported, and so are
 * accesses beyond the end of an allocation ---- */

/* Whether an ARMCI allocation was freed by the program. */
static inline bool tsr_armci_is_kept(const tsr_segment *segment) { return segment->flags != 0; }

/* Collective over the segment's team. Frees the segment; with TESSERA_CHECK=1 keeps it first and frees it later. */
tessera_status_t tsr_armci_free_later(tsr_segment *segment);

/* Collective: frees all kept segments of the team. False: there were none. */
bool tsr_armci_give_back(tsr_team *team);

/* Classifies `bytes` > 0 bytes of a unit's heap. Allocations that the caller does not know of, local ones and those of
 * other groups, count as good. */
enum tsr_armci_use { TSR_ARMCI_GOOD, TSR_ARMCI_FREED /* some bytes */, TSR_ARMCI_BEYOND /* not in one allocation */ };
enum tsr_armci_use tsr_armci_find(tsr_unit unit, uint64_t off, uint64_t bytes);

/* As tsr_armci_translate. With TESSERA_CHECK=1 also false unless tsr_armci_find classifies the bytes as good. */
static inline bool tsr_armci_address(const void *pointer, ptrdiff_t low, ptrdiff_t high, int proc, tsr_addr *address) {
  if (!tsr_armci_translate(pointer, low, high, proc, address)) return false;
  bool look = __builtin_expect(tsr_config_check(), 0) && high > low && !tsr_addr_is_outside(*address);
  return !look || !tsr_armci_find(address->unit, address->off + (uint64_t)low, (uint64_t)high - (uint64_t)low);
}

/* Logs why tsr_armci_address failed, and returns FAIL6. */
int tsr_armci_no_address(const char *call, const void *pointer, ptrdiff_t low, ptrdiff_t high, int proc)
    __attribute__((cold));

#endif
