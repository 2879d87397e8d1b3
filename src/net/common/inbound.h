/* Requests that an endpoint has taken: their order, their handlers, bulk and replies. Called with the transport's lock held,
 * except where stated. */
#ifndef TSR_NET_COMMON_INBOUND_H
#define TSR_NET_COMMON_INBOUND_H

#include "net/common/wire.h"

bool tsr_wire_inbound_start(void); /* false: no memory */
void tsr_wire_inbound_stop(void);  /* after the wire's stop_traffic and tsr_wire_delay_stop */

size_t tsr_wire_inbound_bytes(int ranks_n); /* private memory before the first request */

/* Whether one more request may be taken. False: enough payloads, bulk and replies are under way. */
bool tsr_wire_inbound_has_room(void);

/* Takes a valid request. The message may be reused after return. */
void tsr_wire_inbound_begin(struct tsr_wire_header *message, int rank);

/* Requests with a long payload or a long reply. Their handlers copy for longer than a system call takes, so they run without
 * the lock: `next` takes one request (NULL: none), `run` runs its handler without the lock, `ran` continues. */
struct tsr_wire_inbound;
struct tsr_wire_inbound *tsr_wire_inbound_next(void);
void tsr_wire_inbound_run(struct tsr_wire_inbound *inbound);
void tsr_wire_inbound_ran(struct tsr_wire_inbound *inbound);

#endif
