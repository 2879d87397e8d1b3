#include "faces/gasnet/vis.h"

#include "am/am.h"
#include "base/stats.h"
#include "core/place.h"
#include "core/progress.h"
#include "faces/gasnet/am.h"
#include "rma/rma.h"

/* ---- Peer completion ---- */

/* What the calling thread's next put brings with it. */
static _Thread_local struct {
  gex_AM_Index_t handler; /* 0: nothing */
  const void *data;
  size_t bytes;
} armed;

void gex_VIS_SetPeerCompletionHandler(gex_AM_Index_t handler, const void *source_addr, size_t nbytes, gex_Flags_t flags) {
  (void)flags;
  tsr_gex_check_up(__func__);
  if (handler && nbytes > GEX_VIS_MAX_PEERCOMPLETION)
    tsr_gex_die("%s: %zu bytes are more than the %zu of GEX_VIS_MAX_PEERCOMPLETION; put the rest", __func__, nbytes,
                GEX_VIS_MAX_PEERCOMPLETION);
  if (handler && nbytes && !source_addr) tsr_gex_die("%s: %zu bytes are to be sent from NULL", __func__, nbytes);
  armed.handler = handler;
  armed.data = source_addr;
  armed.bytes = nbytes;
}

/* The data is at the peer. */
static void notify(const struct tsr_gex_vis *vis) {
  const int32_t handler = armed.handler;
  armed.handler = 0;
  struct tsr_am_message message = {.family = TSR_AM_GASNET, .handler = TSR_GEX_AM_NOTIFY, .kind = TSR_AM_MEDIUM, .args_n = 1, .args = &handler,
                                   .data = armed.data, .bytes = armed.bytes};
  if (tsr_am_request(vis->unit, &message, TSR_AM_WAITS, NULL))
    tsr_gex_die("%s: the peer's handler cannot be called; see the line above", vis->name);
}

/* ---- All transfers ---- */

void tsr_gex_vis_check(struct tsr_gex_vis *vis) {
  tsr_gex_check_up(vis->name);
  tsr_gex_check_context(vis->name);
  vis->unit = tsr_gex_unit(vis->name, vis->tm, vis->rank);
}

bool tsr_gex_vis_address(const struct tsr_gex_vis *vis, const char *base, ptrdiff_t low, ptrdiff_t high, tsr_addr *address) {
  const struct tsr_gex_bound *bound = &tsr_gex_bounds[vis->unit.id];
  uint64_t off = (uint64_t)(uintptr_t)base + (uint64_t)low - bound->base, bytes = (uint64_t)high - (uint64_t)low;
  if (bytes > bound->bytes || off > bound->bytes - bytes) return false;
  *address = (tsr_addr){vis->unit, bound->off + off - (uint64_t)low};
  return true;
}

/* GEX_FLAG_IMMEDIATE looks for room for the first message only: how many there will be shows when they are packed. */
static bool has_room(const struct tsr_gex_vis *vis, size_t bytes) {
  if (!(vis->flags & GEX_FLAG_IMMEDIATE) || tsr_place_is_here(vis->unit)) return true;
  size_t first = bytes < tsr_net_limits.payload_bytes ? bytes : tsr_net_limits.payload_bytes;
  return tsr_rma_has_room((tsr_addr){vis->unit, tsr_gex_bounds[vis->unit.id].off}, first);
}

/* Where the transfer is counted; NULL: nowhere, it is complete on return. */
static tsr_op *pending_op(const struct tsr_gex_vis *vis, gex_Event_t *event) {
  enum tsr_gex_category category = vis->puts ? TSR_GEX_PUT : TSR_GEX_GET;
  tsr_op *op = NULL;
  if (tsr_place_is_here(vis->unit) || vis->way == TSR_GEX_BLOCKING || (vis->puts && armed.handler)) return NULL;
  if (vis->way == TSR_GEX_NBI) return tsr_gex_nbi(category);
  *event = tsr_gex_event(&op, category);
  return op;
}

gex_Event_t tsr_gex_vis_run(const struct tsr_gex_vis *vis, tsr_gex_move_fn move, const void *arg, size_t bytes) {
  uint64_t begun_ns = tsr_stats_begin();
  gex_Event_t event = GEX_EVENT_INVALID;
  if (!has_room(vis, bytes)) return GEX_EVENT_NO_OP;
  tsr_op own = {0}, *op = pending_op(vis, &event);
  if (move(arg, op ? op : &own)) tsr_gex_die("%s: the transfer cannot be started; see the line above", vis->name);
  if (event) {
    event = tsr_gex_event_started(event);
  } else if (!op) {
    atomic_thread_fence(memory_order_acq_rel); /* what was copied here comes before whatever this thread does next */
    tsr_op_wait_remote(&own, vis->unit);
    if (vis->puts && armed.handler) notify(vis);
  }
  tsr_progress_glance();
  tsr_stats_end(vis->puts ? TSR_STAT_PUT : TSR_STAT_GET, begun_ns, bytes, tsr_place_is_here(vis->unit) ? 0 : bytes);
  return event;
}

gex_Event_t tsr_gex_vis_nothing(const struct tsr_gex_vis *vis) {
  if (vis->puts && armed.handler) {
    struct tsr_gex_vis checked = *vis;
    tsr_gex_vis_check(&checked);
    notify(&checked);
  }
  return GEX_EVENT_INVALID;
}
