/* GASNet-EX: segments, the memory that others reach. */
#ifndef TSR_GASNET_GEX_SEGMENT_H
#define TSR_GASNET_GEX_SEGMENT_H

#include <gex/client.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most that each process may attach now, or all of them together; both are multiples of GASNET_PAGESIZE, and 0 when
 * nothing is left. */
uintptr_t gasnet_getMaxLocalSegmentSize(void);
uintptr_t gasnet_getMaxGlobalSegmentSize(void);

/* Gives each member's endpoint a segment. Collective over the team of all, once; sizes may differ, are multiples of
 * GASNET_PAGESIZE, not 0, and at most gasnet_getMaxLocalSegmentSize(). Returns when all segments are there. One process's
 * error is everybody's: GASNET_ERR_BAD_ARG, GASNET_ERR_RESOURCE, GASNET_ERR_NOT_INIT (a second time). */
int gex_Segment_Attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size);

/* Tessera has this name only for programs that have it: a function that they assign to it is called by the next attach, with where
 * the caller's own segment begins and its bytes, before anybody else can reach it. */
#define gasnet_client_attach_hook (*gexi_attach_hook())
void (**gexi_attach_hook(void))(void *, uintptr_t);

/* Segments that a process makes by itself: of the program's own memory, or (address NULL) memory that the library gives, which
 * peers of the node reach faster. kind is GEX_MK_HOST. */
int gex_Segment_Create(gex_Segment_t *segment_p, gex_Client_t client, gex_Addr_t address, uintptr_t length, gex_MK_t kind,
                       gex_Flags_t flags);
void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t flags);

/* Instead of gex_Segment_Attach: makes a segment the endpoint's, once; GASNET_ERR_BAD_ARG when it has one. Then others learn of
 * it by the second call, collective over a team; who has nothing to show passes no endpoint. Returns when all have called. */
int gex_EP_BindSegment(gex_EP_t ep, gex_Segment_t segment, gex_Flags_t flags);
int gex_EP_PublishBoundSegment(gex_TM_t tm, gex_EP_t *eps, size_t num_eps, gex_Flags_t flags);

void gex_Segment_SetCData(gex_Segment_t segment, const void *value);
void *gex_Segment_QueryCData(gex_Segment_t segment);
gex_Client_t gex_Segment_QueryClient(gex_Segment_t segment);
gex_Flags_t gex_Segment_QueryFlags(gex_Segment_t segment);
void *gex_Segment_QueryAddr(gex_Segment_t segment);
uintptr_t gex_Segment_QuerySize(gex_Segment_t segment);

/* Where a peer's segment lies in the peer's memory and in the caller's (NULL: nowhere), and how long it is (0: there is
 * none). Any pointer may be NULL. Known at once: the event is GEX_EVENT_INVALID. Allowed in handlers. */
gex_Event_t gex_EP_QueryBoundSegmentNB(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p, void **localaddr_p,
                                       uintptr_t *size_p, gex_Flags_t flags);
/* The same with an answer; not 0: there is none, and nothing is written. */
int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p, void **localaddr_p, uintptr_t *size_p);

/* GASNet-1's view of all of them, by job rank. */
typedef struct {
  void *addr;
  uintptr_t size;
} gasnet_seginfo_t;
int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int entries_n);

#ifdef __cplusplus
}
#endif
#endif
