/* Matches arriving messages with receives, and keeps a message until its receive starts. No credits bound the messages
 * that are kept: a small message completes when it has arrived, not when it is received, because programs may send many
 * messages before they receive any. */
#ifndef TSR_P2P_INBOX_H
#define TSR_P2P_INBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wait.h"
#include "core/progress_thread.h"
#include "core/runtime.h"
#include "p2p/envelope.h"
#include "p2p/p2p.h"

/* Accepts an envelope for this unit. `data`: all bytes of a small message; the first bytes of a long message from another
 * node. Any thread, also in handlers; never waits. The caller passes the envelopes of each source in the order of its sends. */
void tsr_inbox_take(const struct tsr_envelope *envelope, const void *data);

/* Puts an envelope for a unit of this node into its ring. _try never waits; false: no room now. */
void tsr_inbox_push(uint32_t local, const struct tsr_envelope *envelope, const void *data);
bool tsr_inbox_try_push(uint32_t local, const struct tsr_envelope *envelope, const void *data);

/* At the end: frees the copies of buffered messages that were never received. */
void tsr_buffered_stop(void);

/* Completes a message. The library does not access the object afterwards: a waiter or `after` may free it. */
static inline void tsr_p2p_set_done(_Atomic bool *done) {
  atomic_store_explicit(done, true, memory_order_release); /* partners: the loads in is_done, is_received and has_ended */
  if (atomic_load_explicit(&tsr_progress_thread_pending_n, memory_order_relaxed)) tsr_work_poll();
  if (!tsr_alone()) tsr_wait_nudge();
}
static inline void tsr_incoming_finish(tsr_incoming *in) {
  if (in->after) in->after(in);
  else tsr_p2p_set_done(&in->done);
}

/* Long messages in progress: sends that were offered, and receives that have matched. By context; the last count is that of all
 * collectives. */
extern _Atomic uint32_t tsr_p2p_moving_n[TSR_P2P_INTERFACES_N + 1];
static inline _Atomic uint32_t *tsr_p2p_moving(uint16_t context) {
  return &tsr_p2p_moving_n[context < TSR_P2P_INTERFACES_N ? context : TSR_P2P_INTERFACES_N];
}
static inline void tsr_p2p_move_begins(uint16_t context) {
  atomic_fetch_add_explicit(tsr_p2p_moving(context), 1, memory_order_relaxed);
}
static inline void tsr_p2p_move_ends(uint16_t context) {
  atomic_fetch_sub_explicit(tsr_p2p_moving(context), 1, memory_order_release);
  tsr_wait_nudge();
}

/* Complete a long message. Its owner may free the object meanwhile. */
static inline void tsr_outgoing_complete(tsr_outgoing *out) {
  const uint16_t context = out->context;
  if (out->after) out->after(out);
  else tsr_p2p_set_done(&out->done);
  tsr_p2p_move_ends(context);
}
static inline void tsr_incoming_complete(tsr_incoming *in) {
  const uint16_t context = in->entry.key.context;
  tsr_incoming_finish(in);
  tsr_p2p_move_ends(context);
}

#endif
