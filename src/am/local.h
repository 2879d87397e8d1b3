/* Messages to units of this node: their records in the target's rings.
 *
 * TSR_RECORD_AM            head, arguments, small data
 * TSR_RECORD_AM_RUN        data, aligned; head and up to 12 arguments in the cache line before it, further arguments in a
 *                          line of their own before the data
 * TSR_RECORD_AM_REFERENCE  head, reference to the data, arguments
 */
#ifndef TSR_AM_LOCAL_H
#define TSR_AM_LOCAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "am/am.h"
#include "am/pool.h"
#include "base/bits.h"
#include "node/ring.h"

struct tsr_am_head {
  int32_t source;
  uint8_t handler;
  uint8_t args_n : 5, kind : 2, family : 1;
  uint16_t bytes : 15, is_reply : 1; /* bytes: of the data in the record */
};
_Static_assert(sizeof(struct tsr_am_head) == 8, "a head leaves room for twelve arguments");
_Static_assert((int)TSR_AM_FAMILIES_N <= 2, "a family has one bit");
_Static_assert((int)TSR_RING_RUN_BYTES < 1 << 15, "the data of a record has 15 bits");

/* `at`: distance of the data from the first heap of the node, modulo 2^64. */
struct tsr_am_reference {
  struct tsr_am_head head;
  uint32_t bytes, at_low, at_high; /* three words, so that the arguments follow without padding */
};

enum {
  TSR_AM_HEAD_BYTES = sizeof(struct tsr_am_head),
  TSR_AM_REFERENCE_BYTES = sizeof(struct tsr_am_reference),
  TSR_AM_LINE_ARGS = (TSR_RING_INLINE_BYTES - TSR_AM_HEAD_BYTES) / 4,
  TSR_AM_SMALL_BYTES = TSR_RING_INLINE_BYTES - TSR_AM_HEAD_BYTES, /* most data behind the arguments */
  TSR_AM_RUN_BYTES = 512 /* most data in a ring; longer data would fill it */
};

/* The sender, the target, and how to send. */
struct tsr_am_route {
  uint32_t local; /* the target, a unit of this node */
  int32_t source;
  bool is_request, waits;
  bool is_inbound; /* from another node: long data goes into a block of the inbound pools */
};

static inline struct tsr_am_head tsr_am_head_of(const struct tsr_am_route *route, const struct tsr_am_message *message) {
  return (struct tsr_am_head){.source = route->source,
                              .handler = message->handler,
                              .args_n = message->args_n & 31,
                              .kind = message->kind & 3,
                              .family = message->family & 1,
                              .is_reply = !route->is_request};
}

/* A loop, because it is faster than a call of memcpy for a few words. */
static inline void tsr_am_put_args(void *at, const int32_t args[], unsigned n) {
  int32_t *dest = at;
  for (unsigned i = 0; i < n; i++) dest[i] = args[i];
}

/* Sends. `block`: the block that holds message->data; after TESSERA_OK the call or the target frees it. NULL: the data is
 * copied. If message->data of a long message is NULL, its data is in place already. TESSERA_ERR_AGAIN: there is no room, and
 * the route does not wait; nothing was done. TESSERA_ERR_MEMORY: logged. */
tessera_status_t tsr_am_local_send(const struct tsr_am_route *route, const struct tsr_am_message *message,
                                  struct tsr_am_block *block);

#endif
