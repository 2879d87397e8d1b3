/* A message as it lies in a ring: a head, the arguments, and the data, or where that is.
 *
 * TSR_RECORD_AM            head, arguments, small data, one behind the other
 * TSR_RECORD_AM_RUN        data alone, aligned; head and up to 12 arguments in the line before it, further ones in a line of
 *                          their own before the data
 * TSR_RECORD_AM_REFERENCE  head, where the data is, arguments
 */
#ifndef TSR_AM_RECORD_H
#define TSR_AM_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "am/am.h"
#include "base/bits.h"
#include "node/ring.h"

struct tsr_am_head {
  int32_t source;
  uint8_t handler;
  uint8_t args_n : 5, kind : 2, family : 1;
  uint16_t bytes : 15, is_reply : 1; /* the first: of data in the record */
};
_Static_assert(sizeof(struct tsr_am_head) == 8, "a head leaves room for twelve arguments");
_Static_assert((int)TSR_AM_FAMILIES_N <= 2, "a family has one bit");
_Static_assert((int)TSR_RING_RUN_BYTES < 1 << 15, "the data of a record has 15 bits");

/* Where the data is that a record does not hold: from the first heap of the node, modulo 2^64. */
struct tsr_am_reference {
  struct tsr_am_head head;
  uint32_t bytes, at_low, at_high; /* three words, so that the arguments follow at once */
};

enum {
  TSR_AM_HEAD_BYTES = sizeof(struct tsr_am_head),
  TSR_AM_REFERENCE_BYTES = sizeof(struct tsr_am_reference),
  TSR_AM_LINE_ARGS = (TSR_RING_INLINE_BYTES - TSR_AM_HEAD_BYTES) / 4,
  TSR_AM_SMALL_BYTES = TSR_RING_INLINE_BYTES - TSR_AM_HEAD_BYTES, /* most data behind the arguments */
  TSR_AM_RUN_BYTES = 512 /* most data that goes through a ring: longer runs leave it little room */
};

/* Who sends, and what is not in the message itself. */
struct tsr_am_route {
  uint32_t local; /* the target, a unit of this node */
  int32_t source;
  bool is_request, waits;
  bool is_inbound; /* came from another node: the data is put into a block of those for that */
};

static inline struct tsr_am_head tsr_am_head_of(const struct tsr_am_route *route, const struct tsr_am_message *message) {
  return (struct tsr_am_head){.source = route->source,
                              .handler = message->handler,
                              .args_n = message->args_n & 31,
                              .kind = message->kind & 3,
                              .family = message->family & 1,
                              .is_reply = !route->is_request};
}

/* Arguments are few words: cheaper one by one than by a call. */
static inline void tsr_am_put_args(void *at, const int32_t args[], unsigned n) {
  int32_t *dest = at;
  for (unsigned i = 0; i < n; i++) dest[i] = args[i];
}

#endif
