/* Split-phase barriers with names: an extension of the published interface. */
#include <dash/dart/if/dart_ext_collective.h>

#include "coll/named.h"
#include "core/progress.h"
#include "api/dart/collective.h"
#include "api/dart/dart_api.h"

dart_ret_t dart_barrier_notify(dart_team_t team, int64_t name) {
  struct tsr_dart_share share;
  dart_ret_t result = tsr_dart_share_start(&share, __func__, team, 0, DART_TYPE_BYTE, true);
  if (result != DART_OK) return result;
  if (tsr_named_is_open(share.team))
    result = tsr_dart_invalid("TSR-2025 %s: team %d already has an open barrier; wait for it first", __func__, team);
  if (tsr_dart_share_goes_on(&share, result)) tsr_named_notify(share.team, name, true);
  return tsr_dart_share_end(&share, TSR_STAT_BARRIER, result);
}

/* A team with an open barrier. NULL, logged: none. */
static tsr_team *find_open(const char *call, dart_team_t id) {
  tsr_team *team = tsr_dart_team(id);
  if (team && tsr_named_is_open(team)) return team;
  (void)tsr_dart_invalid("TSR-2026 %s: team %d is unknown or has no open barrier; call dart_barrier_notify first", call, id);
  return NULL;
}

dart_ret_t dart_barrier_wait(dart_team_t id) {
  tsr_team *team = find_open(__func__, id);
  if (!team) return DART_ERR_INVAL;
  tsr_named_await(team);
  return tsr_dart_code(tsr_named_close(team, __func__));
}

dart_ret_t dart_barrier_try(dart_team_t id, int32_t *over) {
  tsr_team *team = find_open(__func__, id);
  if (!team) return DART_ERR_INVAL;
  if (!over) return tsr_dart_invalid("TSR-2027 %s: over is NULL; pass where to store the answer", __func__);
  tsr_progress();
  *over = tsr_named_is_over(team);
  return *over ? tsr_dart_code(tsr_named_close(team, __func__)) : DART_OK;
}
