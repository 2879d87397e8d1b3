/* GASNet-EX: put and get of data that lies in pieces: lists of pieces of any length (vector) or of one length (indexed), and
 * regular nests of them (strided). The remote side lies in the peer's bound segment, the local one anywhere; both have the
 * same number of bytes, which correspond in the order in which the pieces are listed. Pieces that are written overlap
 * nothing; those that are read may overlap each other.
 *
 * NB gives an event, NBI is completed by gex_NBI_Wait or the event of the access region, Blocking is complete on return; not 0,
 * or GEX_EVENT_NO_OP, with GEX_FLAG_IMMEDIATE only: nothing was done. A transfer goes whole or not at all: one that takes more
 * messages than a process may have under way to another (TESSERA_WIRE_BUFFERS; 4 of them with more than TESSERA_EAGER_LIMIT
 * bytes of lists and data) is never done with that flag. GEX_FLAG_ENABLE_LEAF_LC of a put, NB or NBI: the source may be used
 * again when the leaf GEX_EC_LC is complete, else when the operation is. The lists are read before return.
 */
#ifndef TSR_GASNET_GEX_VIS_H
#define TSR_GASNET_GEX_VIS_H

#include <gex/am.h>
#include <gex/client.h>
#include <gex/event.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* count[i] pieces, or nests of them, strides[i] bytes apart, i from 0 (innermost) to stridelevels - 1; strides are of any
 * sign. No levels: one piece of elemsz bytes, and the arrays are not read. Nothing where elemsz or a count is 0. */
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

/* The next put of this thread that is one of the above runs a handler at its peer when its data is there: one of a medium reply
 * without arguments, with nbytes from source_addr, which may be used again when the source of the put may. Handler 0: none, after
 * all. Such a put is complete on return, and with GEX_FLAG_IMMEDIATE never done; the handler then waits for the next one. */
#define GEX_VIS_MAX_PEERCOMPLETION 127
void gex_VIS_SetPeerCompletionHandler(gex_AM_Index_t handler, const void *source_addr, size_t nbytes, gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
#endif
