/* Where messages arrive: they meet their receives here, or wait for them. No credit bounds those that wait: a sender is told that
 * a small message has gone when it is here, not when it is received, as programs may send many before they receive any. */
#ifndef TSR_P2P_INBOX_H
#define TSR_P2P_INBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wait.h"
#include "core/progress_thread.h"
#include "core/runtime.h"
#include "p2p/envelope.h"
#include "p2p/p2p.h"

/* An envelope has come for this unit, with envelope->bytes of `data` if it is small. Any thread, also in handlers; never waits.
 * Who calls it keeps the order in which each source sent. */
void tsr_inbox_take(const struct tsr_envelope *envelope, const void *data);

/* Puts an envelope for a unit of this node into its ring. _try never waits; false: no room now. */
void tsr_inbox_push(uint32_t local, const struct tsr_envelope *envelope, const void *data);
bool tsr_inbox_try_push(uint32_t local, const struct tsr_envelope *envelope, const void *data);

/* A receive has met its message. */
void tsr_incoming_accept(tsr_incoming *in, const struct tsr_envelope *envelope, const void *data);

/* The end: frees what was sent buffered and never received. */
void tsr_buffered_stop(void);

/* The last that the library does with a message: `after`, if there is one, may free it. */
static inline void tsr_p2p_tell(_Atomic bool *done) {
  atomic_store_explicit(done, true, memory_order_release); /* partner: the load in is_done */
  if (atomic_load_explicit(&tsr_progress_thread_followed_n, memory_order_relaxed)) tsr_work_poll();
  if (!tsr_alone()) tsr_wait_nudge();
}
static inline void tsr_incoming_finish(tsr_incoming *in) {
  if (in->after) in->after(in);
  else tsr_p2p_tell(&in->done);
}

/* Long messages that go or come: those that were offered, and receives that have met theirs. */
extern _Atomic uint32_t tsr_p2p_moving_n;
static inline void tsr_p2p_moves(void) { atomic_fetch_add_explicit(&tsr_p2p_moving_n, 1, memory_order_relaxed); }
static inline void tsr_p2p_rests(void) {
  atomic_fetch_sub_explicit(&tsr_p2p_moving_n, 1, memory_order_release);
  tsr_wait_nudge();
}

/* Their ends. */
static inline void tsr_outgoing_gone(tsr_outgoing *out) {
  if (out->after) out->after(out);
  else tsr_p2p_tell(&out->done);
  tsr_p2p_rests();
}
static inline void tsr_incoming_arrived(tsr_incoming *in) {
  tsr_incoming_finish(in);
  tsr_p2p_rests();
}

#endif
