#include <dash/dart/if/dart_mpi.h>
#include <dash/dart/if/dart_team_group.h>

#include <stdlib.h>

#include "core/launch.h"
#include "core/stats.h"
#include "core/team_comm.h"
#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

static dart_ret_t null_result(const char *call) {
  return tsr_dart_invalid("TSR-2134 %s: the pointer to the result is NULL; pass where to store it", call);
}

dart_ret_t dart_team_get_group(dart_team_t teamid, dart_group_t *group) {
  if (group) *group = DART_GROUP_NULL;
  const tsr_team *team = tsr_dart_team(teamid);
  if (!team) return tsr_dart_no_team(__func__, teamid);
  if (!group) return null_result(__func__);
  dart_group_t made = DART_GROUP_NULL;
  dart_ret_t result = dart_group_create(&made);
  for (int32_t i = 0; result == DART_OK && i < team->size; i++)
    result = dart_group_addmember(made, dart_create_global_unit(tsr_team_unit(team, TSR_MEMBER(i)).id));
  if (result == DART_OK) *group = made;
  else dart_group_destroy(&made);
  return result;
}

/* Takes part in the creation with an error, so that the other units fail instead of waiting. */
static dart_ret_t fail_creation(tsr_team *parent, dart_ret_t result) {
  tsr_team *none = NULL;
  tsr_team_create(parent, TSR_TEAM_FAILED, NULL, &none);
  return result;
}

static dart_ret_t create_team(tsr_team *parent, const struct dart_group_struct *group, dart_team_t *newteam) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_team *team = NULL;
  tessera_status_t status = tsr_team_create(parent, (int32_t)group->n, group->units, &team);
  if (status) return tsr_dart_code(status);
  if (team) team->api = TSR_API_DART;
  *newteam = team ? (dart_team_t)team->id : DART_TEAM_NULL;
  tsr_stats_end(TSR_STAT_TEAM, begun_ns, 0);
  return DART_OK;
}

/* An empty group needs no error propagation: no unit waits. */
dart_ret_t dart_team_create(dart_team_t teamid, const dart_group_t group, dart_team_t *newteam) {
  tsr_team *parent = tsr_dart_team(teamid);
  if (newteam) *newteam = DART_TEAM_NULL;
  if (!parent) return tsr_dart_no_team(__func__, teamid);
  if (group && !group->n) return newteam ? create_team(parent, group, newteam) : null_result(__func__);
  if (!newteam) return fail_creation(parent, null_result(__func__));
  if (!group)
    return fail_creation(parent, tsr_dart_invalid("TSR-2135 %s: the group is NULL; every unit of team %d passes one", __func__,
                                                  teamid));
  if (group->n > (size_t)parent->size)
    return fail_creation(parent, tsr_dart_invalid("TSR-2136 %s: the group has %zu units, more than its parent team %d (%d); "
                                                  "pass members of the parent only", __func__, group->n, teamid,
                                                  parent->size));
  return create_team(parent, group, newteam);
}

dart_ret_t dart_team_clone(dart_team_t team, dart_team_t *newteam) {
  tsr_team *parent = tsr_dart_team(team);
  if (newteam) *newteam = DART_TEAM_NULL;
  if (!parent) return tsr_dart_no_team(__func__, team);
  dart_group_t group = DART_GROUP_NULL;
  dart_ret_t result = newteam ? dart_team_get_group(team, &group) : null_result(__func__);
  if (result != DART_OK) return fail_creation(parent, result);
  result = create_team(parent, group, newteam);
  dart_group_destroy(&group);
  return result;
}

dart_ret_t dart_team_destroy(dart_team_t *teamid) {
  if (!tsr_dart_up) return tsr_dart_no_team(__func__, DART_TEAM_NULL);
  if (!teamid) return tsr_dart_invalid("TSR-2137 dart_team_destroy: teamid is NULL; pass the address of the team's id");
  if (*teamid == DART_TEAM_NULL) return DART_OK;
  tsr_team *team = tsr_dart_team(*teamid);
  if (!team) return tsr_dart_no_team(__func__, *teamid);
  if (team == tsr_team_world)
    return tsr_dart_invalid("TSR-2138 dart_team_destroy: DART_TEAM_ALL cannot be destroyed; it ends with dart_exit");
  tsr_locality_drop(*teamid); /* first, since a new team may get the id at once */
  tessera_status_t status = tsr_team_destroy(team);
  if (status) return tsr_dart_code(status);
  *teamid = DART_TEAM_NULL;
  return DART_OK;
}

dart_ret_t dart_team_myid(dart_team_t teamid, dart_team_unit_t *myid) {
  if (!myid) return null_result(__func__);
  const tsr_team *team = tsr_dart_team(teamid);
  myid->id = team ? team->self : DART_UNDEFINED_UNIT_ID;
  return team ? DART_OK : tsr_dart_no_team(__func__, teamid);
}

dart_ret_t dart_team_size(dart_team_t teamid, size_t *size) {
  const tsr_team *team = tsr_dart_team(teamid);
  if (!team) return tsr_dart_no_team(__func__, teamid);
  if (!size) return null_result(__func__);
  *size = (size_t)team->size;
  return DART_OK;
}

dart_ret_t dart_myid(dart_global_unit_t *myid) {
  if (!myid) return null_result(__func__);
  const tsr_team *world = tsr_dart_team(DART_TEAM_ALL);
  myid->id = world ? world->self : DART_UNDEFINED_UNIT_ID;
  return world ? DART_OK : DART_ERR_OTHER;
}

dart_ret_t dart_size(size_t *size) {
  if (!size) return null_result(__func__);
  const tsr_team *world = tsr_dart_team(DART_TEAM_ALL);
  *size = world ? (size_t)world->size : 0;
  return world ? DART_OK : DART_ERR_OTHER;
}

dart_ret_t dart_team_unit_l2g(dart_team_t team, dart_team_unit_t localid, dart_global_unit_t *globalid) {
  const tsr_team *found = tsr_dart_team(team);
  if (globalid) *globalid = DART_UNDEFINED_GLOBAL_UNIT_ID;
  if (!found) return tsr_dart_no_team(__func__, team);
  if (!globalid) return null_result(__func__);
  if (!tsr_team_has(found, TSR_MEMBER(localid.id)))
    return tsr_dart_invalid("TSR-2139 dart_team_unit_l2g: team %d has no unit %d; its units are 0 to %d", team, localid.id,
                            found->size - 1);
  globalid->id = tsr_team_unit(found, TSR_MEMBER(localid.id)).id;
  return DART_OK;
}

dart_ret_t dart_team_unit_g2l(dart_team_t team, dart_global_unit_t globalid, dart_team_unit_t *localid) {
  const tsr_team *found = tsr_dart_team(team);
  if (localid) *localid = DART_UNDEFINED_TEAM_UNIT_ID;
  if (!found) return tsr_dart_no_team(__func__, team);
  if (!localid) return null_result(__func__);
  if (!tsr_team_has(tsr_team_world, TSR_MEMBER(globalid.id)))
    return tsr_dart_invalid("TSR-2140 dart_team_unit_g2l: there is no unit %d; the job's units are 0 to %d", globalid.id,
                            tsr_team_world->size - 1);
  localid->id = tsr_team_member(found, TSR_UNIT(globalid.id)).id;
  return DART_OK;
}

MPI_Comm dart_get_user_commworld(void) { return tsr_launch_comm(); }

dart_ret_t dart_team_comm(dart_team_t teamid, MPI_Comm *comm) {
  tsr_team *team = tsr_dart_team(teamid);
  if (!team) return tsr_dart_no_team(__func__, teamid);
  MPI_Comm unwanted; /* for a NULL comm: the unit still takes part, since the other units wait for it */
  tessera_status_t status = tsr_team_comm(team, comm ? comm : &unwanted);
  if (!comm) return tsr_dart_invalid("TSR-2019 dart_team_comm: comm is NULL; pass where to store the communicator");
  return tsr_dart_code(status);
}
