/* The MPI communicator of a team, for programs that bring MPI of their own. Made when first asked for. */
#ifndef TSR_CORE_TEAM_COMM_H
#define TSR_CORE_TEAM_COMM_H

#include <mpi.h>
#include <stdbool.h>

#include <tessera.h>

#include "core/team.h"

/* Stores the communicator of the team's units, in the order of their numbers there. The library owns it; it lives as
 * long as the team, that of the world (tsr_launch_comm) as long as the job. Collective over the team. One
 * member's failure is everybody's: TESSERA_ERR_MEMORY, or TESSERA_ERR_UNSUPPORTED (the calling thread may not call MPI),
 * on who has it, TESSERA_ERR_PEER elsewhere; TESSERA_ERR_NET. */
tessera_status_t tsr_team_comm(tsr_team *team, MPI_Comm *comm);

/* MPI_COMM_NULL, for interfaces, whose libraries are linked without MPI. */
MPI_Comm tsr_team_comm_none(void);

/* Frees it, if it was ever made. Collective over the team, whose members have all arrived. */
void tsr_team_comm_free(tsr_team *team);

#endif
