/* Common parts of the collectives of GASNet-EX and GASNet-1. */
#ifndef TSR_API_GASNET_COLL_H
#define TSR_API_GASNET_COLL_H

#include "coll/schedule.h"
#include "api/gasnet/gasnet_api.h"

/* The team of a collective call. Ends the job if `tm` is not a team, or in a forbidden context. */
tsr_team *tsr_gex_coll_team(const char *call, gex_TM_t tm);

/* Whether the caller is the root. Ends the job if the root is not a rank of the team. */
bool tsr_gex_coll_is_root(const char *call, const tsr_team *team, gex_Rank_t root);
/* Ends the job if a buffer with bytes is NULL. */
void tsr_gex_coll_check_buffer(const char *call, const char *which, const void *buffer, size_t bytes);

/* Starts a collective and returns its event. */
gex_Event_t tsr_gex_coll_start(tsr_schedule *schedule);

#endif
