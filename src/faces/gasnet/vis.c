#include "faces/gasnet/vis.h"

#include "am/am.h"
#include "base/stats.h"
#include "core/place.h"
#include "core/progress.h"
#include "faces/gasnet/am.h"

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
  struct tsr_am_message message = {.family = TSR_AM_GASNET_VIS, .kind = TSR_AM_MEDIUM, .args_n = 1, .args = &handler,
                                   .data = armed.data, .bytes = armed.bytes};
  if (tsr_am_request(vis->unit, &message, TSR_AM_WAITS, NULL))
    tsr_gex_die("%s: the peer's handler cannot be called; see the line above", vis->name);
}

/* At the peer the program sees a reply, which it is, to what it has not asked. */
static void run_handler(tsr_am_token *message) {
  tsr_am_token reply = *message;
  reply.family = TSR_AM_GASNET;
  reply.handler = (uint8_t)message->args[0];
  reply.args_n = 0;
  reply.is_request = false;
  tsr_gex_dispatch(&reply);
}

__attribute__((constructor)) static void register_family(void) { tsr_am_register(TSR_AM_GASNET_VIS, run_handler); }

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
