/* Messages to units of other nodes. The sender keeps them until an endpoint of the target's node has taken them. */
#ifndef TSR_AM_REMOTE_H
#define TSR_AM_REMOTE_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera.h>

#include "am/am.h"
#include "am/pool.h"
#include "base/bits.h"
#include "core/op.h"
#include "net/net.h"

/* Sends; see tsr_am_request. `block`: the pool block that holds message->data; it is freed when the message is taken.
 * NULL: the data lies elsewhere. */
tessera_status_t tsr_am_remote_send(tsr_unit to, bool is_request, const struct tsr_am_message *message,
                                 struct tsr_am_block *block, bool waits, tsr_op *local);

/* The number of messages that were not taken yet: to one unit, or to all if `to` is negative. */
int tsr_am_remote_n(tsr_unit to);

/* Starts the queued messages that may be sent now; returns their number. */
int tsr_am_remote_progress(void);

/* Whether messages are queued. They need the clock, because a target without room is asked again after a pause. */
bool tsr_am_remote_needs_clock(void);

/* Waits until all messages have been taken. */
void tsr_am_remote_quiesce(void);
void tsr_am_remote_stop(void);

/* The message as a request of the transport. The first argument is the target unit, the second the tag below, the third and the
 * fourth the place and the length of the data. Up to TSR_AM_REMOTE_ARGS arguments of the message are in the last arguments of the
 * request. If there are more, all of them are in a cache line of their own at the beginning of the payload, before the data. */
enum { TSR_AM_REMOTE_ARGS = 4 };
struct tsr_am_tag {
  int32_t source;
  uint8_t handler;
  uint8_t args_n : 5, kind : 2, family : 1;
  uint8_t is_reply : 1, is_inline : 1; /* is_inline: the data is in the payload; else sent ahead or in place */
  uint8_t unused;
};
_Static_assert(4 * (int)TSR_AM_ARGS_MAX <= (int)TSR_CACHE_LINE, "all arguments fit into a cache line");
static inline size_t tsr_am_remote_args_bytes(unsigned args_n) { return args_n > TSR_AM_REMOTE_ARGS ? TSR_CACHE_LINE : 0; }

/* Handlers of requests (am/inbound). _message puts the message into the target's ring; a reply of one byte means that the ring has
 * no room. _data: a piece of the data that is sent ahead of a long message. */
void tsr_am_serve_message(const struct tsr_net_in *in, struct tsr_net_out *out);
void tsr_am_serve_data(const struct tsr_net_in *in, struct tsr_net_out *out);

#endif
