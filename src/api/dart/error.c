/* Status codes, and the cold half of tsr_dart_address: it repeats the checks and reports which one failed. */
#include "api/dart/dart_api.h"

#include <inttypes.h>

#include "core/runtime.h"

dart_ret_t tsr_dart_code(tessera_status_t status) {
  switch (status) {
    case TESSERA_OK: return DART_OK;
    case TESSERA_ERR_ARG:
    case TESSERA_ERR_RANGE:
    case TESSERA_ERR_NOT_FOUND:
    case TESSERA_ERR_UNSUPPORTED: return DART_ERR_INVAL;
    case TESSERA_ERR_STATE: return DART_ERR_NOTINIT;
    case TESSERA_ERR_MEMORY: return DART_ERR_NOMEM;
    default: return DART_ERR_OTHER;
  }
}

dart_ret_t tsr_dart_no_team(const char *call, dart_team_t id) {
  if (!tsr_dart_up) return tsr_dart_code(tsr_runtime_not_up(call));
  if (id == DART_TEAM_NULL)
    return tsr_dart_invalid("TSR-2118 %s: the team is DART_TEAM_NULL; call from members of the team only", call);
  return tsr_dart_invalid("TSR-2119 %s: unknown team %d; it was destroyed, or this unit is not a member of it", call, id);
}

dart_ret_t tsr_dart_report(const char *call, dart_gptr_t gptr, uint64_t bytes) {
  if (tsr_dart_up && DART_GPTR_ISNULL(gptr))
    return tsr_dart_invalid("TSR-2120 %s: the global pointer is null; allocate memory and use the pointer to it", call);
  const tsr_team *team = tsr_dart_team(gptr.teamid);
  if (!team) return tsr_dart_no_team(call, gptr.teamid);
  const tsr_segment *segment = tsr_segment_find(team, gptr.segid);
  if (!segment)
    return tsr_dart_invalid("TSR-2121 %s: team %d has no segment %d; it was freed or deregistered, or the pointer is damaged",
                            call, gptr.teamid, gptr.segid);
  if (!tsr_team_has(team, TSR_MEMBER(gptr.unitid)))
    return tsr_dart_invalid("TSR-2122 %s: there is no unit %d in team %d, whose units are 0 to %d; correct the pointer's unit, "
                            "which is relative to the team", call, gptr.unitid, gptr.teamid, team->size - 1);
  if (!tsr_segment_lasts(segment, TSR_MEMBER(gptr.unitid)))
    return tsr_dart_invalid("TSR-2123 %s: unit %d has deregistered its part of segment %d of team %d; deregister only after "
                            "the last access, as after a barrier", call, gptr.unitid, gptr.segid, gptr.teamid);
  uint64_t size = tsr_segment_bytes(segment, TSR_MEMBER(gptr.unitid));
  return tsr_dart_invalid("TSR-2124 %s: %" PRIu64 " bytes at offset %" PRIu64 " do not lie in segment %d of team %d, which "
                          "has %" PRIu64 " bytes on unit %d; correct the pointer or the number of elements", call, bytes,
                          gptr.addr_or_offs.offset, gptr.segid, gptr.teamid, size, gptr.unitid);
}
