/* Notified access: a put or get that notifies the target. When the data is stored (put) or has been read (get), a counter in
 * the target's heap is changed, an aligned word of 64 bits. A thread that reads the new count with acquire also sees the data
 * (put), or may overwrite it (get). The owner of the heap can wait for the counter and sleeps meanwhile.
 *
 * Data and counter belong to one unit. The caller has checked team, segment and range. Any thread; not from a handler. */
#ifndef TSR_RMA_NOTIFY_H
#define TSR_RMA_NOTIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/op.h"
#include "core/place.h"
#include "rma/rma.h"
#include "rma/signal.h"

/* Puts `bytes`, then adds `value` to the counter, or stores it there. Complete on return on this node; otherwise counted
 * in `op`. Small data and the counter share one request; long data is sent before the request for the counter.
 * TESSERA_ERR_MEMORY. */
tessera_status_t tsr_put_notify(tsr_addr dest, const void *src, size_t bytes, tsr_addr counter, enum tsr_signal how,
                                uint64_t value, tsr_op *op);

/* Gets `bytes`, and adds `increment` to the counter when the target may overwrite them. Complete on return on this node;
 * otherwise counted in `op`: one request if the data fits into an eager message; longer data is read before the request for
 * the counter. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_get_notify(void *dest, tsr_addr src, size_t bytes, tsr_addr counter, uint64_t increment, tsr_op *op);

/* Reads a counter of the own heap. */
static inline uint64_t tsr_notify_read(const uint64_t *counter) { return __atomic_load_n(counter, __ATOMIC_ACQUIRE); }

struct tsr_notify_goal {
  const uint64_t *counter;
  uint64_t least;
};
/* Returns the index of the first goal that is reached. If none is, makes progress and tests once more; n: still none. */
size_t tsr_notify_test(const struct tsr_notify_goal goals[], size_t n);
/* Waits until a goal is reached; returns the index of the first such goal. n > 0. */
size_t tsr_notify_wait_any(const struct tsr_notify_goal goals[], size_t n);

#endif
