/* Requests at their origin: a bounded table of slots for each target. Called with the transport's lock held, except where
 * stated. */
#ifndef TSR_NET_COMMON_REQUESTS_H
#define TSR_NET_COMMON_REQUESTS_H

#include "net/common/wire.h"

bool tsr_wire_requests_start(int slots_n); /* for each target, made when it is first used; false: no memory */
void tsr_wire_requests_stop(void);         /* after the wire's stop_traffic */

size_t tsr_wire_requests_bytes(int ranks_n);      /* private memory before the first request */
size_t tsr_wire_requests_peer_bytes(int slots_n); /* private memory for each target, without messages */

/* A request starts in three steps. `take` returns NULL if no slot is free. `fill` copies the payload into the message: the slot
 * is the caller's, so the lock need not be held. `send` starts all parts. */
struct tsr_wire_slot;
struct tsr_wire_slot *tsr_wire_request_take(const struct tsr_net_request *request);
void tsr_wire_request_fill(struct tsr_wire_slot *slot, const struct tsr_net_request *request);
void tsr_wire_request_send(struct tsr_wire_slot *slot, const struct tsr_net_request *request);

/* If a thread of this process polls regularly, short requests to an endpoint with unanswered requests are held back, so that they
 * share a message. Sends the requests that are held back. */
void tsr_wire_requests_flush(void);

/* Whether the payload is a message of its own. */
static inline bool tsr_wire_request_is_long(const struct tsr_net_request *request) {
  return request->payload_bytes > tsr_net_limits.eager_bytes;
}

bool tsr_wire_requests_have_room(const struct tsr_net_request *request); /* without the lock */
bool tsr_wire_requests_reserve(int rank, size_t requests_n, size_t long_n);
void tsr_wire_requests_unreserve(int rank, size_t requests_n, size_t long_n);
/* An endpoint has acknowledged the one in this slot, with this reply. */
void tsr_wire_request_acked(int rank, uint16_t slot, const void *reply, size_t bytes);

int tsr_wire_requests_busy(int rank); /* all when negative; without the lock */

/* `done` of a request with room for a long reply may copy as much: a poll calls it without the lock. `next` takes one that is due,
 * false: none is. The request counts as busy until `called`. */
struct tsr_wire_done {
  tsr_net_done_fn call;
  void *arg;
  size_t reply_bytes;
};
bool tsr_wire_requests_next_done(struct tsr_wire_done *done);
void tsr_wire_requests_called(void);

#endif
