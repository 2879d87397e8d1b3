/* GASNet-1 on Tessera: the legacy interface, for programs that do not use GASNet-EX (gasnetex.h). This header
 * includes gasnetex.h and the tools. Both interfaces may be mixed: gasnet_QueryGexObjects returns the objects that
 * these calls use.
 *
 * Nodes are the ranks of the job in GASNet-EX. Handles are events of GASNet-EX. There are no alignment rules, so the
 * _bulk forms differ in one point only: without _bulk the source may be reused when the call returns. */
#ifndef TSR_GASNET_H
#define TSR_GASNET_H

#define _INCLUDED_GASNET_H 1

#include <gasnetex.h>

#include <gasnet_tools.h>
#include <gasnet_vis.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types ---- */

typedef gex_Rank_t gasnet_node_t;
typedef gex_Token_t gasnet_token_t;
typedef gex_AM_Index_t gasnet_handler_t;
typedef gex_AM_Arg_t gasnet_handlerarg_t;

typedef gex_RMA_Value_t gasnet_register_value_t;
#define SIZEOF_GASNET_REGISTER_VALUE_T SIZEOF_GEX_RMA_VALUE_T

typedef gex_Event_t gasnet_handle_t;
#define GASNET_INVALID_HANDLE GEX_EVENT_INVALID

typedef struct {
  void *addr;
  size_t len;
} gasnet_memvec_t;

/* ---- Start ---- */

/* Starts GASNet-1; argc and argv may be NULL. Collective over the job, once. gasnet_attach follows, and gasnet_exit at the end.
 * Errors as of gex_Client_Init. */
static inline int gasnet_init(int *argc, char ***argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  return gex_Client_Init(&client, &ep, &tm, "LEGACY", argc, argv, GEX_FLAG_USES_GASNET1);
}

/* Stores the objects that the legacy calls use; any pointer may be NULL. There is no segment before gasnet_attach. */
void gasnet_QueryGexObjects(gex_Client_t *client_p, gex_EP_t *endpoint_p, gex_TM_t *tm_p, gex_Segment_t *segment_p);
gex_TM_t gexi_legacy_tm(void);

/* The caller's node, and the number of nodes. */
#define gasnet_mynode() gex_System_QueryJobRank()
#define gasnet_nodes() gex_System_QueryJobSize()

/* ---- Active messages ---- */

/* The largest number of arguments, and the largest lengths of messages in bytes. */
#define gasnet_AMMaxArgs() ((size_t)gex_AM_MaxArgs())
#define gasnet_AMMaxMedium() MIN(gex_AM_LUBRequestMedium(), gex_AM_LUBReplyMedium())
#define gasnet_AMMaxLongRequest() gex_AM_LUBRequestLong()
#define gasnet_AMMaxLongReply() gex_AM_LUBReplyLong()
/* Stores the node that has sent the message of a handler. Returns GASNET_OK; GASNET_ERR_BAD_ARG: source_p is NULL. */
int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *source_p);

#include <gex/legacy_am.h>

/* Handlers run in the program's own threads only, so there are no interrupts to hold. */
#define gasnet_hold_interrupts() ((void)0)
#define gasnet_resume_interrupts() ((void)0)

/* ---- Put and get ----
 *
 * Put copies `nbytes` bytes from src to dest of a node, get copies them from src of a node to dest. They are complete on return;
 * or with nb return a handle; or with nbi are completed together, by gasnet_wait_syncnbi_all and its variants. The types are
 * gasnet_node_t, void *, size_t and gasnet_handle_t. */

#define gasnet_put(node, dest, src, nbytes) ((void)gex_RMA_PutBlocking(gexi_legacy_tm(), node, dest, src, nbytes, 0))
#define gasnet_get(dest, node, src, nbytes) ((void)gex_RMA_GetBlocking(gexi_legacy_tm(), dest, node, src, nbytes, 0))
#define gasnet_put_bulk(node, dest, src, nbytes) gasnet_put(node, dest, src, nbytes)
#define gasnet_get_bulk(dest, node, src, nbytes) gasnet_get(dest, node, src, nbytes)

#define gasnet_put_nb(node, dest, src, nbytes) gex_RMA_PutNB(gexi_legacy_tm(), node, dest, src, nbytes, GEX_EVENT_NOW, 0)
#define gasnet_put_nb_bulk(node, dest, src, nbytes) \
  gex_RMA_PutNB(gexi_legacy_tm(), node, dest, src, nbytes, GEX_EVENT_DEFER, 0)
#define gasnet_get_nb(dest, node, src, nbytes) gex_RMA_GetNB(gexi_legacy_tm(), dest, node, src, nbytes, 0)
#define gasnet_get_nb_bulk(dest, node, src, nbytes) gasnet_get_nb(dest, node, src, nbytes)

#define gasnet_put_nbi(node, dest, src, nbytes) \
  ((void)gex_RMA_PutNBI(gexi_legacy_tm(), node, dest, src, nbytes, GEX_EVENT_NOW, 0))
#define gasnet_put_nbi_bulk(node, dest, src, nbytes) \
  ((void)gex_RMA_PutNBI(gexi_legacy_tm(), node, dest, src, nbytes, GEX_EVENT_DEFER, 0))
#define gasnet_get_nbi(dest, node, src, nbytes) ((void)gex_RMA_GetNBI(gexi_legacy_tm(), dest, node, src, nbytes, 0))
#define gasnet_get_nbi_bulk(dest, node, src, nbytes) gasnet_get_nbi(dest, node, src, nbytes)

/* Sets each byte to `value`. */
void gasnet_memset(gasnet_node_t node, void *dest, int value, size_t nbytes);
gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *dest, int value, size_t nbytes);
void gasnet_memset_nbi(gasnet_node_t node, void *dest, int value, size_t nbytes);

/* ---- By value ----
 *
 * Put stores the low `nbytes` bytes, 1 to 8, of a number in dest of a node. Get returns the number of `nbytes` bytes in src of a
 * node. With nb and nbi they complete as other puts and gets. A number is a gasnet_register_value_t. */

#define gasnet_put_val(node, dest, value, nbytes) \
  ((void)gex_RMA_PutBlockingVal(gexi_legacy_tm(), node, dest, value, nbytes, 0))
#define gasnet_put_nb_val(node, dest, value, nbytes) gex_RMA_PutNBVal(gexi_legacy_tm(), node, dest, value, nbytes, 0)
#define gasnet_put_nbi_val(node, dest, value, nbytes) \
  ((void)gex_RMA_PutNBIVal(gexi_legacy_tm(), node, dest, value, nbytes, 0))
#define gasnet_get_val(node, src, nbytes) gex_RMA_GetBlockingVal(gexi_legacy_tm(), node, src, nbytes, 0)

/* Start a get, and wait for it, once: gasnet_wait_syncnb_valget returns the number. */
typedef struct gexi_valget *gasnet_valget_handle_t;
gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, void *src, size_t nbytes);
gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle);

/* ---- Completion ----
 *
 * Complete operations: with nb one with a handle, or some or all of `n` handles; with nbi all gets, all puts, or both, of the
 * calling thread. try returns GASNET_OK or GASNET_ERR_NOT_READY, wait returns when they are complete. The _nopoll forms run no
 * handlers. */

#define gasnet_try_syncnb_nopoll(handle) gex_Event_Test(handle)
#define gasnet_try_syncnb_some_nopoll(handles, n) gex_Event_TestSome(handles, n, 0)
#define gasnet_try_syncnb_all_nopoll(handles, n) gex_Event_TestAll(handles, n, 0)
#define gasnet_try_syncnb(handle) (gasnet_AMPoll(), gex_Event_Test(handle))
#define gasnet_try_syncnb_some(handles, n) (gasnet_AMPoll(), gex_Event_TestSome(handles, n, 0))
#define gasnet_try_syncnb_all(handles, n) (gasnet_AMPoll(), gex_Event_TestAll(handles, n, 0))
#define gasnet_wait_syncnb(handle) gex_Event_Wait(handle)
#define gasnet_wait_syncnb_some(handles, n) gex_Event_WaitSome(handles, n, 0)
#define gasnet_wait_syncnb_all(handles, n) gex_Event_WaitAll(handles, n, 0)

#define gasnet_try_syncnbi_gets_nopoll() gex_NBI_Test(GEX_EC_GET, 0)
#define gasnet_try_syncnbi_puts_nopoll() gex_NBI_Test(GEX_EC_PUT, 0)
#define gasnet_try_syncnbi_all_nopoll() gex_NBI_Test(GEX_EC_ALL, 0)
#define gasnet_try_syncnbi_gets() (gasnet_AMPoll(), gex_NBI_Test(GEX_EC_GET, 0))
#define gasnet_try_syncnbi_puts() (gasnet_AMPoll(), gex_NBI_Test(GEX_EC_PUT, 0))
#define gasnet_try_syncnbi_all() (gasnet_AMPoll(), gex_NBI_Test(GEX_EC_ALL, 0))
#define gasnet_wait_syncnbi_gets() gex_NBI_Wait(GEX_EC_GET, 0)
#define gasnet_wait_syncnbi_puts() gex_NBI_Wait(GEX_EC_PUT, 0)
#define gasnet_wait_syncnbi_all() gex_NBI_Wait(GEX_EC_ALL, 0)

/* Between these two calls, the handle that the second one returns counts the nbi operations of the calling thread. */
#define gasnet_begin_nbi_accessregion() gex_NBI_BeginAccessRegion(0)
#define gasnet_end_nbi_accessregion() gex_NBI_EndAccessRegion(0)

/* ---- Vector (v), indexed (i) and strided (s) transfers ----
 *
 * Put to a node, and get from a node, lists of pieces: of any length (gasnet_memvec_t), or with i of dstlen and srclen bytes, at
 * lists of addresses (void *). Completion is as with other puts and gets. gasnet_vis.h says more. */

#define GEXI_MEMVEC(list) ((const gex_Memvec_t *)(list))

#define gasnet_putv_bulk(node, dstcount, dstlist, srccount, srclist)                                             \
  ((void)gex_VIS_VectorPutBlocking(gexi_legacy_tm(), node, dstcount, GEXI_MEMVEC(dstlist), srccount,             \
                                   GEXI_MEMVEC(srclist), 0))
#define gasnet_putv_nb_bulk(node, dstcount, dstlist, srccount, srclist) \
  gex_VIS_VectorPutNB(gexi_legacy_tm(), node, dstcount, GEXI_MEMVEC(dstlist), srccount, GEXI_MEMVEC(srclist), 0)
#define gasnet_putv_nbi_bulk(node, dstcount, dstlist, srccount, srclist) \
  ((void)gex_VIS_VectorPutNBI(gexi_legacy_tm(), node, dstcount, GEXI_MEMVEC(dstlist), srccount, GEXI_MEMVEC(srclist), 0))
#define gasnet_getv_bulk(dstcount, dstlist, node, srccount, srclist)                                             \
  ((void)gex_VIS_VectorGetBlocking(gexi_legacy_tm(), dstcount, GEXI_MEMVEC(dstlist), node, srccount,             \
                                   GEXI_MEMVEC(srclist), 0))
#define gasnet_getv_nb_bulk(dstcount, dstlist, node, srccount, srclist) \
  gex_VIS_VectorGetNB(gexi_legacy_tm(), dstcount, GEXI_MEMVEC(dstlist), node, srccount, GEXI_MEMVEC(srclist), 0)
#define gasnet_getv_nbi_bulk(dstcount, dstlist, node, srccount, srclist) \
  ((void)gex_VIS_VectorGetNBI(gexi_legacy_tm(), dstcount, GEXI_MEMVEC(dstlist), node, srccount, GEXI_MEMVEC(srclist), 0))

#define gasnet_puti_bulk(node, dstcount, dstlist, dstlen, srccount, srclist, srclen) \
  ((void)gex_VIS_IndexedPutBlocking(gexi_legacy_tm(), node, dstcount, dstlist, dstlen, srccount, srclist, srclen, 0))
#define gasnet_puti_nb_bulk(node, dstcount, dstlist, dstlen, srccount, srclist, srclen) \
  gex_VIS_IndexedPutNB(gexi_legacy_tm(), node, dstcount, dstlist, dstlen, srccount, srclist, srclen, 0)
#define gasnet_puti_nbi_bulk(node, dstcount, dstlist, dstlen, srccount, srclist, srclen) \
  ((void)gex_VIS_IndexedPutNBI(gexi_legacy_tm(), node, dstcount, dstlist, dstlen, srccount, srclist, srclen, 0))
#define gasnet_geti_bulk(dstcount, dstlist, dstlen, node, srccount, srclist, srclen) \
  ((void)gex_VIS_IndexedGetBlocking(gexi_legacy_tm(), dstcount, dstlist, dstlen, node, srccount, srclist, srclen, 0))
#define gasnet_geti_nb_bulk(dstcount, dstlist, dstlen, node, srccount, srclist, srclen) \
  gex_VIS_IndexedGetNB(gexi_legacy_tm(), dstcount, dstlist, dstlen, node, srccount, srclist, srclen, 0)
#define gasnet_geti_nbi_bulk(dstcount, dstlist, dstlen, node, srccount, srclist, srclen) \
  ((void)gex_VIS_IndexedGetNBI(gexi_legacy_tm(), dstcount, dstlist, dstlen, node, srccount, srclist, srclen, 0))

/* A piece has count[0] bytes; level i repeats the pattern below it count[i] times, strides[i - 1] apart, for i up to
 * `levels`; strides are not negative. */
#define GEXI_STRIDES(strides) ((const ptrdiff_t *)(strides))
#define gasnet_puts_bulk(node, dst, dststrides, src, srcstrides, count, levels)                                  \
  ((void)gex_VIS_StridedPutBlocking(gexi_legacy_tm(), node, dst, GEXI_STRIDES(dststrides), src,                  \
                                    GEXI_STRIDES(srcstrides), (count)[0], (count) + 1, levels, 0))
#define gasnet_puts_nb_bulk(node, dst, dststrides, src, srcstrides, count, levels)                               \
  gex_VIS_StridedPutNB(gexi_legacy_tm(), node, dst, GEXI_STRIDES(dststrides), src, GEXI_STRIDES(srcstrides),     \
                       (count)[0], (count) + 1, levels, 0)
#define gasnet_puts_nbi_bulk(node, dst, dststrides, src, srcstrides, count, levels)                              \
  ((void)gex_VIS_StridedPutNBI(gexi_legacy_tm(), node, dst, GEXI_STRIDES(dststrides), src,                       \
                               GEXI_STRIDES(srcstrides), (count)[0], (count) + 1, levels, 0))
#define gasnet_gets_bulk(dst, dststrides, node, src, srcstrides, count, levels)                                  \
  ((void)gex_VIS_StridedGetBlocking(gexi_legacy_tm(), dst, GEXI_STRIDES(dststrides), node, src,                  \
                                    GEXI_STRIDES(srcstrides), (count)[0], (count) + 1, levels, 0))
#define gasnet_gets_nb_bulk(dst, dststrides, node, src, srcstrides, count, levels)                               \
  gex_VIS_StridedGetNB(gexi_legacy_tm(), dst, GEXI_STRIDES(dststrides), node, src, GEXI_STRIDES(srcstrides),     \
                       (count)[0], (count) + 1, levels, 0)
#define gasnet_gets_nbi_bulk(dst, dststrides, node, src, srcstrides, count, levels)                              \
  ((void)gex_VIS_StridedGetNBI(gexi_legacy_tm(), dst, GEXI_STRIDES(dststrides), node, src,                       \
                               GEXI_STRIDES(srcstrides), (count)[0], (count) + 1, levels, 0))

#ifdef __cplusplus
}
#endif
#endif
