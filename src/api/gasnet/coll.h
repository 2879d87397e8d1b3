/* What collectives of GASNet-EX and of GASNet-1 have in common. */
#ifndef TSR_API_GASNET_COLL_H
#define TSR_API_GASNET_COLL_H

#include "coll/schedule.h"
#include "api/gasnet/gasnet_api.h"

/* The team of a collective call. Dies when the call is not allowed here, or `tm` is no team. */
tsr_team *tsr_gex_coll_team(const char *call, gex_TM_t tm);

/* Die: the root is no rank of the team; a buffer of some bytes is NULL. */
void tsr_gex_coll_check_root(const char *call, const tsr_team *team, gex_Rank_t root);
void tsr_gex_coll_check_buffer(const char *call, const char *which, const void *buffer, size_t bytes);

/* Starts a collective; its event. */
gex_Event_t tsr_gex_coll_start(tsr_schedule *schedule);

#endif
