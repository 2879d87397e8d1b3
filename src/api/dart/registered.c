/* Registered memory: segments in memory that the program allocated. */
#include <dash/dart/if/dart_globmem.h>

#include "base/stats.h"
#include "api/dart/dart_api.h"
#include "api/dart/type.h"

/* A unit with wrong arguments still takes part in the collective, so that the other units fail instead of waiting. */
static dart_ret_t register_memory(const char *call, dart_team_t teamid, size_t nelem, dart_datatype_t dtype, void *addr,
                                  dart_gptr_t *gptr) {
  tsr_team *team = tsr_dart_team(teamid);
  if (!team) return tsr_dart_no_team(call, teamid);
  size_t bytes = 0;
  dart_ret_t result = gptr ? tsr_dart_size(call, nelem, dtype, &bytes)
                           : tsr_dart_invalid("TSR-2125 %s: gptr is NULL; pass where to store the pointer", call);
  if (result == DART_OK && bytes && !addr)
    result = tsr_dart_invalid("TSR-2126 %s: addr is NULL for %zu elements; pass their address, or register none", call, nelem);
  uint64_t begun_ns = tsr_stats_begin();
  tsr_segment *segment = NULL;
  tessera_status_t status = tsr_segment_register(team, addr, result == DART_OK ? bytes : TSR_SEGMENT_REFUSED, &segment);
  if (result != DART_OK) return result;
  if (status) return tsr_dart_code(status);
  segment->api = TSR_API_DART;
  *gptr = (dart_gptr_t){.unitid = 0, .segid = (int16_t)segment->id, .teamid = teamid};
  tsr_stats_end(TSR_STAT_REGISTER, begun_ns, bytes, 0);
  return DART_OK;
}

dart_ret_t dart_team_memregister_aligned(dart_team_t teamid, size_t nelem, dart_datatype_t dtype, void *addr,
                                         dart_gptr_t *gptr) {
  return register_memory(__func__, teamid, nelem, dtype, addr, gptr);
}

dart_ret_t dart_team_memregister(dart_team_t teamid, size_t nlelem, dart_datatype_t dtype, void *addr,
                                 dart_gptr_t *gptr) {
  return register_memory(__func__, teamid, nlelem, dtype, addr, gptr);
}

dart_ret_t dart_team_memderegister(dart_gptr_t gptr) {
  if (tsr_dart_up && DART_GPTR_ISNULL(gptr)) return DART_OK;
  tsr_segment *segment = tsr_dart_segment(gptr);
  if (!segment) return tsr_dart_refuse(__func__, gptr, 0);
  if (segment->id >= 0)
    return tsr_dart_invalid("TSR-2127 %s: segment %d of team %d was allocated, not registered; free it with %s", __func__,
                            gptr.segid, gptr.teamid, segment->id ? "dart_team_memfree" : "dart_memfree on its unit");
  if (!tsr_segment_lasts(segment, TSR_MEMBER(segment->team->self)))
    return tsr_dart_invalid("TSR-2128 %s: this unit has already deregistered its part of segment %d of team %d; do so once",
                            __func__, gptr.segid, gptr.teamid);
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = tsr_segment_deregister(segment);
  tsr_stats_end(TSR_STAT_DEREGISTER, begun_ns, 0, 0);
  return tsr_dart_code(status);
}
