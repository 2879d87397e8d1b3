/* Transfers of data in pieces: common parts of the vector, indexed and strided calls. */
#ifndef TSR_API_GASNET_VIS_H
#define TSR_API_GASNET_VIS_H

#include <gex/vis.h>

#include <stdatomic.h>

#include "core/progress.h"
#include "api/gasnet/gasnet_api.h"

/* A call of the program. */
enum tsr_gex_way { TSR_GEX_BLOCKING, TSR_GEX_NB, TSR_GEX_NBI };
struct tsr_gex_vis {
  const char *name;
  bool puts;
  enum tsr_gex_way way;
  gex_TM_t tm;
  gex_Rank_t rank;
  gex_Flags_t flags;
  tsr_unit unit; /* of the rank; set by _check */
};

/* ---- Fast path: transfers within the node, with valid arguments ---- */

/* The number of threads whose next put runs a handler at its peer. */
extern _Atomic int tsr_gex_vis_armed_n;

/* Whether the call may take the fast path: it has only harmless flags, and no thread has set a handler for its next
 * put. */
static inline bool tsr_gex_vis_is_plain(gex_Flags_t flags) {
  const gex_Flags_t harmless = GEX_FLAG_IMMEDIATE | GEX_FLAG_ENABLE_LEAF_LC;
  return GEXI_LIKELY(!(flags & ~harmless) && !atomic_load_explicit(&tsr_gex_vis_armed_n, memory_order_relaxed));
}

/* Orders the copies before this thread's next accesses; partner: the reader of its next stores. */
static inline void tsr_gex_vis_done(void) {
  atomic_thread_fence(memory_order_acq_rel);
  tsr_progress_throttled();
}

/* ---- General path ---- */

/* Checks context and peer, and sets `unit`. An error ends the job. */
void tsr_gex_vis_check(struct tsr_gex_vis *vis);

/* Stores the address of `base` at the peer. False: [low, high) relative to `base` is not inside the peer's segment, nor
 * in memory of another interface. */
bool tsr_gex_vis_address(const struct tsr_gex_vis *vis, const char *base, ptrdiff_t low, ptrdiff_t high, tsr_addr *address);

/* Runs `move` and completes the transfer as the call requires. `move` starts the transfer, counted in the op; with
 * `need` it only adds the resources that a start without waiting needs. `bytes` are for statistics. Returns the result
 * of an _NB call. */
typedef tessera_status_t (*tsr_gex_move_fn)(const void *arg, tsr_op *op, struct tsr_op_need *need);
gex_Event_t tsr_gex_vis_run(const struct tsr_gex_vis *vis, tsr_gex_move_fn move, const void *arg, size_t bytes);

/* For a call without bytes. Returns the result of an _NB call. For a peer on another node it is a complete event, since
 * clients take GEX_EVENT_INVALID to mean that the peer shares memory. */
gex_Event_t tsr_gex_vis_nothing(struct tsr_gex_vis *vis);

/* The result of _NBI and _Blocking calls. */
static inline int tsr_gex_vis_code(gex_Event_t event) { return event == GEX_EVENT_NO_OP; }

/* The three functions of a transfer, as CALL(way, type of the result, its conversion, end of the name). */
#define TSR_GEX_THREE_WAYS(CALL)                \
  CALL(TSR_GEX_NB, gex_Event_t, , NB)           \
  CALL(TSR_GEX_NBI, int, tsr_gex_vis_code, NBI) \
  CALL(TSR_GEX_BLOCKING, int, tsr_gex_vis_code, Blocking)

#endif
