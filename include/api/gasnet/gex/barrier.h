/* GASNet-EX: the barrier. Other collectives are in gasnet_coll.h. */
#ifndef TSR_GASNET_GEX_BARRIER_H
#define TSR_GASNET_GEX_BARRIER_H

#include <gex/client.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts a barrier. The event is complete when all members have called, and not before. The call releases earlier
 * stores of this thread, and completing the event acquires those of the others. Members call the collectives of a
 * team in the same order; many may be under way. */
gex_Event_t gex_Coll_BarrierNB(gex_TM_t tm, gex_Flags_t flags);

/* Returns when all members have called, as gex_Coll_BarrierNB and a wait for its event. Makes progress meanwhile. */
void gex_Coll_BarrierBlocking(gex_TM_t tm, gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
#endif
