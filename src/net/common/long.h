/* Buffers for long payloads and long replies, at origins and endpoints. Their users bound the number. Under the
 * lock. */
#ifndef TSR_NET_COMMON_LONG_H
#define TSR_NET_COMMON_LONG_H

#include "net/common/wire.h"

/* Room for a header and limits.payload_bytes, aligned like every message. Ends the job when there is no memory for it;
 * `rank` is for the message. */
struct tsr_wire_header *tsr_wire_long_take(int rank);
void tsr_wire_long_give(void *buffer); /* to be taken again; NULL is none */

void tsr_wire_longs_stop(void); /* none is taken */

#endif
