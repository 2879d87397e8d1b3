#include <dash/dart/if/dart_globmem.h>

#include "core/place.h"
#include "api/dart/dart_api.h"

/* This unit's part of a segment, which is always mapped. */
static char *own_part(const tsr_segment *segment) {
  return tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(segment->team->self), 0));
}

dart_ret_t dart_gptr_getaddr(const dart_gptr_t gptr, void **addr) {
  const tsr_segment *segment = tsr_dart_segment(gptr);
  if (!TSR_LIKELY(segment)) return tsr_dart_refuse(__func__, gptr, 0);
  if (!TSR_LIKELY(addr)) return tsr_dart_invalid("TSR-2110 dart_gptr_getaddr: addr is NULL; pass where to store the address");
  bool own = gptr.unitid == segment->team->self;
  if (own && !TSR_LIKELY(tsr_segment_lasts(segment, TSR_MEMBER(segment->team->self)))) return tsr_dart_refuse(__func__, gptr, 0);
  /* Integer arithmetic, since the offset is not checked. */
  *addr = own ? (void *)((uintptr_t)own_part(segment) + gptr.addr_or_offs.offset) : NULL;
  return DART_OK;
}

dart_ret_t dart_gptr_setaddr(dart_gptr_t *gptr, void *addr) {
  if (!gptr) return tsr_dart_invalid("TSR-2111 dart_gptr_setaddr: gptr is NULL; pass the pointer to change");
  const tsr_segment *segment = tsr_dart_segment(*gptr);
  if (!segment) return tsr_dart_refuse(__func__, *gptr, 0);
  dart_gptr_t own = *gptr;
  own.unitid = segment->team->self;
  if (!tsr_segment_lasts(segment, TSR_MEMBER(segment->team->self))) return tsr_dart_refuse(__func__, own, 0);
  uint64_t off = (uint64_t)((uintptr_t)addr - (uintptr_t)own_part(segment));
  if (!tsr_segment_holds(segment, TSR_MEMBER(segment->team->self), off, 0))
    return tsr_dart_invalid("TSR-2112 dart_gptr_setaddr: address %p does not lie in this unit's part of segment %d of team %d; "
                            "take an address from dart_gptr_getaddr", addr, gptr->segid, gptr->teamid);
  gptr->addr_or_offs.offset = off;
  return DART_OK;
}

dart_ret_t dart_gptr_getflags(dart_gptr_t gptr, uint16_t *flags) {
  const tsr_segment *segment = tsr_dart_segment(gptr);
  if (!segment) return tsr_dart_refuse(__func__, gptr, 0);
  if (!flags) return tsr_dart_invalid("TSR-2113 dart_gptr_getflags: flags is NULL; pass where to store them");
  *flags = segment->flags;
  return DART_OK;
}

dart_ret_t dart_gptr_setflags(dart_gptr_t *gptr, uint16_t flags) {
  if (!gptr) return tsr_dart_invalid("TSR-2114 dart_gptr_setflags: gptr is NULL; pass a pointer into the segment");
  tsr_segment *segment = tsr_dart_segment(*gptr);
  if (!segment) return tsr_dart_refuse(__func__, *gptr, 0);
  segment->flags = flags;
  gptr->flags = flags & 0xff;
  return DART_OK;
}
