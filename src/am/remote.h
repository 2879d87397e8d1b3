/* Messages to units of other nodes: kept here until an endpoint of the target's node has taken them. */
#ifndef TSR_AM_REMOTE_H
#define TSR_AM_REMOTE_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera.h>

#include "am/am.h"
#include "am/pool.h"
#include "core/op.h"

/* Sends; see tsr_am_request. `block`: where message->data lies, which is given back when it has gone; NULL: elsewhere. */
tessera_status_t tsr_am_remote_send(tsr_unit to, bool is_request, const struct tsr_am_message *message,
                                 struct tsr_am_block *block, bool waits, tsr_op *local);

/* Messages that were not taken yet; of one unit, or when it is negative of all. */
int tsr_am_remote_n(tsr_unit to);

/* Sends what may go now; returns how many messages. */
int tsr_am_remote_progress(void);

/* Waits until all are taken. */
void tsr_am_remote_quiesce(void);
void tsr_am_remote_stop(void);

/* How a request tells of a message: in its arguments, behind the target unit. */
enum {
  TSR_AM_REMOTE_ARGS = 4 /* as many go there; if there are more all go before the payload, in a line of their own */
};
struct tsr_am_tag {
  int32_t source;
  uint8_t handler;
  uint8_t args_n : 5, kind : 2, family : 1;
  uint8_t is_reply : 1, rides : 1; /* the second: the data is in the payload; else a long message's went ahead */
  uint8_t unused;
};

#endif
