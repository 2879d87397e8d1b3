/* Notified access: a put or get whose target learns of it. After the data is there, or has been read, a counter at the
 * target is increased: a word of 64 bits in a heap, which any unit can address. Whoever sees the counter with acquire sees
 * the data too, or may overwrite it, and whose heap it lies in waits for it asleep.
 *
 * Data and counter are of one unit. Addresses are good (team, segment and range were checked), the counter aligned.
 * Threads: any; not from a handler. */
#ifndef TSR_RMA_NOTIFY_H
#define TSR_RMA_NOTIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/op.h"
#include "core/place.h"
#include "rma/rma.h"

/* Adds `increment` to the counter of a unit of this node, ourselves included, and wakes the unit: what this thread has
 * stored before is visible to whoever sees it. */
void tsr_notify_local(uint32_t local, uint64_t off, uint64_t increment);

/* Puts `bytes` and then counts. On this node complete on return; elsewhere counted in `op`: small data and counter travel in
 * one request, long data goes before. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_put_notify(tsr_addr dest, const void *src, size_t bytes, tsr_addr counter, uint64_t increment,
                                tsr_op *op);

/* Gets `bytes`; counts when they need not lie there any more. On this node complete on return; elsewhere counted in `op`:
 * one request when they fit in an eager message, long data is fetched before. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_get_notify(void *dest, tsr_addr src, size_t bytes, tsr_addr counter, uint64_t increment, tsr_op *op);

/* A counter of the own heap. */
static inline uint64_t tsr_notify_read(const uint64_t *counter) { return __atomic_load_n(counter, __ATOMIC_ACQUIRE); }

struct tsr_notify_goal {
  const uint64_t *counter;
  uint64_t least;
};
/* The first of them that has reached its goal; n: none has, and progress was made. */
size_t tsr_notify_test(const struct tsr_notify_goal goals[], size_t n);
/* Returns when one has: the first. Sleeps meanwhile; n > 0. */
size_t tsr_notify_wait_any(const struct tsr_notify_goal goals[], size_t n);

#endif
