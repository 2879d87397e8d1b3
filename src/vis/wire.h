/* Layouts and lists of runs on the wire: the requests in which runs are sent, and where replies go before they are unpacked. */
#ifndef TSR_VIS_WIRE_H
#define TSR_VIS_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "core/address.h"
#include "core/handlers.h"
#include "net/net.h"

/* A list: the offsets in the target's heap, then the bytes of each run; the data of a put follow. */
typedef uint64_t tsr_wire_off;
typedef uint32_t tsr_wire_bytes;
enum { TSR_WIRE_RUN_BYTES = sizeof(tsr_wire_off) + sizeof(tsr_wire_bytes) };

/* A request with a list of `iov_n` runs of `bytes` in all; the caller adds what packs it, and room for data or reply. */
struct tsr_net_request tsr_wire_request(enum tsr_handler handler, tsr_addr target, size_t iov_n, size_t bytes);

/* Memory for a reply. Short ones (up to limits.eager_bytes) are the caller's business alone; of long ones, up to
 * limits.payload_bytes, only TSR_LANDINGS_N are there: waits while all are in use. NULL: no memory. Any thread; take not
 * from a handler. */
enum { TSR_LANDINGS_N = 16 };
void *tsr_bounce_take(tsr_unit from, size_t bytes);
void tsr_bounce_give(void *data, size_t bytes);

/* A reply of a list on its way, and where its bytes go when it is here: the caller's lists are gone by then. */
struct tsr_bounce_place {
  char *to;
  size_t bytes;
};
struct tsr_bounce {
  char *data; /* room for the reply */
  size_t bytes, places_n;
  struct tsr_bounce_place place[];
};

/* The caller fills in the places, and drops it unless it is unpacked. NULL: no memory. Waits as tsr_bounce_take. */
struct tsr_bounce *tsr_bounce_new(tsr_unit from, size_t places_n, size_t bytes);
void tsr_bounce_drop(struct tsr_bounce *bounce);

/* Distributes the reply and drops the bounce buffer; for tsr_op_request. */
void tsr_bounce_unpack(void *bounce);

#endif
