#include <gex/segment.h>

#include "coll/coll.h"
#include "core/heap_base.h"
#include "core/place.h"
#include "api/gasnet/gasnet_api.h"
#include "api/gasnet/limit.h"
#include "api/gasnet/segment.h"
#include "api/gasnet/team.h"

enum { PAGE_BYTES = 4096 }; /* GASNET_PAGESIZE */

static struct gexi_segment attached;

/* ---- The attached segment ---- */

void (**gexi_attach_hook(void))(void *, uintptr_t) {
  static void (*hook)(void *, uintptr_t);
  return &hook;
}

static int check_attach(const char *call, gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size) {
  if (tm != tsr_gex_tm0())
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4153 %s: tm is not the team of all; pass the one that gex_Client_Init stored",
                        call);
  if (!segment_p) return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4154 %s: segment_p is NULL; pass where to store the segment",
                                      call);
  if (tsr_gex_ep.segment)
    return tsr_gex_fail(GASNET_ERR_NOT_INIT, "TSR-4155 %s: the endpoint has a segment already; call this once", call);
  if (!size || size % PAGE_BYTES)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4156 %s: %zu bytes; pass a multiple of %d above 0", call, (size_t)size,
                        PAGE_BYTES);
  if (size > tsr_gex_limit_local())
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4157 %s: %zu bytes; pass at most gasnet_getMaxLocalSegmentSize(), which is "
                        "%zu, use more nodes, or raise GASNET_MAX_SEGSIZE if the machine has more memory", call,
                        (size_t)size, (size_t)tsr_gex_limit_local());
  return GASNET_OK;
}

int tsr_gex_attach(const char *call, gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size) {
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
  int code = check_attach(call, segment_p, tm, size);
  tsr_segment *segment = NULL;
  tessera_status_t status = tsr_segment_alloc(tsr_team_world, code ? TSR_SEGMENT_REFUSED : size, &segment);
  if (code) return code;
  if (status)
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4158 %s: no memory for the segment of this or another process; attach less",
                        call);
  segment->api = TSR_API_GASNET;
  tsr_gex_attach_bounds(segment);
  tsr_gex_teams_refresh();
  const struct tsr_gex_bound *own = tsr_gex_bound(TSR_UNIT(tsr_place.self));
  attached = (struct gexi_segment){.client = &tsr_gex_client, .address = (char *)(uintptr_t)own->base, .bytes = own->bytes};
  *segment_p = tsr_gex_ep.segment = &attached;
  if (gasnet_client_attach_hook) gasnet_client_attach_hook(attached.address, attached.bytes);
  tsr_barrier(tsr_team_world);
  return GASNET_OK;
}

int gex_Segment_Attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size) {
  return tsr_gex_attach("gex_Segment_Attach", segment_p, tm, size);
}

/* ---- Queries ---- */

static struct gexi_segment *segment_of(const char *call, gex_Segment_t segment) {
  tsr_gex_check_up(call);
  if (!segment) tsr_gex_die("TSR-4159 %s: segment is GEX_SEGMENT_INVALID; pass a segment", call);
  return segment;
}

void gex_Segment_SetCData(gex_Segment_t segment, const void *value) {
  segment_of("gex_Segment_SetCData", segment)->cdata = value;
}
void *gex_Segment_QueryCData(gex_Segment_t segment) { return (void *)segment_of("gex_Segment_QueryCData", segment)->cdata; }
gex_Client_t gex_Segment_QueryClient(gex_Segment_t segment) { return segment_of("gex_Segment_QueryClient", segment)->client; }
gex_Flags_t gex_Segment_QueryFlags(gex_Segment_t segment) {
  return segment_of("gex_Segment_QueryFlags", segment), (gex_Flags_t)0;
}
void *gex_Segment_QueryAddr(gex_Segment_t segment) { return segment_of("gex_Segment_QueryAddr", segment)->address; }
uintptr_t gex_Segment_QuerySize(gex_Segment_t segment) { return segment_of("gex_Segment_QuerySize", segment)->bytes; }

static void store_bound(tsr_unit unit, void **owneraddr_p, void **localaddr_p, uintptr_t *size_p) {
  const struct tsr_gex_bound *bound = tsr_gex_bound(unit);
  void *base = (void *)(uintptr_t)bound->base;
  if (owneraddr_p) *owneraddr_p = base;
  if (localaddr_p) *localaddr_p = bound->bytes ? tsr_gex_local_pointer(unit, base, bound->bytes) : NULL;
  if (size_p) *size_p = bound->bytes;
}

gex_Event_t gex_EP_QueryBoundSegmentNB(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p, void **localaddr_p,
                                       uintptr_t *size_p, gex_Flags_t flags) {
  (void)flags;
  store_bound(tsr_gex_unit("gex_EP_QueryBoundSegmentNB", tm, rank), owneraddr_p, localaddr_p, size_p);
  return GEX_EVENT_INVALID;
}

int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p, void **localaddr_p, uintptr_t *size_p) {
  tsr_unit unit = tsr_gex_unit("gex_Segment_QueryBound", tm, rank);
  if (!tsr_gex_bound(unit)->bytes) return GASNET_ERR_NOT_READY;
  store_bound(unit, owneraddr_p, localaddr_p, size_p);
  return GASNET_OK;
}

int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int entries_n) {
  static const char call[] = "gasnet_getSegmentInfo";
  tsr_gex_check_up(call);
  if (!table || entries_n < 0)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4160 %s: the table is %p with %d entries; pass a table and its number of "
                        "entries", call, (void *)table, entries_n);
  for (int32_t unit = 0; unit < tsr_place.units_n && unit < entries_n; unit++) {
    struct tsr_gex_bound bound = tsr_gex_look_up_bound(TSR_UNIT(unit));
    table[unit] = (gasnet_seginfo_t){(void *)(uintptr_t)bound.base, bound.bytes};
  }
  return GASNET_OK;
}
