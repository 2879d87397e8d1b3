/* Proxied requests: requests that a unit of the own node runs itself, when it makes progress, because only it can: those on
 * memory that it brought, which lies outside the heaps. They look like requests between nodes, and the same handlers
 * run; what they carry lies in a block of the origin's heap, and the ring brings only the reference.
 */
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
bool tsr_proxied_has_room(const struct tsr_net_request *request);
/* Whether so many that carry `bytes` in all would start without waiting: for who asks before. */
bool tsr_proxied_has_room_for(uint32_t local, size_t n, size_t bytes);

/* Completes those that have been answered; returns how many. Any thread. */
extern _Atomic int tsr_proxied_n; /* under way */
int tsr_proxied_collect(void);
static inline int tsr_proxied_poll(void) {
  return __builtin_expect(atomic_load_explicit(&tsr_proxied_n, memory_order_relaxed), 0) ? tsr_proxied_collect() : 0;
}

void tsr_proxied_stop(void); /* nothing is under way */

#endif
