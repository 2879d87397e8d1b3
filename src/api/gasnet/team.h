/* Teams and segments meet here. */
#ifndef TSR_API_GASNET_TEAM_H
#define TSR_API_GASNET_TEAM_H

/* Shows all teams' inline functions the segments that are bound now. */
void tsr_gex_teams_refresh(void);

#endif
