/* Split-phase barriers with names. */
#include "coll/named.h"
#include "core/progress.h"
#include "api/native/native_api.h"

tessera_status_t tessera_barrier_notify(tessera_team_t team, int64_t name) {
  struct tsr_native_kind kind = {.name = __func__, .stat = TSR_STAT_BARRIER, .starts = true, .meets = true, .blocks = true};
  struct tsr_native_call call = tsr_native_open(kind, team, 0, 1);
  if (!call.status && tsr_named_is_open(call.team))
    tsr_native_fail(&call, tsr_fail(TESSERA_ERR_STATE, "TSR-1041 %s: team %d already has an open barrier; wait for it first",
                                    kind.name, team.id));
  if (!tsr_native_goes_on(&call)) return call.status;
  tsr_named_notify(call.team, name, true);
  return tsr_native_end(&call, TESSERA_OK);
}

/* Stores a team with an open barrier. */
static tessera_status_t find_open(const char *call, tessera_team_t team, tsr_team **found) {
  *found = tsr_native_team(team);
  if (!*found) return tsr_native_no_team(call, team);
  if (tsr_named_is_open(*found)) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_STATE, "TSR-1042 %s: team %d has no open barrier; call tessera_barrier_notify first", call,
                  team.id);
}

tessera_status_t tessera_barrier_wait(tessera_team_t team) {
  tsr_team *t;
  tessera_status_t status = find_open(__func__, team, &t);
  if (status) return status;
  tsr_named_await(t);
  return tsr_named_close(t, __func__);
}

tessera_status_t tessera_barrier_try(tessera_team_t team, bool *over) {
  tsr_team *t;
  tessera_status_t status = find_open(__func__, team, &t);
  if (!status && !over) status = tsr_fail(TESSERA_ERR_ARG, "TSR-1043 %s: over is NULL; pass where to store the answer",
                                          __func__);
  if (status) return status;
  tsr_progress();
  *over = tsr_named_is_over(t);
  return *over ? tsr_named_close(t, __func__) : TESSERA_OK;
}
