/* The MPI communicator of a team, for programs that call MPI themselves. Created on first use. */
#ifndef TSR_CORE_TEAM_COMM_H
#define TSR_CORE_TEAM_COMM_H

#include <mpi.h>
#include <stdbool.h>

#include <tessera.h>

#include "base/status.h"
#include "core/team.h"

/* Stores the communicator of the team's units; a rank is a member number. The library owns it. It lives as long as the
 * team; that of the world (tsr_launch_comm) lives as long as the job. Collective over the team. An error on one member
 * fails the call on all: TESSERA_ERR_MEMORY, or TESSERA_ERR_UNSUPPORTED (the calling thread may not call MPI) on that
 * member, TESSERA_ERR_PEER on the others; TESSERA_ERR_NET. */
tessera_status_t tsr_team_comm(tsr_team *team, MPI_Comm *comm) TSR_MUST_USE;

/* MPI_COMM_NULL, for interfaces: their libraries are linked without MPI. */
MPI_Comm tsr_team_comm_none(void);

/* Frees the communicator, if there is one. Collective over the team, after all members have arrived. */
void tsr_team_comm_free(tsr_team *team);

#endif
