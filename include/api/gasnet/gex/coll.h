/* GASNet-EX: non-blocking collectives. All members of a team call them in the same order. Any number may be under
 * way, on one team and on several, and they complete in any order. Source and destination belong to the library until
 * the event is complete; then the source may be reused, and the destination holds the result. (gex_Coll_BarrierNB is
 * declared by gasnetex.h.) */
#ifndef TSR_GASNET_GEX_COLL_H
#define TSR_GASNET_GEX_COLL_H

#include <gex/client.h>
#include <gex/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Copies `nbytes` from src of the root to dst of every member. Only the root passes src; at the root src and dst may
 * be the same. */
gex_Event_t gex_Coll_BroadcastNB(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src, size_t nbytes, gex_Flags_t flags);

/* The function of GEX_OP_USER and GEX_OP_USER_NC: arg2_and_out[i] = arg1[i] op arg2_and_out[i] for `count` elements.
 * Any thread that is inside the library may run it, any number of times, and several threads at the same time. It
 * must not call anything that is not allowed in a handler. */
typedef void (*gex_Coll_ReduceFn_t)(const void *arg1, void *arg2_and_out, size_t count, const void *cdata);

/* Combine dt_cnt elements (at least one) of dt_sz bytes of each member, and store the result in dst of the root, or
 * of every member. Elements are combined in the order of ranks unless the operation commutes. src == dst is allowed;
 * in ReduceToAll all members pass it, or none. */
gex_Event_t gex_Coll_ReduceToOneNB(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src, gex_DT_t dt, size_t dt_sz,
                                   size_t dt_cnt, gex_OP_t op, gex_Coll_ReduceFn_t user_op, void *user_cdata,
                                   gex_Flags_t flags);
gex_Event_t gex_Coll_ReduceToAllNB(gex_TM_t tm, void *dst, const void *src, gex_DT_t dt, size_t dt_sz, size_t dt_cnt,
                                   gex_OP_t op, gex_Coll_ReduceFn_t user_op, void *user_cdata, gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
#endif
