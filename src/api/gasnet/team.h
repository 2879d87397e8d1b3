/* Teams of GASNet, for the other files of the interface. */
#ifndef TSR_API_GASNET_TEAM_H
#define TSR_API_GASNET_TEAM_H

#include "core/team.h"

/* Creates a team of all units whose split-phase barriers serve one purpose and are not mixed with other calls.
 * Collective over the job. A failure ends the job. */
tsr_team *tsr_gex_team_of_all(void);

/* Updates the peers of all teams, which inline functions read, after segments have changed. */
void tsr_gex_teams_refresh(void);

#endif
