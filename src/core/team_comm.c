#include "core/team_comm.h"

#include <stdlib.h>

#include "base/status.h"
#include "core/bootstrap.h"
#include "core/check.h"
#include "core/launch.h"

struct tsr_team_comm {
  MPI_Comm comm;
};

/* MPI_Comm_create_group gets tags from this one on: the communicator may be MPI_COMM_WORLD, where a program's own calls
 * use low tags. */
enum { TAGS = 32768 };

static tessera_status_t make_comm(const tsr_team *team, int ranks[], MPI_Comm *comm) {
  MPI_Group job, members;
  for (int32_t i = 0; i < team->size; i++) ranks[i] = tsr_team_unit(team, TSR_MEMBER(i)).id;
  MPI_Comm_group(tsr_launch_comm(), &job);
  MPI_Group_incl(job, team->size, ranks, &members);
  int answer = MPI_Comm_create_group(tsr_launch_comm(), members, TAGS + team->id, comm);
  MPI_Group_free(&members);
  MPI_Group_free(&job);
  if (answer == MPI_SUCCESS) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_NET, "TSR-0386 MPI makes no communicator for team %d; it may have too many: destroy teams",
                  team->id);
}

/* The part that each member does alone. */
static tessera_status_t prepare_comm(const tsr_team *team, int **ranks, struct tsr_team_comm **record) {
  if (!tsr_launch_may_call_mpi())
    return tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-0387 the first call for the communicator of team %d calls MPI, which this "
                    "thread "
                    "may not; call from the thread that started MPI, or start it by MPI_Init_thread with "
                    "MPI_THREAD_SERIALIZED or more", team->id);
  *ranks = malloc((size_t)team->size * sizeof **ranks);
  *record = malloc(sizeof **record);
  if (*ranks && *record) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0388 no private memory for the communicator of team %d; free some", team->id);
}

static tessera_status_t attach_comm(tsr_team *team) {
  int *ranks = NULL;
  struct tsr_team_comm *record = NULL;
  if (!tsr_check_name(team, "first use of a team's communicator (dart_team_comm)")) return TESSERA_ERR_PEER;
  tessera_status_t status = prepare_comm(team, &ranks, &record);
  /* Also a barrier: MPI_Comm_create_group waits inside MPI, so it begins after all members have arrived. */
  if (!tsr_bootstrap_any(team, status != TESSERA_OK)) status = make_comm(team, ranks, &record->comm);
  else if (!status) status = TESSERA_ERR_PEER;
  free(ranks);
  if (status) free(record);
  else team->comm = record;
  return status;
}

tessera_status_t tsr_team_comm(tsr_team *team, MPI_Comm *comm) {
  bool is_world = team->id == TSR_TEAM_WORLD;
  tessera_status_t status = is_world || team->comm ? TESSERA_OK : attach_comm(team);
  if (!status) *comm = is_world ? tsr_launch_comm() : team->comm->comm;
  return status;
}

void tsr_team_comm_free(tsr_team *team) {
  if (!team->comm) return;
  if (tsr_launch_may_call_mpi()) MPI_Comm_free(&team->comm->comm); /* otherwise it remains until MPI ends */
  free(team->comm);
  team->comm = NULL;
}

MPI_Comm tsr_team_comm_none(void) { return MPI_COMM_NULL; }
