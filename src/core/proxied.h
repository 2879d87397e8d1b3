/* Proxied requests: requests on memory outside the heaps that a unit of the own node runs when it makes progress. They look like
 * requests between nodes, and the same handlers run; their data lies in a block of the origin's heap, the ring has a reference. */
#ifndef TSR_CORE_PROXIED_H
#define TSR_CORE_PROXIED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "net/net.h"

/* Sends a request to unit `local` of the node; what it means, and when `done` is called, is as for tsr_net->request.
 * TESSERA_ERR_AGAIN: there is no room among those under way (tsr_proxied_has_room). TESSERA_ERR_MEMORY: the heap or
 * private memory ran out; logged. Any thread; not from a handler or a record's function. */
tessera_status_t tsr_proxied_send(uint32_t local, const struct tsr_net_request *request);
/* Whether n requests that carry `bytes` in all, payload, bulk and reply, would start without waiting. */
bool tsr_proxied_has_room(uint32_t local, size_t n, size_t bytes);

/* Completes those that have been answered; returns how many. Any thread. */
extern _Atomic int tsr_proxied_n; /* under way */
int tsr_proxied_collect(void);
static inline int tsr_proxied_poll(void) {
  return __builtin_expect(atomic_load_explicit(&tsr_proxied_n, memory_order_relaxed), 0) ? tsr_proxied_collect() : 0;
}

void tsr_proxied_stop(void); /* nothing is under way */

#endif
