#include "api/gasnet/vis.h"

#include "am/am.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/stats.h"
#include "api/gasnet/am.h"
#include "rma/rma.h"

/* ---- Peer completion ---- */

/* The handler that the calling thread's next put runs at its peer, and the handler's data. */
static _Thread_local struct {
  gex_AM_Index_t handler; /* 0: none */
  const void *data;
  size_t bytes;
} armed;
_Atomic int tsr_gex_vis_armed_n;

static void arm_handler(gex_AM_Index_t handler) {
  atomic_fetch_add_explicit(&tsr_gex_vis_armed_n, (handler != 0) - (armed.handler != 0), memory_order_relaxed);
  armed.handler = handler;
}

void gex_VIS_SetPeerCompletionHandler(gex_AM_Index_t handler, const void *source_addr, size_t nbytes, gex_Flags_t flags) {
  (void)flags;
  tsr_gex_check_up(__func__);
  if (handler && nbytes > GEX_VIS_MAX_PEERCOMPLETION)
    tsr_gex_die("TSR-4198 %s: %zu bytes are more than the %d of GEX_VIS_MAX_PEERCOMPLETION; put the rest", __func__, nbytes,
                GEX_VIS_MAX_PEERCOMPLETION);
  if (handler && nbytes && !source_addr)
    tsr_gex_die("TSR-4199 %s: %zu bytes are to be sent from NULL; pass the address of the data", __func__, nbytes);
  arm_handler(handler);
  armed.data = source_addr;
  armed.bytes = nbytes;
}

/* Called when the data is at the peer. */
static void notify_peer(const struct tsr_gex_vis *vis) {
  const int32_t handler = armed.handler;
  arm_handler(0);
  struct tsr_am_message message = tsr_gex_am_message(TSR_AM_MEDIUM, TSR_GEX_AM_NOTIFY, armed.data, armed.bytes, 1, &handler);
  if (tsr_am_request(vis->unit, &message, TSR_AM_WAITS, NULL))
    tsr_gex_die("TSR-4200 %s: the peer's handler cannot be called; see the message above", vis->name);
}

/* ---- All transfers ---- */

void tsr_gex_vis_check(struct tsr_gex_vis *vis) {
  tsr_gex_check_call(vis->name);
  vis->unit = tsr_gex_unit(vis->name, vis->tm, vis->rank);
}

bool tsr_gex_vis_address(const struct tsr_gex_vis *vis, const char *base, ptrdiff_t low, ptrdiff_t high, tsr_addr *address) {
  if (!tsr_gex_find_address(vis->unit, (uintptr_t)base + (uintptr_t)low, (size_t)high - (size_t)low, address)) return false;
  address->off -= (uint64_t)low;
  return true;
}

/* The op that counts the transfer. NULL: the transfer is complete on return. */
static tsr_op *pending_op(const struct tsr_gex_vis *vis, bool notifies, gex_Event_t *event) {
  enum tsr_gex_category category = vis->puts ? TSR_GEX_PUT : TSR_GEX_GET;
  tsr_op *op = NULL;
  if (vis->way == TSR_GEX_BLOCKING || notifies) return NULL;
  if (tsr_rma_is_at_once((tsr_addr){vis->unit, tsr_gex_bound(vis->unit)->off})) return NULL;
  if (vis->way == TSR_GEX_NBI) return tsr_gex_nbi(category);
  *event = tsr_gex_event(&op, category);
  return op;
}

gex_Event_t tsr_gex_vis_run(const struct tsr_gex_vis *vis, tsr_gex_move_fn move, const void *arg, size_t bytes) {
  uint64_t begun_ns = tsr_stats_begin();
  const bool notifies = vis->puts && armed.handler;
  gex_Event_t event = GEX_EVENT_INVALID;
  if (vis->flags & GEX_FLAG_IMMEDIATE) {
    struct tsr_op_need need = {0};
    if (notifies) return GEX_EVENT_NO_OP; /* no room can be reserved for its message */
    move(arg, NULL, &need);
    if (!tsr_op_reserve(&need)) return GEX_EVENT_NO_OP;
  }
  tsr_op own = {0}, *op = pending_op(vis, notifies, &event);
  if (move(arg, op ? op : &own, NULL)) tsr_gex_die("TSR-4201 %s: the transfer cannot be started; see the message above",
                                                   vis->name);
  if (vis->flags & GEX_FLAG_IMMEDIATE) tsr_op_unreserve();
  if (event) {
    event = tsr_gex_event_from(event, vis->unit);
  } else if (!op) {
    atomic_thread_fence(memory_order_acq_rel); /* orders the copies before this thread's next accesses */
    tsr_op_wait_remote(&own, vis->unit);
    if (notifies) notify_peer(vis);
  }
  if (!event && vis->way == TSR_GEX_NB) event = tsr_gex_event_of_nothing(vis->unit, TSR_GEX_PUT);
  tsr_progress_throttled();
  tsr_stats_end_at(vis->puts ? TSR_STAT_PUT : TSR_STAT_GET, begun_ns, bytes, vis->unit);
  return event;
}

gex_Event_t tsr_gex_vis_nothing(struct tsr_gex_vis *vis) {
  const bool notifies = vis->puts && armed.handler;
  if (notifies && (vis->flags & GEX_FLAG_IMMEDIATE)) return GEX_EVENT_NO_OP;
  if (notifies || vis->way == TSR_GEX_NB) tsr_gex_vis_check(vis);
  if (notifies) notify_peer(vis);
  if (vis->way != TSR_GEX_NB) return GEX_EVENT_INVALID;
  return tsr_gex_event_of_nothing(vis->unit, vis->puts ? TSR_GEX_PUT : TSR_GEX_GET);
}
