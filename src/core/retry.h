/* The answer to TESSERA_ERR_AGAIN. A call that may wait makes its first try and calls tsr_retry. A call that may not (a step of a
 * layer's progress, a handler, an immediate send) passes TESSERA_ERR_AGAIN on, or leaves its work queued for the next progress. */
#ifndef TSR_CORE_RETRY_H
#define TSR_CORE_RETRY_H

#include <stdatomic.h>
#include <stdbool.h>

#include <tessera.h>

#include "base/wait.h"

/* `has_room` becomes true when a try may succeed: progress, a doorbell, or tsr_retry_room_freed follows each such change. */
struct tsr_retry {
  tessera_status_t (*start)(void *arg);
  tsr_ready_fn has_room;
  void *arg; /* of both */
  struct tsr_wait_why why;
};

/* Waits for room and starts again, until the result is not TESSERA_ERR_AGAIN; returns that. */
tessera_status_t tsr_retry(const struct tsr_retry *retry) __attribute__((cold));

/* Called when this process has given room back. True: a thread may wait for it; the caller wakes it by tsr_wait_nudge. */
extern _Atomic int tsr_retries_n;
static inline bool tsr_retry_waits(void) {
  atomic_thread_fence(memory_order_seq_cst); /* partner: the count in tsr_retry, before has_room */
  return atomic_load_explicit(&tsr_retries_n, memory_order_relaxed) > 0;
}
static inline void tsr_retry_room_freed(void) {
  if (tsr_retry_waits()) tsr_wait_nudge();
}

#endif
