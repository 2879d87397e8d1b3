/* Teams and segments meet here. */
#ifndef TSR_API_GASNET_TEAM_H
#define TSR_API_GASNET_TEAM_H

#include "core/team.h"

/* Makes a team of all units for split-phase barriers of one purpose, so that other calls do not get in between. Collective over
 * the job. Dies when that fails. */
tsr_team *tsr_gex_team_of_all(void);

/* Shows all teams' inline functions the segments that are bound now. */
void tsr_gex_teams_refresh(void);

#endif
