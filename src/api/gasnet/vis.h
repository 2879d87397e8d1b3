/* Transfers of data in pieces: what the calls for lists and for nests come down to. */
#ifndef TSR_API_GASNET_VIS_H
#define TSR_API_GASNET_VIS_H

#include <gex/vis.h>

#include <stdatomic.h>

#include "core/progress.h"
#include "api/gasnet/gasnet_api.h"

/* Which call of the program it is. */
enum tsr_gex_way { TSR_GEX_BLOCKING, TSR_GEX_NB, TSR_GEX_NBI };
struct tsr_gex_vis {
  const char *name;
  bool puts;
  enum tsr_gex_way way;
  gex_TM_t tm;
  gex_Rank_t rank;
  gex_Flags_t flags;
  tsr_unit unit; /* of the rank: found by _check */
};

/* ---- The short way: what this process moves itself, at once, of calls in which nothing is wrong ---- */

/* Threads whose next put has a handler run at its peer. */
extern _Atomic int tsr_gex_vis_armed_n;

/* Nothing is asked for but data. Other flags are the long way's. */
static inline bool tsr_gex_vis_is_plain(gex_Flags_t flags) {
  const gex_Flags_t harmless = GEX_FLAG_IMMEDIATE | GEX_FLAG_ENABLE_LEAF_LC;
  return GEXI_LIKELY(!(flags & ~harmless) && !atomic_load_explicit(&tsr_gex_vis_armed_n, memory_order_relaxed));
}

/* What was copied here comes before whatever this thread does next; partner: the other side's. */
static inline void tsr_gex_vis_done(void) {
  atomic_thread_fence(memory_order_acq_rel);
  tsr_progress_throttled();
}

/* ---- All others ---- */

/* The peer, and where the call is made; dies when either is wrong. */
void tsr_gex_vis_check(struct tsr_gex_vis *vis);

/* Where [low, high) relative to `base` lies at the peer: the address of `base` itself. False: not all of it is in the peer's
 * segment. */
bool tsr_gex_vis_address(const struct tsr_gex_vis *vis, const char *base, ptrdiff_t low, ptrdiff_t high, tsr_addr *address);

/* Runs `move`, which starts the transfer and counts it in the op (or, with `need`, only adds what it needs to start without
 * waiting), and completes it as the call says. The bytes are for statistics. Returns what an _NB call returns. */
typedef tessera_status_t (*tsr_gex_move_fn)(const void *arg, tsr_op *op, struct tsr_op_need *need);
gex_Event_t tsr_gex_vis_run(const struct tsr_gex_vis *vis, tsr_gex_move_fn move, const void *arg, size_t bytes);

/* The call moves nothing. Returns what an _NB call returns: a complete event of an object for a peer of another node, as for a transfer
 * of bytes, since clients take GEX_EVENT_INVALID to mean that the peer shares memory. */
gex_Event_t tsr_gex_vis_nothing(struct tsr_gex_vis *vis);

/* For _NBI and _Blocking calls: 0, or not. */
static inline int tsr_gex_vis_code(gex_Event_t event) { return event == GEX_EVENT_NO_OP; }

#endif
