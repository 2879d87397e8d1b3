#include <dash/dart/if/dart_ext_pointer.h>

#include "core/heap_base.h"
#include "core/place.h"
#include "api/dart/dart_api.h"
#include "node/heap.h"

/* This unit's part of a segment, which is always mapped. */
static char *own_part(const tsr_segment *segment) {
  return tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(segment->team->self), 0));
}

dart_ret_t dart_gptr_getaddr(const dart_gptr_t gptr, void **addr) {
  const tsr_segment *segment = tsr_dart_segment(gptr);
  if (!TSR_LIKELY(segment)) return tsr_dart_report(__func__, gptr, 0);
  if (!TSR_LIKELY(addr)) return tsr_dart_invalid("TSR-2110 dart_gptr_getaddr: addr is NULL; pass where to store the address");
  bool own = gptr.unitid == segment->team->self;
  if (own && !TSR_LIKELY(tsr_segment_lasts(segment, TSR_MEMBER(gptr.unitid)))) return tsr_dart_report(__func__, gptr, 0);
  /* Integer arithmetic, since the offset is not checked. */
  *addr = own ? (void *)((uintptr_t)own_part(segment) + gptr.addr_or_offs.offset) : NULL;
  return DART_OK;
}

dart_ret_t dart_gptr_setaddr(dart_gptr_t *gptr, void *addr) {
  if (!gptr) return tsr_dart_invalid("TSR-2111 dart_gptr_setaddr: gptr is NULL; pass the pointer to change");
  const tsr_segment *segment = tsr_dart_segment(*gptr);
  if (!segment) return tsr_dart_report(__func__, *gptr, 0);
  dart_gptr_t own = *gptr;
  own.unitid = segment->team->self;
  if (!tsr_segment_lasts(segment, TSR_MEMBER(segment->team->self))) return tsr_dart_report(__func__, own, 0);
  uint64_t off = (uint64_t)((uintptr_t)addr - (uintptr_t)own_part(segment));
  if (!tsr_segment_holds(segment, TSR_MEMBER(segment->team->self), off, 0))
    return tsr_dart_invalid("TSR-2112 dart_gptr_setaddr: address %p does not lie in this unit's part of segment %d of team %d; "
                            "take an address from dart_gptr_getaddr", addr, gptr->segid, gptr->teamid);
  gptr->addr_or_offs.offset = off;
  return DART_OK;
}

dart_ret_t dart_gptr_getflags(dart_gptr_t gptr, uint16_t *flags) {
  const tsr_segment *segment = tsr_dart_segment(gptr);
  if (!segment) return tsr_dart_report(__func__, gptr, 0);
  if (!flags) return tsr_dart_invalid("TSR-2113 dart_gptr_getflags: flags is NULL; pass where to store them");
  *flags = segment->flags;
  return DART_OK;
}

dart_ret_t dart_gptr_setflags(dart_gptr_t *gptr, uint16_t flags) {
  if (!gptr) return tsr_dart_invalid("TSR-2114 dart_gptr_setflags: gptr is NULL; pass a pointer into the segment");
  tsr_segment *segment = tsr_dart_segment(*gptr);
  if (!segment) return tsr_dart_report(__func__, *gptr, 0);
  segment->flags = flags;
  gptr->flags = flags & 0xff;
  return DART_OK;
}

/* The table of heap bases exists while an interface that needs it is up. */
static dart_ret_t check_up(const char *call) {
  if (tsr_dart_up && tsr_heap_bases) return DART_OK;
  return tsr_dart_fail(TESSERA_ERR_STATE, "TSR-2042 %s: called before dart_init, or without an interface whose pointers it "
                       "could convert; initialise ARMCI or GASNet as well", call);
}

dart_ret_t dart_gptr_getpointer(dart_gptr_t gptr, dart_global_unit_t *unit, void **pointer) {
  tsr_addr address;
  dart_ret_t result = check_up(__func__);
  if (result != DART_OK) return result;
  if (!unit || !pointer) return tsr_dart_invalid("TSR-2043 %s: unit or pointer is NULL; pass where to store both", __func__);
  if (!tsr_dart_address(gptr, 0, &address)) return tsr_dart_report(__func__, gptr, 0);
  if (tsr_addr_is_outside(address))
    return tsr_dart_invalid("TSR-2044 %s: registered memory has no pointer in other interfaces; use allocated memory",
                            __func__);
  unit->id = address.unit.id;
  *pointer = tsr_heap_base_pointer(address.unit, address.off);
  return DART_OK;
}

dart_ret_t dart_gptr_setpointer(dart_gptr_t *gptr, dart_global_unit_t unit, const void *pointer) {
  dart_ret_t result = check_up(__func__);
  if (result != DART_OK) return result;
  if (!gptr) return tsr_dart_invalid("TSR-2045 %s: gptr is NULL; pass where to store the pointer", __func__);
  if (unit.id < 0 || unit.id >= tsr_place.units_n)
    return tsr_dart_invalid("TSR-2046 %s: there is no unit %d; units are 0 to %d", __func__, unit.id, tsr_place.units_n - 1);
  uint64_t off = (uint64_t)(uintptr_t)pointer - tsr_heap_base(TSR_UNIT(unit.id));
  if (off >= tsr_heap_slice_bytes())
    return tsr_dart_invalid("TSR-2047 %s: %p is not in the shared heap of unit %d; pass the address that is valid on that unit",
                            __func__, pointer, unit.id);
  *gptr = (dart_gptr_t){.unitid = unit.id, .segid = TSR_SEGMENT_LOCAL, .teamid = DART_TEAM_ALL, .addr_or_offs.offset = off};
  return DART_OK;
}
