/* Active messages: a request runs a handler at its target, which may answer its sender with one reply.
 *
 * Handlers run in a thread of the target that calls in or waits, one request at a time (and, while that one waits for
 * room for its reply, replies), never in a progress thread or an agent. Within a node a message lies in one of the target's
 * two rings for active messages, or, when its data is more than some lines, in a block of the sender's pool to which the
 * ring's record points; from another node it comes over the wire, and the endpoint that it reaches puts it into the same
 * ring, or says that there is no room: then its sender keeps it, and tries again after a while. Delivery is reliable,
 * exactly once, and in no order. What is under way when an interface goes down arrives before it has gone.
 *
 * Flow. Requests and replies have rings, pool blocks and wire slots of their own. Who waits for room for a request
 * serves everything meanwhile; who waits for room for a reply takes replies only, which ask for nothing: so request and
 * reply cannot wait for each other. A target that does not call in keeps what fits into its rings; further messages stay
 * with their senders, each of which has bounded room for them, and who has none left waits, or is told to come back.
 */
#ifndef TSR_AM_AM_H
#define TSR_AM_AM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "core/address.h"
#include "core/op.h"

enum tsr_am_kind {
  TSR_AM_SHORT,  /* arguments only */
  TSR_AM_MEDIUM, /* and data, which the target has until the handler returns, aligned to 64 bytes */
  TSR_AM_LONG    /* and data, which is in its place in the target's heap before the handler runs */
};
enum { TSR_AM_ARGS_MAX = 16, TSR_AM_HANDLERS_MAX = 256 };
#define TSR_AM_LONG_BYTES ((size_t)INT32_MAX)   /* most data of one long message */
#define TSR_AM_MEDIUM_BYTES ((size_t)64 << 10) /* ... and of a medium; programs may ask for both before the start */

/* Who gives handlers their numbers. */
enum tsr_am_family { TSR_AM_NATIVE, TSR_AM_GASNET, TSR_AM_FAMILIES_N };

/* A message that has come, as its handler sees it, until that returns. */
typedef struct tsr_am_token {
  tsr_unit source;
  uint8_t family, handler, kind, args_n;
  bool is_request;
  bool replied; /* the reply was sent, or is prepared */
  const int32_t *args;
  void *data;   /* NULL: a short one */
  size_t bytes;
} tsr_am_token;

/* Runs the handler that a message asks for; says so and ends the job where there is none. One for each family. */
typedef void (*tsr_am_dispatch_fn)(tsr_am_token *token);
void tsr_am_register(enum tsr_am_family family, tsr_am_dispatch_fn dispatch);

/* The message whose handler this thread runs; NULL: none. */
const tsr_am_token *tsr_am_running(void);

/* What is sent. Everything is consumed before the call returns, but for `data` (see `local`). */
struct tsr_am_message {
  uint8_t family, handler, kind, args_n;
  const int32_t *args;
  const void *data; /* anywhere in this process; NULL: a long one's is in its place already */
  size_t bytes;     /* at most what the kind allows: the caller has checked that, and the range of `dest_off` */
  uint64_t dest_off; /* long: where the data goes in the target's heap; when nothing goes, any number, modulo 2^64 */
};

/* When there is no room: waits for some; or gives up at once, with nothing done (TESSERA_ERR_AGAIN; never blocks). */
enum tsr_am_patience { TSR_AM_WAITS, TSR_AM_IMMEDIATE };

/* `local`: NULL: the data may be reused on return; else it counts there until it may, which may be at once. Then nothing
 * was counted. TESSERA_ERR_MEMORY: logged.
 * A request: not from a handler. A reply: from a request's handler, once. */
tessera_status_t tsr_am_request(tsr_unit to, const struct tsr_am_message *message, enum tsr_am_patience patience,
                                tsr_op *local);
tessera_status_t tsr_am_reply(tsr_am_token *token, const struct tsr_am_message *message, enum tsr_am_patience patience,
                              tsr_op *local);

/* Negotiated payload: room for the data is taken first, the data written there, and then the message sent without another
 * copy. Between the two this thread prepares nothing else; any other call of the library is allowed. */
struct tsr_am_wish {
  uint8_t kind, args_n;       /* medium or long */
  const void *data;           /* the data lies here already (NULL: it will be written into the room that is given) */
  size_t least, most;         /* bytes that are wanted; `least` is not more than tsr_am_room_bytes */
  uint64_t dest_off;          /* long */
};
typedef struct tsr_am_room {
  void *data;     /* where the data is to be written, aligned to 64 bytes; or the sender's own buffer */
  size_t bytes;   /* between `least` and `most` of the wish */
  tsr_unit to;
  tsr_am_token *token; /* of a reply */
  struct tsr_am_wish wish;
  tsr_op *local;
  struct tsr_am_block *block; /* NULL: the data is the sender's own */
} tsr_am_room;
tessera_status_t tsr_am_prepare_request(tsr_am_room *room, tsr_unit to, const struct tsr_am_wish *wish,
                                        enum tsr_am_patience patience, tsr_op *local);
tessera_status_t tsr_am_prepare_reply(tsr_am_room *room, tsr_am_token *token, const struct tsr_am_wish *wish,
                                      enum tsr_am_patience patience, tsr_op *local);
/* Sends the first message->bytes of the room's data, which is also the message's, unless that is in its place already.
 * TESSERA_ERR_AGAIN: nothing is done, the room is still good. */
tessera_status_t tsr_am_commit(tsr_am_room *room, const struct tsr_am_message *message, enum tsr_am_patience patience);
void tsr_am_cancel(tsr_am_room *room);
/* Most that a negotiated message can be granted now or later: for limit queries. */
size_t tsr_am_room_bytes(enum tsr_am_kind kind, bool own_data);

/* Serves what has come and what is under way, once; for calls that only poll. Who finds nothing gives way to other units where
 * there are not enough cores for all that are awake. */
int tsr_am_poll(void);

/* Returns when all that anybody sent before has arrived, and its handlers have run. Collective over the job. */
void tsr_am_quiesce(void);

#endif
