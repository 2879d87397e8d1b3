/* GASNet-EX: vector, indexed and strided transfers (VIS): put and get of lists of pieces of any length (vector) or of
 * equal length (indexed), and of regular nests of pieces (strided). The remote pieces are in the peer's bound
 * segment, the local ones anywhere. Both sides have the same number of bytes, which correspond in the order in which
 * the pieces are listed. Pieces that are written must not overlap any others; pieces that are read may overlap each
 * other.
 *
 * NB functions return an event; gex_NBI_Wait or the event of the access region completes NBI functions; Blocking
 * functions are complete on return. A return value other than 0, or GEX_EVENT_NO_OP, occurs with GEX_FLAG_IMMEDIATE
 * only: the call then had no effect. A transfer starts completely or not at all: with that flag a transfer never
 * starts if it needs more messages than a process may have under way to another (TESSERA_WIRE_BUFFERS; 4 of those
 * with more than TESSERA_EAGER_LIMIT bytes of lists and data). GEX_FLAG_ENABLE_LEAF_LC of a put, NB or NBI: the
 * source may be reused when the leaf GEX_EC_LC is complete; without it when the operation is. The lists are read
 * before the call returns. */
#ifndef TSR_GASNET_GEX_VIS_H
#define TSR_GASNET_GEX_VIS_H

#include <gex/am.h>
#include <gex/client.h>
#include <gex/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Vector transfers: copy the pieces of srclist to those of dstlist. */
gex_Event_t gex_VIS_VectorPutNB(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, const gex_Memvec_t dstlist[],
                                size_t srccount, const gex_Memvec_t srclist[], gex_Flags_t flags);
int gex_VIS_VectorPutNBI(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, const gex_Memvec_t dstlist[], size_t srccount,
                         const gex_Memvec_t srclist[], gex_Flags_t flags);
int gex_VIS_VectorPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, const gex_Memvec_t dstlist[],
                              size_t srccount, const gex_Memvec_t srclist[], gex_Flags_t flags);
gex_Event_t gex_VIS_VectorGetNB(gex_TM_t tm, size_t dstcount, const gex_Memvec_t dstlist[], gex_Rank_t srcrank,
                                size_t srccount, const gex_Memvec_t srclist[], gex_Flags_t flags);
int gex_VIS_VectorGetNBI(gex_TM_t tm, size_t dstcount, const gex_Memvec_t dstlist[], gex_Rank_t srcrank, size_t srccount,
                         const gex_Memvec_t srclist[], gex_Flags_t flags);
int gex_VIS_VectorGetBlocking(gex_TM_t tm, size_t dstcount, const gex_Memvec_t dstlist[], gex_Rank_t srcrank,
                              size_t srccount, const gex_Memvec_t srclist[], gex_Flags_t flags);

/* Indexed transfers: copy pieces of srclen bytes, at the addresses of srclist, to pieces of dstlen bytes at those of dstlist. */
gex_Event_t gex_VIS_IndexedPutNB(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, void *const dstlist[], size_t dstlen,
                                 size_t srccount, void *const srclist[], size_t srclen, gex_Flags_t flags);
int gex_VIS_IndexedPutNBI(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, void *const dstlist[], size_t dstlen,
                          size_t srccount, void *const srclist[], size_t srclen, gex_Flags_t flags);
int gex_VIS_IndexedPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, void *const dstlist[], size_t dstlen,
                               size_t srccount, void *const srclist[], size_t srclen, gex_Flags_t flags);
gex_Event_t gex_VIS_IndexedGetNB(gex_TM_t tm, size_t dstcount, void *const dstlist[], size_t dstlen, gex_Rank_t srcrank,
                                 size_t srccount, void *const srclist[], size_t srclen, gex_Flags_t flags);
int gex_VIS_IndexedGetNBI(gex_TM_t tm, size_t dstcount, void *const dstlist[], size_t dstlen, gex_Rank_t srcrank,
                          size_t srccount, void *const srclist[], size_t srclen, gex_Flags_t flags);
int gex_VIS_IndexedGetBlocking(gex_TM_t tm, size_t dstcount, void *const dstlist[], size_t dstlen, gex_Rank_t srcrank,
                               size_t srccount, void *const srclist[], size_t srclen, gex_Flags_t flags);

/* Strided transfers: level i repeats the pattern of the level below count[i] times, strides[i] bytes apart, for i
 * from 0 (innermost) to stridelevels - 1; the innermost pattern is a piece of elemsz bytes. Strides may be negative.
 * stridelevels 0: one piece, and the arrays are not read. If elemsz or a count is 0, the call has no effect. */
gex_Event_t gex_VIS_StridedPutNB(gex_TM_t tm, gex_Rank_t dstrank, void *dstaddr, const ptrdiff_t dststrides[], void *srcaddr,
                                 const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t stridelevels,
                                 gex_Flags_t flags);
int gex_VIS_StridedPutNBI(gex_TM_t tm, gex_Rank_t dstrank, void *dstaddr, const ptrdiff_t dststrides[], void *srcaddr,
                          const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t stridelevels,
                          gex_Flags_t flags);
int gex_VIS_StridedPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, void *dstaddr, const ptrdiff_t dststrides[], void *srcaddr,
                               const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t stridelevels,
                               gex_Flags_t flags);
gex_Event_t gex_VIS_StridedGetNB(gex_TM_t tm, void *dstaddr, const ptrdiff_t dststrides[], gex_Rank_t srcrank, void *srcaddr,
                                 const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t stridelevels,
                                 gex_Flags_t flags);
int gex_VIS_StridedGetNBI(gex_TM_t tm, void *dstaddr, const ptrdiff_t dststrides[], gex_Rank_t srcrank, void *srcaddr,
                          const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t stridelevels,
                          gex_Flags_t flags);
int gex_VIS_StridedGetBlocking(gex_TM_t tm, void *dstaddr, const ptrdiff_t dststrides[], gex_Rank_t srcrank, void *srcaddr,
                               const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], size_t stridelevels,
                               gex_Flags_t flags);

/* Sets a handler that the next VIS put of this thread runs at its peer when the data has arrived. The handler is that
 * of a medium reply without arguments, with nbytes from source_addr, which may be reused when the source of the put
 * may. Handler 0: none, which cancels an earlier call. Such a put is complete on return. With GEX_FLAG_IMMEDIATE it
 * never starts; the handler then stays set for the next put. */
#define GEX_VIS_MAX_PEERCOMPLETION 127
void gex_VIS_SetPeerCompletionHandler(gex_AM_Index_t handler, const void *source_addr, size_t nbytes, gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
#endif
