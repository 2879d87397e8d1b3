/* GASNet-EX: segments, the memory that other processes access. */
#ifndef TSR_GASNET_GEX_SEGMENT_H
#define TSR_GASNET_GEX_SEGMENT_H

#include <gex/client.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return the largest size in bytes that this process can attach, and the smallest such limit of all processes. Both are
 * set by gex_Client_Init. They are multiples of GASNET_PAGESIZE; 0: there is no memory. */
uintptr_t gasnet_getMaxLocalSegmentSize(void);
uintptr_t gasnet_getMaxGlobalSegmentSize(void);

/* Gives the endpoint of each member a segment. Collective over the team of all, once. Sizes may differ between
 * processes; they are multiples of GASNET_PAGESIZE, not 0, and at most gasnet_getMaxLocalSegmentSize(). Returns when
 * all segments exist. If it fails on one process it fails on all: GASNET_ERR_BAD_ARG, GASNET_ERR_RESOURCE,
 * GASNET_ERR_NOT_INIT (a second call). */
int gex_Segment_Attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size);

/* A hook for programs that use this name of GASNet's: the next attach calls the function that the program assigns to
 * it, with the start of the caller's own segment and its size in bytes, before any other process can access the
 * segment. */
#define gasnet_client_attach_hook (*gexi_attach_hook())
void (**gexi_attach_hook(void))(void *, uintptr_t);

/* Create and destroy a segment of one process: of the program's own memory, or (address NULL) of memory that the
 * library allocates, which other processes of the node access faster. kind is GEX_MK_HOST. */
int gex_Segment_Create(gex_Segment_t *segment_p, gex_Client_t client, gex_Addr_t address, uintptr_t length, gex_MK_t kind,
                       gex_Flags_t flags);
void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t flags);

/* An alternative to gex_Segment_Attach. gex_EP_BindSegment binds a segment to the endpoint, once; GASNET_ERR_BAD_ARG:
 * it already has one. gex_EP_PublishBoundSegment, collective over a team, makes the segments known to the members; a
 * process without a segment passes no endpoint. It returns when all have called. */
int gex_EP_BindSegment(gex_EP_t ep, gex_Segment_t segment, gex_Flags_t flags);
int gex_EP_PublishBoundSegment(gex_TM_t tm, gex_EP_t *eps, size_t num_eps, gex_Flags_t flags);

/* Store and return a pointer of the program, which is NULL at first. The library does not use it. */
void gex_Segment_SetCData(gex_Segment_t segment, const void *value);
void *gex_Segment_QueryCData(gex_Segment_t segment);
/* Return the client, the flags (always 0), the address in this process, and the size in bytes. */
gex_Client_t gex_Segment_QueryClient(gex_Segment_t segment);
gex_Flags_t gex_Segment_QueryFlags(gex_Segment_t segment);
void *gex_Segment_QueryAddr(gex_Segment_t segment);
uintptr_t gex_Segment_QuerySize(gex_Segment_t segment);

/* Stores the address of a peer's segment in the peer's memory and in the caller's (NULL: not mapped there), and its
 * size (0: no segment). Any pointer may be NULL. Complete at once: the event is GEX_EVENT_INVALID. Allowed in
 * handlers. */
gex_Event_t gex_EP_QueryBoundSegmentNB(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p, void **localaddr_p,
                                       uintptr_t *size_p, gex_Flags_t flags);
/* As gex_EP_QueryBoundSegmentNB, with a return value; not 0: there is no segment, and nothing is stored. */
int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p, void **localaddr_p, uintptr_t *size_p);

/* GASNet-1's query of all segments: stores those of the first `entries_n` processes of the job. */
typedef struct {
  void *addr;
  uintptr_t size;
} gasnet_seginfo_t;
int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int entries_n);

#ifdef __cplusplus
}
#endif
#endif
