#include <dash/dart/if/dart_ext_pointer.h>

#include "core/heap_base.h"
#include "core/place.h"
#include "api/dart/dart_api.h"
#include "node/heap.h"

/* The table of heap bases exists while an interface is up that needs it. */
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
  if (!tsr_dart_address(gptr, 0, &address)) return tsr_dart_refuse(__func__, gptr, 0);
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
  *gptr = (dart_gptr_t){.unitid = unit.id, .segid = TSR_SEGMENT_LOCAL, .teamid = DART_TEAM_ALL, .addr_or_offs = {.offset = off}};
  return DART_OK;
}
