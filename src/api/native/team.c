#include <stdlib.h>

#include "api/native/native_api.h"

static const tessera_team_t none = {-1};

tessera_team_t tessera_team_world(void) { return (tessera_team_t){TSR_TEAM_WORLD}; }

tessera_team_t tessera_team_of_id(int32_t id) {
  tessera_team_t team = {id};
  if (tsr_native_team(team)) return team;
  tsr_native_no_team(__func__, team);
  return none;
}

/* Takes part in the creation with an error, so that the other units fail instead of waiting. */
static tessera_status_t fail_creation(tsr_team *parent, tessera_status_t status) {
  tsr_team *nothing = NULL;
  tsr_team_create(parent, TSR_TEAM_FAILED, NULL, &nothing);
  return status;
}

static tessera_status_t check_members(const tsr_team *parent, const int32_t members[], int32_t n, const tessera_team_t *team) {
  static const char name[] = "tessera_team_create";
  if (!team) return tsr_fail(TESSERA_ERR_ARG, "TSR-1052 %s: team is NULL; pass where to store it", name);
  if (n < 0 || n > parent->size)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1053 %s: n is %d; the parent, team %d, has %d members, pass 0 to that number", name,
                    n, parent->id, parent->size);
  if (n && !members) return tsr_fail(TESSERA_ERR_ARG, "TSR-1054 %s: members is NULL; pass a list of %d", name, n);
  for (int32_t i = 0; i < n; i++) {
    if (!tsr_team_has(parent, TSR_MEMBER(members[i])))
      return tsr_fail(TESSERA_ERR_RANGE, "TSR-1055 %s: there is no member %d in team %d, whose members are 0 to %d; correct "
                      "entry %d of the list", name, members[i], parent->id, parent->size - 1, i);
  }
  return TESSERA_OK;
}

tessera_status_t tessera_team_create(tessera_team_t parent, const int32_t members[], int32_t n, tessera_team_t *team) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_team *of = tsr_native_team(parent), *made = NULL;
  if (!of) return tsr_native_no_team(__func__, parent);
  tessera_status_t status = check_members(of, members, n, team);
  if (status) return n ? fail_creation(of, status) : status; /* for an empty list no unit waits */
  tsr_unit *units = malloc((size_t)n * sizeof *units + 1);
  if (!units)
    return fail_creation(of, tsr_fail(TESSERA_ERR_MEMORY, "TSR-1056 %s: no private memory for %d members; free some",
                                      __func__, n));
  for (int32_t i = 0; i < n; i++) units[i] = tsr_team_unit(of, TSR_MEMBER(members[i]));
  status = tsr_team_create(of, n, units, &made);
  free(units);
  if (status) return status;
  *team = made ? (tessera_team_t){made->id} : none;
  tsr_stats_end(TSR_STAT_TEAM, begun_ns, 0);
  return TESSERA_OK;
}

tessera_status_t tessera_team_free(tessera_team_t *team) {
  if (!team) return tsr_fail(TESSERA_ERR_ARG, "TSR-1057 %s: team is NULL; pass its address", __func__);
  if (tsr_api_is_up[TSR_API_NATIVE] && team->id == none.id) return TESSERA_OK;
  tsr_team *found = tsr_native_team(*team);
  if (!found) return tsr_native_no_team(__func__, *team);
  if (found == tsr_team_world || found->api != TSR_API_NATIVE)
    return tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-1058 %s: team %d was not created by tessera_team_create; the world ends with "
                    "tessera_exit, free another team with its own interface", __func__, team->id);
  tessera_status_t status = tsr_team_destroy(found);
  if (!status) *team = none;
  return status;
}

/* NULL: there is none, which is logged. */
static const tsr_team *find_team(const char *name, tessera_team_t team) {
  const tsr_team *found = tsr_native_team(team);
  if (!found) tsr_native_no_team(name, team);
  return found;
}

int32_t tessera_team_size(tessera_team_t team) {
  const tsr_team *found = find_team(__func__, team);
  return found ? found->size : -1;
}

int32_t tessera_team_rank(tessera_team_t team) {
  const tsr_team *found = find_team(__func__, team);
  return found ? found->self : -1;
}

int32_t tessera_team_unit(tessera_team_t team, int32_t member) {
  const tsr_team *found = find_team(__func__, team);
  if (!found) return -1;
  if (tsr_team_has(found, TSR_MEMBER(member))) return tsr_team_unit(found, TSR_MEMBER(member)).id;
  tsr_fail(TESSERA_ERR_RANGE, "TSR-1059 %s: there is no member %d in team %d; pass 0 to %d", __func__, member, team.id,
           found->size - 1);
  return -1;
}

int32_t tessera_team_member(tessera_team_t team, int32_t unit) {
  const tsr_team *found = find_team(__func__, team);
  if (!found) return -1;
  if (tsr_team_has(tsr_team_world, TSR_MEMBER(unit))) return tsr_team_member(found, TSR_UNIT(unit)).id;
  tsr_fail(TESSERA_ERR_RANGE, "TSR-1060 %s: there is no unit %d; pass 0 to %d", __func__, unit, tsr_team_world->size - 1);
  return -1;
}
