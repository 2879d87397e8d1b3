#include <dash/dart/if/dart_mpi.h>

#include "core/launch.h"
#include "core/team_comm.h"
#include "api/dart/dart_api.h"

MPI_Comm dart_get_user_commworld(void) { return tsr_launch_comm(); }

dart_ret_t dart_team_comm(dart_team_t teamid, MPI_Comm *comm) {
  tsr_team *team = tsr_dart_team(teamid);
  if (!team) return tsr_dart_no_team(__func__, teamid);
  MPI_Comm unwanted; /* for a NULL comm: the unit still takes part, since the other units wait for it */
  tessera_status_t status = tsr_team_comm(team, comm ? comm : &unwanted);
  if (!comm) return tsr_dart_invalid("TSR-2019 dart_team_comm: comm is NULL; pass where to store the communicator");
  return tsr_dart_code(status);
}
