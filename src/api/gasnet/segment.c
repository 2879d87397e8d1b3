/* Segments: the one that all processes attach together, those that a process creates alone, and their maximal size. */
#include <gex/segment.h>
#include <pthread.h>
#include <strings.h>

#include "base/log.h"
#include "coll/coll.h"
#include "core/bootstrap.h"
#include "core/check.h"
#include "core/heap_base.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/registered.h"
#include "api/gasnet/gasnet_api.h"
#include "node/topology.h"

enum { PAGE_BYTES = 4096 /* GASNET_PAGESIZE */ };

static struct gexi_segment attached, *made; /* made: list of the live segments of gex_Segment_Create */
static pthread_mutex_t made_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- Limits ---- */

static uintptr_t local_bytes, global_bytes;

/* The limit for one process that the user has set by GASNET_MAX_SEGSIZE: "AMOUNT" or "AMOUNT/P" for each process,
 * "AMOUNT/H" for a host. An amount is a number of bytes with a unit as in gasnett_parse_int, or a fraction of the host's
 * memory ("0.85", "85%"). */
static double allowed_bytes(void) {
  static const char name[] = "GASNET_MAX_SEGSIZE";
  const char *text = tsr_config_foreign_text(name);
  const double most = 9e18;
  char *end;
  if (!text || !*text) return most;
  const double amount = strtod(text, &end), host_bytes = (double)tsr_topology_memory_total();
  const char *rest = *end == '%' ? end + 1 : end;
  double bytes = amount;
  if (*end == '%') bytes *= host_bytes / 100;
  else if (amount < 1 && (!*end || *end == '/')) bytes *= host_bytes;
  else bytes *= (double)tsr_gex_skip_unit(&rest, 1);
  bool per_host = strcasecmp(rest, "/H") == 0;
  if (bytes > 0 && (per_host || !*rest || strcasecmp(rest, "/P") == 0))
    return per_host ? bytes / tsr_place_local_units() : bytes;
  tsr_warn("TSR-4136 %s=%.80s is ignored; set it to an amount such as 512MB or 0.85, optionally with /P (each process) or /H "
           "(host)", name, text);
  return most;
}

void tsr_gex_limits_start(void) {
  /* Programs attach as much as they may; the library, other interfaces and local allocations need some memory, too. */
  double share = 0.85 * (double)tsr_heap_room(tsr_place_local_units()), most = allowed_bytes();
  local_bytes = (uintptr_t)(share < most ? share : most) / PAGE_BYTES * PAGE_BYTES;
  int64_t v[1] = {-(int64_t)local_bytes};
  tsr_bootstrap_max(tsr_team_world, v, 1);
  global_bytes = (uintptr_t)-v[0];
}

uintptr_t gasnet_getMaxLocalSegmentSize(void) {
  tsr_gex_check_up("gasnet_getMaxLocalSegmentSize");
  return local_bytes;
}

uintptr_t gasnet_getMaxGlobalSegmentSize(void) {
  tsr_gex_check_up("gasnet_getMaxGlobalSegmentSize");
  return global_bytes;
}

/* ---- The attached segment ---- */

void (**gexi_attach_hook(void))(void *, uintptr_t) {
  static void (*hook)(void *, uintptr_t);
  return &hook;
}

static int check_attach(const char *call, gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size) {
  if (tm != tsr_gex_tm0())
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4153 %s: tm is not the team of all; pass the one that gex_Client_Init stored",
                        call);
  if (!segment_p)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4154 %s: segment_p is NULL; pass where to store the segment", call);
  if (tsr_gex_ep.segment)
    return tsr_gex_fail(GASNET_ERR_NOT_INIT, "TSR-4155 %s: the endpoint has a segment already; call this once", call);
  if (!size || size % PAGE_BYTES)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4156 %s: %zu bytes; pass a multiple of %d above 0", call, (size_t)size,
                        PAGE_BYTES);
  if (size > local_bytes)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4157 %s: %zu bytes; pass at most gasnet_getMaxLocalSegmentSize(), which is "
                        "%zu, use more nodes, or raise GASNET_MAX_SEGSIZE if the machine has more memory", call,
                        (size_t)size, (size_t)local_bytes);
  return GASNET_OK;
}

int tsr_gex_attach_failing(int code) {
  tsr_segment *none;
  return tsr_segment_alloc(tsr_team_world, TSR_SEGMENT_FAILED, &none) ? code : GASNET_OK;
}

int tsr_gex_attach(const char *call, gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size) {
  tsr_gex_check_call(call);
  int code = check_attach(call, segment_p, tm, size);
  if (code) return tsr_gex_attach_failing(code);
  tsr_segment *segment = NULL;
  if (tsr_segment_alloc(tsr_team_world, size, &segment))
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4158 %s: no memory for the segment of this or another process; attach less",
                        call);
  segment->api = TSR_API_GASNET;
  tsr_gex_attach_bounds(segment);
  tsr_gex_teams_refresh();
  const struct tsr_gex_bound *own = tsr_gex_bound(TSR_UNIT(tsr_place.self));
  attached = (struct gexi_segment){.client = &tsr_gex_client, .address = (char *)(uintptr_t)own->base, .bytes = own->bytes};
  tsr_gex_ep.segment = &attached;
  if (gasnet_client_attach_hook) gasnet_client_attach_hook(attached.address, attached.bytes);
  tsr_barrier_or_abort(tsr_team_world, call);
  *segment_p = &attached;
  return GASNET_OK;
}

int gex_Segment_Attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size) {
  return tsr_gex_attach(__func__, segment_p, tm, size);
}

/* ---- Segments that a process creates alone ---- */

int gex_Segment_Create(gex_Segment_t *segment_p, gex_Client_t client, gex_Addr_t address, uintptr_t length, gex_MK_t kind,
                       gex_Flags_t flags) {
  tsr_gex_check_up(__func__);
  if (!segment_p || client != &tsr_gex_client || !length || flags)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4161 %s: segment_p is %p, client %p, length %zu, flags 0x%x; pass where to "
                        "store the segment, the client, a length above 0, and flags 0", __func__, (void *)segment_p,
                        (void *)client, (size_t)length, (unsigned)flags);
  if (kind != GEX_MK_HOST)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4162 %s: kind is %p; pass GEX_MK_HOST, the only kind", __func__, (void *)kind);
  struct gexi_segment *segment = malloc(sizeof *segment);
  uint64_t off;
  if (!segment || (!address && tsr_segment_local_alloc(TSR_API_GASNET, length, &off))) {
    free(segment);
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4163 %s: no memory for a segment of %zu bytes; create a shorter one, or free "
                        "memory", __func__, (size_t)length);
  }
  char *memory = address ? address : tsr_heap_at(tsr_heap.self, off);
  *segment = (struct gexi_segment){.client = &tsr_gex_client, .address = memory, .bytes = length, .ours = !address};
  pthread_mutex_lock(&made_lock);
  segment->next = made;
  *segment_p = made = segment;
  pthread_mutex_unlock(&made_lock);
  return GASNET_OK;
}

/* Removes and frees the segment that a link of the list points to. */
/* The segment is in no list any more. */
static void release_segment(struct gexi_segment *segment) {
  uint32_t local;
  uint64_t off;
  if (segment->bound) tsr_registered_remove(segment->address, segment->bytes);
  if (segment->ours && tsr_heap_contains(segment->address, &local, &off)) tsr_segment_local_free(TSR_API_GASNET, off);
  free(segment);
}

void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t flags) {
  (void)flags;
  tsr_gex_check_up(__func__);
  pthread_mutex_lock(&made_lock);
  struct gexi_segment **link = &made;
  while (*link && *link != segment) link = &(*link)->next;
  if (!*link)
    tsr_gex_die("TSR-4164 %s: %p is not a segment of gex_Segment_Create, or is destroyed already; pass such a segment, once (the "
                "attached segment cannot be destroyed)", __func__, (void *)segment);
  if (segment->bound)
    tsr_gex_die("TSR-4165 %s: the endpoint is bound to the segment, which cannot be destroyed; keep it until the exit", __func__);
  *link = segment->next;
  pthread_mutex_unlock(&made_lock);
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
  tsr_gex_check_up(__func__);
  if (ep != &tsr_gex_ep || !segment || flags)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4166 %s: ep is %p, segment %p, flags %#x; pass an endpoint of this process, a "
                        "segment, and flags 0", __func__, (void *)ep, (void *)segment, (unsigned)flags);
  if (ep->segment)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4167 %s: the endpoint has a segment already, and keeps it; bind once",
                        __func__);
  uint64_t off;
  if (tsr_registered_add(segment->address, segment->bytes, &off))
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4168 %s: no private memory to register the segment; free some", __func__);
  segment->bound = true;
  ep->segment = segment;
  tsr_gex_set_bound(TSR_UNIT(tsr_place.self), (struct tsr_gex_bound){(uintptr_t)segment->address, segment->bytes, off});
  tsr_gex_teams_refresh();
  return GASNET_OK;
}

static void learn_bound(tsr_unit unit, uint64_t off, uint64_t bytes) {
  if (!bytes) return;
  void *base = off & TSR_ADDR_OUTSIDE ? tsr_addr_outside_pointer((tsr_addr){unit, off}) : tsr_heap_base_pointer(unit, off);
  tsr_gex_set_bound(unit, (struct tsr_gex_bound){(uintptr_t)base, bytes, off});
  if (off & TSR_ADDR_OUTSIDE) tsr_progress_require();
}

/* A process with wrong arguments still takes part in the collective, so that the others do not wait. */
int gex_EP_PublishBoundSegment(gex_TM_t tm, gex_EP_t *eps, size_t num_eps, gex_Flags_t flags) {
  tsr_team *team = tsr_gex_team(__func__, tm);
  tsr_gex_check_context(__func__);
  bool good = !flags && num_eps <= GASNET_MAXEPS && (!num_eps || (eps && eps[0] == &tsr_gex_ep));
  struct tsr_gex_bound own = *tsr_gex_bound(TSR_UNIT(tsr_place.self));
  int64_t *offs = malloc((size_t)team->size * sizeof *offs), *bytes = malloc((size_t)team->size * sizeof *bytes);
  if (!offs || !bytes)
    tsr_gex_die("TSR-4169 %s: no private memory for a list of %d processes; free some", __func__, team->size);
  while (!tsr_check_name(team, __func__)) continue; /* false: a member has failed an earlier call */
  tsr_bootstrap_gather(team, (int64_t)own.off, offs);
  tsr_bootstrap_gather(team, good && num_eps ? (int64_t)own.bytes : 0, bytes);
  for (int32_t i = 0; i < team->size; i++)
    learn_bound(tsr_team_unit(team, TSR_MEMBER(i)), (uint64_t)offs[i], (uint64_t)bytes[i]);
  free(offs);
  free(bytes);
  tsr_gex_teams_refresh();
  if (tsr_barrier(team))
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4212 %s: another process has left with an error; see its message",
                        __func__);
  if (good) return GASNET_OK;
  return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4170 %s: eps is %p, num_eps %zu, flags %#x; pass distinct endpoints of this "
                      "process, and flags 0", __func__, (void *)eps, num_eps, (unsigned)flags);
}

/* ---- Queries ---- */

static struct gexi_segment *segment_of(const char *call, gex_Segment_t segment) {
  tsr_gex_check_up(call);
  if (!segment) tsr_gex_die("TSR-4159 %s: segment is GEX_SEGMENT_INVALID; pass a segment", call);
  return segment;
}

void gex_Segment_SetCData(gex_Segment_t segment, const void *value) { segment_of(__func__, segment)->cdata = value; }
void *gex_Segment_QueryCData(gex_Segment_t segment) { return (void *)segment_of(__func__, segment)->cdata; }
gex_Client_t gex_Segment_QueryClient(gex_Segment_t segment) { return segment_of(__func__, segment)->client; }
gex_Flags_t gex_Segment_QueryFlags(gex_Segment_t segment) { return segment_of(__func__, segment), (gex_Flags_t)0; }
void *gex_Segment_QueryAddr(gex_Segment_t segment) { return segment_of(__func__, segment)->address; }
uintptr_t gex_Segment_QuerySize(gex_Segment_t segment) { return segment_of(__func__, segment)->bytes; }

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
  store_bound(tsr_gex_unit(__func__, tm, rank), owneraddr_p, localaddr_p, size_p);
  return GEX_EVENT_INVALID;
}

int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p, void **localaddr_p, uintptr_t *size_p) {
  tsr_unit unit = tsr_gex_unit(__func__, tm, rank);
  if (!tsr_gex_bound(unit)->bytes) return GASNET_ERR_NOT_READY;
  store_bound(unit, owneraddr_p, localaddr_p, size_p);
  return GASNET_OK;
}

int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int entries_n) {
  tsr_gex_check_up(__func__);
  if (!table || entries_n < 0)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4160 %s: the table is %p with %d entries; pass a table and its number of "
                        "entries", __func__, (void *)table, entries_n);
  for (int32_t unit = 0; unit < tsr_place.units_n && unit < entries_n; unit++) {
    struct tsr_gex_bound bound = tsr_gex_look_up_bound(TSR_UNIT(unit));
    table[unit] = (gasnet_seginfo_t){(void *)(uintptr_t)bound.base, bound.bytes};
  }
  return GASNET_OK;
}
