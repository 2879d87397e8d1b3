/* Local and collective allocations, and registered memory: segments in memory that the program allocated. */
#include <dash/dart/if/dart_globmem.h>

#include <inttypes.h>

#include "base/bits.h"
#include "core/stats.h"
#include "api/dart/dart_api.h"
#include "api/dart/type.h"

dart_ret_t tsr_dart_size(const char *call, size_t nelem, dart_datatype_t dtype, size_t *bytes) {
  size_t elem_bytes = tsr_dart_contiguous_bytes(dtype);
  if (!elem_bytes) return tsr_dart_report_type(call, dtype);
  if (!tsr_mul_size(nelem, elem_bytes, bytes) || *bytes > PTRDIFF_MAX)
    return tsr_dart_invalid("TSR-2090 %s: %zu elements of %s exceed the address space; correct nelem", call, nelem,
                            tsr_dart_type_name(dtype));
  return DART_OK;
}

dart_ret_t dart_memalloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t *gptr) {
  if (!gptr) return tsr_dart_invalid("TSR-2091 %s: gptr is NULL; pass where to store the pointer", __func__);
  *gptr = DART_GPTR_NULL;
  const tsr_team *world = tsr_dart_team(DART_TEAM_ALL);
  if (!world) return tsr_dart_no_team(__func__, DART_TEAM_ALL);
  size_t bytes = 0;
  dart_ret_t result = tsr_dart_size(__func__, nelem, dtype, &bytes);
  if (result != DART_OK) return result;
  uint64_t begun_ns = tsr_stats_begin(), off = 0;
  if (tsr_segment_local_alloc(TSR_API_DART, bytes, &off) != TESSERA_OK) return DART_ERR_OTHER;
  *gptr = (dart_gptr_t){.unitid = world->self, .segid = DART_SEGMENT_LOCAL, .teamid = DART_TEAM_ALL,
                        .addr_or_offs.offset = off};
  tsr_stats_end(TSR_STAT_ALLOC, begun_ns, bytes);
  return DART_OK;
}

dart_ret_t dart_memfree(dart_gptr_t gptr) {
  const tsr_segment *segment = tsr_dart_segment(gptr);
  if (!segment) return tsr_dart_report(__func__, gptr, 0);
  if (gptr.teamid != DART_TEAM_ALL || gptr.segid != DART_SEGMENT_LOCAL || gptr.unitid != segment->team->self)
    return tsr_dart_invalid("TSR-2092 %s: gptr names unit %d, segment %d, team %d, which is not local memory of this unit "
                            "(%d); free it on the unit that called dart_memalloc", __func__, gptr.unitid, gptr.segid,
                            gptr.teamid, segment->team->self);
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = tsr_segment_local_free(TSR_API_DART, gptr.addr_or_offs.offset);
  tsr_stats_end(TSR_STAT_FREE, begun_ns, 0);
  if (status == TESSERA_ERR_NOT_FOUND)
    return tsr_dart_fail(status, "TSR-2093 %s: no allocation of this unit begins at offset %" PRIu64 "; pass a pointer that "
                         "dart_memalloc returned, and free it once", __func__, gptr.addr_or_offs.offset);
  return tsr_dart_code(status);
}

/* Allocates a segment, or registers the memory at `addr` as one. A unit with wrong arguments still takes part in the
 * collective, so that the other units fail instead of waiting. */
static dart_ret_t make_segment(const char *call, dart_team_t teamid, size_t nelem, dart_datatype_t dtype, bool registers,
                               void *addr, dart_gptr_t *gptr) {
  tsr_team *team = tsr_dart_team(teamid);
  if (gptr) *gptr = DART_GPTR_NULL;
  if (!team) return tsr_dart_no_team(call, teamid);
  size_t bytes = 0;
  dart_ret_t result = gptr ? tsr_dart_size(call, nelem, dtype, &bytes)
                           : tsr_dart_invalid("TSR-2094 %s: gptr is NULL; pass where to store the pointer", call);
  if (result == DART_OK && registers && bytes && !addr)
    result = tsr_dart_invalid("TSR-2126 %s: addr is NULL for %zu elements; pass their address, or register none", call, nelem);
  uint64_t begun_ns = tsr_stats_begin();
  if (result != DART_OK) bytes = TSR_SEGMENT_FAILED;
  tsr_segment *segment = NULL;
  tessera_status_t status = registers ? tsr_segment_register(team, addr, bytes, &segment)
                                      : tsr_segment_alloc(team, bytes, &segment);
  if (result != DART_OK) return result;
  if (status) return tsr_dart_code(status);
  segment->api = TSR_API_DART;
  *gptr = (dart_gptr_t){.unitid = 0, .segid = (int16_t)segment->id, .teamid = teamid};
  tsr_stats_end(registers ? TSR_STAT_REGISTER : TSR_STAT_ALLOC, begun_ns, bytes);
  return DART_OK;
}

dart_ret_t dart_team_memalloc_aligned(dart_team_t teamid, size_t nelem, dart_datatype_t dtype, dart_gptr_t *gptr) {
  return make_segment(__func__, teamid, nelem, dtype, false, NULL, gptr);
}
dart_ret_t dart_team_memregister_aligned(dart_team_t teamid, size_t nelem, dart_datatype_t dtype, void *addr,
                                         dart_gptr_t *gptr) {
  return make_segment(__func__, teamid, nelem, dtype, true, addr, gptr);
}
dart_ret_t dart_team_memregister(dart_team_t teamid, size_t nlelem, dart_datatype_t dtype, void *addr,
                                 dart_gptr_t *gptr) {
  return make_segment(__func__, teamid, nlelem, dtype, true, addr, gptr);
}

static dart_ret_t not_of_dart(const char *call, const tsr_segment *segment) {
  return tsr_dart_invalid("TSR-2159 %s: segment %d of team %d belongs to another interface; free it through that interface", call,
                          segment->id, segment->team->id);
}

dart_ret_t dart_team_memfree(dart_gptr_t gptr) {
  if (tsr_dart_up && DART_GPTR_ISNULL(gptr)) return DART_OK;
  tsr_segment *segment = tsr_dart_segment(gptr);
  if (!segment) return tsr_dart_report(__func__, gptr, 0);
  if (gptr.teamid == DART_TEAM_ALL && gptr.segid == DART_SEGMENT_LOCAL)
    return tsr_dart_invalid("TSR-2095 %s: gptr points to local memory of unit %d; free it with dart_memfree on that unit",
                            __func__, gptr.unitid);
  if (segment->id < 0)
    return tsr_dart_invalid("TSR-2096 %s: segment %d of team %d is registered memory; call dart_team_memderegister instead",
                            __func__, gptr.segid, gptr.teamid);
  if (segment->api != TSR_API_DART) return not_of_dart(__func__, segment);
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = tsr_segment_free(segment);
  tsr_stats_end(TSR_STAT_FREE, begun_ns, 0);
  return tsr_dart_code(status);
}

dart_ret_t dart_team_memderegister(dart_gptr_t gptr) {
  if (tsr_dart_up && DART_GPTR_ISNULL(gptr)) return DART_OK;
  tsr_segment *segment = tsr_dart_segment(gptr);
  if (!segment) return tsr_dart_report(__func__, gptr, 0);
  if (segment->id >= 0)
    return tsr_dart_invalid("TSR-2127 %s: segment %d of team %d was allocated, not registered; free it with %s", __func__,
                            gptr.segid, gptr.teamid, segment->id ? "dart_team_memfree" : "dart_memfree on its unit");
  if (segment->api != TSR_API_DART) return not_of_dart(__func__, segment);
  if (!tsr_segment_lasts(segment, TSR_MEMBER(segment->team->self)))
    return tsr_dart_invalid("TSR-2128 %s: this unit has already deregistered its part of segment %d of team %d; do so once",
                            __func__, gptr.segid, gptr.teamid);
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = tsr_segment_deregister(segment);
  tsr_stats_end(TSR_STAT_DEREGISTER, begun_ns, 0);
  return tsr_dart_code(status);
}
