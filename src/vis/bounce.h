/* Requests that carry the entries of an iovec, and bounce buffers that receive replies. */
#ifndef TSR_VIS_BOUNCE_H
#define TSR_VIS_BOUNCE_H

#include <stddef.h>
#include <stdint.h>

#include "core/address.h"
#include "core/handlers.h"
#include "net/net.h"

/* A list on the wire: the offset of each entry in the target's heap, then the bytes of each; then the data of a put. */
typedef uint64_t tsr_entry_off;
typedef uint32_t tsr_entry_bytes;
enum { TSR_LIST_ENTRY_BYTES = sizeof(tsr_entry_off) + sizeof(tsr_entry_bytes) };

/* A request with a list of `iov_n` entries, together `bytes`. The caller adds the packing function and room for data or
 * reply. */
struct tsr_net_request tsr_list_request(enum tsr_handler handler, tsr_addr target, size_t iov_n, size_t bytes);

/* Takes a bounce buffer for a reply of up to limits.payload_bytes. At most TSR_LONG_BOUNCES_N bounce buffers for more than
 * limits.eager_bytes are in use at once; the call waits while all of these are in use. NULL: no memory. Any thread, but not from
 * a handler. */
enum { TSR_LONG_BOUNCES_N = 16 };
void *tsr_bounce_take(tsr_unit from, size_t bytes);
void tsr_bounce_give(void *data, size_t bytes);

/* A bounce buffer and the places to which its bytes go when the reply has arrived. The places are a copy, because the
 * caller's iovec may no longer exist by then. */
struct tsr_bounce_place {
  char *to;
  size_t bytes;
};
struct tsr_bounce {
  char *data; /* room for the reply */
  size_t bytes, places_n;
  struct tsr_bounce_place place[];
};

/* Takes a bounce buffer with room for its places. The caller fills in the places, and drops the bounce buffer if
 * tsr_bounce_unpack does not run. NULL: no memory. Waits as tsr_bounce_take does. */
struct tsr_bounce *tsr_bounce_new(tsr_unit from, size_t places_n, size_t bytes);
void tsr_bounce_drop(struct tsr_bounce *bounce);

/* Distributes the reply and drops the bounce buffer; a callback for tsr_op_request. */
void tsr_bounce_unpack(void *bounce);

#endif
