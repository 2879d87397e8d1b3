/* GASNet-EX: collectives, which go on after they return. All members of a team call them in the same order; many may be under
 * way, on one team and on several, and complete in any order. Source and destination are the library's until the event is
 * complete; then the source may be used again, and the destination is there. (gex_Coll_BarrierNB comes with gasnetex.h.)
 */
#ifndef TSR_GASNET_GEX_COLL_H
#define TSR_GASNET_GEX_COLL_H

#include <gex/client.h>
#include <gex/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `nbytes` from src of the root, which alone has to give it, to dst of everybody; at the root the two may be the same. */
gex_Event_t gex_Coll_BroadcastNB(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src, size_t nbytes, gex_Flags_t flags);

/* What GEX_OP_USER and GEX_OP_USER_NC do: arg2_and_out[i] = arg1[i] op arg2_and_out[i] for `count` elements. Runs in any thread that
 * is inside the library, any number of times, at several places at once; calls nothing that is not allowed in a handler. */
typedef void (*gex_Coll_ReduceFn_t)(const void *arg1, void *arg2_and_out, size_t count, const void *cdata);

/* dt_cnt elements (at least one) of dt_sz bytes of each member, combined in the order of ranks unless the operation commutes,
 * go to dst of the root, or of everybody. src == dst is allowed, in ReduceToAll on all members or none. */
gex_Event_t gex_Coll_ReduceToOneNB(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src, gex_DT_t dt, size_t dt_sz,
                                   size_t dt_cnt, gex_OP_t op, gex_Coll_ReduceFn_t user_op, void *user_cdata,
                                   gex_Flags_t flags);
gex_Event_t gex_Coll_ReduceToAllNB(gex_TM_t tm, void *dst, const void *src, gex_DT_t dt, size_t dt_sz, size_t dt_cnt,
                                   gex_OP_t op, gex_Coll_ReduceFn_t user_op, void *user_cdata, gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
#endif
