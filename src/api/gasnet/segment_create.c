/* Segments that a process creates alone, and the publication of the one that its endpoint is bound to. */
#include <gex/segment.h>

#include "coll/coll.h"
#include "core/agree.h"
#include "core/check.h"
#include "core/heap_base.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/registered.h"
#include "api/gasnet/segment.h"
#include "api/gasnet/team.h"

static struct gexi_segment *made; /* list of live segments */

int gex_Segment_Create(gex_Segment_t *segment_p, gex_Client_t client, gex_Addr_t address, uintptr_t length, gex_MK_t kind,
                       gex_Flags_t flags) {
  static const char call[] = "gex_Segment_Create";
  tsr_gex_check_up(call);
  if (!segment_p || client != &tsr_gex_client || !length || flags)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4161 %s: segment_p is %p, client %p, length %zu, flags 0x%x; pass where to "
                        "store the segment, the client, a length above 0, and flags 0", call, (void *)segment_p,
                        (void *)client, (size_t)length, (unsigned)flags);
  if (kind != GEX_MK_HOST)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4162 %s: kind is %p; pass GEX_MK_HOST, the only kind", call, (void *)kind);
  struct gexi_segment *segment = malloc(sizeof *segment);
  uint64_t off;
  if (!segment || (!address && tsr_segment_local_alloc(TSR_API_GASNET, length, &off))) {
    free(segment);
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4163 %s: no memory for %zu bytes; enlarge TESSERA_HEAP_SIZE", call,
                        (size_t)length);
  }
  char *memory = address ? address : tsr_heap_at(tsr_heap.self, off);
  *segment = (struct gexi_segment){.client = &tsr_gex_client, .address = memory, .bytes = length, .ours = !address, .next = made};
  *segment_p = made = segment;
  return GASNET_OK;
}

static void release_segment(struct gexi_segment *segment) {
  uint32_t local;
  uint64_t off;
  if (segment->bound) tsr_registered_remove(segment->address, segment->bytes);
  if (segment->ours && tsr_heap_contains(segment->address, &local, &off)) tsr_segment_local_free(TSR_API_GASNET, off);
  free(segment);
}

void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t flags) {
  static const char call[] = "gex_Segment_Destroy";
  (void)flags;
  tsr_gex_check_up(call);
  struct gexi_segment **place = &made;
  while (*place && *place != segment) place = &(*place)->next;
  if (!*place) tsr_gex_die("TSR-4164 %s: pass what gex_Segment_Create gave, once; the attached segment cannot be destroyed",
                           call);
  if (segment->bound) tsr_gex_die("TSR-4165 %s: the endpoint is bound to the segment, which cannot be destroyed", call);
  *place = segment->next;
  release_segment(segment);
}

void tsr_gex_segments_stop(void) {
  while (made) {
    struct gexi_segment *segment = made;
    made = segment->next;
    release_segment(segment);
  }
}

/* ---- The segment of the endpoint ---- */

int gex_EP_BindSegment(gex_EP_t ep, gex_Segment_t segment, gex_Flags_t flags) {
  static const char call[] = "gex_EP_BindSegment";
  tsr_gex_check_up(call);
  if (ep != &tsr_gex_ep || !segment || flags)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4166 %s: pass an endpoint, a segment, and flags 0", call);
  if (ep->segment)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4167 %s: the endpoint has a segment already, and keeps it; bind once", call);
  uint64_t off;
  if (tsr_registered_add(segment->address, segment->bytes, &off))
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4168 %s: no private memory to register the segment; free some", call);
  segment->bound = true;
  ep->segment = segment;
  tsr_gex_set_bound(TSR_UNIT(tsr_place.self), (struct tsr_gex_bound){(uintptr_t)segment->address, segment->bytes, off});
  tsr_gex_teams_refresh();
  return GASNET_OK;
}

static void learn_bound(tsr_unit unit, uint64_t off, uint64_t bytes) {
  if (!bytes) return;
  void *base =
      off & TSR_ADDR_OUTSIDE ? tsr_addr_outside_pointer((tsr_addr){unit, off}) : tsr_heap_base_pointer(unit, off);
  tsr_gex_set_bound(unit, (struct tsr_gex_bound){(uintptr_t)base, bytes, off});
  if (off & TSR_ADDR_OUTSIDE) tsr_progress_require();
}

static void exchange_bounds(tsr_team *team, bool shows) {
  struct tsr_gex_bound own = *tsr_gex_bound(TSR_UNIT(tsr_place.self));
  int64_t *offs = malloc((size_t)team->size * sizeof *offs), *bytes = malloc((size_t)team->size * sizeof *bytes);
  if (!offs || !bytes)
    tsr_gex_die("TSR-4169 gex_EP_PublishBoundSegment: no private memory for a list of %d processes; free some", team->size);
  while (!tsr_check_name(team, "gex_EP_PublishBoundSegment")) continue; /* false: a member has failed an earlier call */
  tsr_agree_gather(team, (int64_t)own.off, offs);
  tsr_agree_gather(team, shows ? (int64_t)own.bytes : 0, bytes);
  for (int32_t i = 0; i < team->size; i++)
    learn_bound(tsr_team_unit(team, TSR_MEMBER(i)), (uint64_t)offs[i], (uint64_t)bytes[i]);
  free(offs);
  free(bytes);
}

/* A process with wrong arguments still takes part in the collective, so that the others do not wait. */
int gex_EP_PublishBoundSegment(gex_TM_t tm, gex_EP_t *eps, size_t num_eps, gex_Flags_t flags) {
  static const char call[] = "gex_EP_PublishBoundSegment";
  tsr_team *team = tsr_gex_team(call, tm);
  tsr_gex_check_context(call);
  bool good = !flags && num_eps <= GASNET_MAXEPS && (!num_eps || (eps && eps[0] == &tsr_gex_ep));
  exchange_bounds(team, good && num_eps);
  tsr_gex_teams_refresh();
  tsr_barrier(team);
  return good ? GASNET_OK : tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4170 %s: pass distinct endpoints of this process, and flags "
                                         "0",
                                         call);
}
