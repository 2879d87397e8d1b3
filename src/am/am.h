/* Active messages: a request runs a handler at its target. The handler may send one reply to the origin.
 *
 * Handlers run in a thread of the target that makes progress, never in a progress agent. Handlers of requests
 * run one at a time; while one waits for room for its reply, handlers of replies run. Within a node a message is a record
 * in one of the target's two rings for active messages. Long data is in a block of the sender's pool, and the record
 * refers to it. A message from another node reaches an endpoint, which puts it into the same ring. If the ring has no
 * room, the sender keeps the message and tries again later. Delivery is reliable, exactly once, and in no order. All
 * messages arrive before the runtime stops.
 *
 * Flow control. Requests and replies have separate rings, pool blocks and wire slots. A wait for room for a request runs
 * all handlers. A wait for room for a reply runs handlers of replies only, which send nothing. Therefore requests and
 * replies cannot deadlock. A target that makes no progress holds what fits into its rings. Further messages stay with
 * their senders, which have bounded room. A sender without room waits, or gets TESSERA_ERR_AGAIN.
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
  TSR_AM_MEDIUM, /* arguments and data; the data is valid until the handler returns, and aligned to 64 bytes */
  TSR_AM_LONG    /* arguments and data; the data is in its place in the target's heap before the handler runs */
};
enum { TSR_AM_ARGS_MAX = 16, TSR_AM_HANDLERS_MAX = 256 };
#define TSR_AM_LONG_BYTES ((size_t)INT32_MAX)   /* most data of one long message */
#define TSR_AM_MEDIUM_BYTES ((size_t)64 << 10) /* most data of one medium message */

/* The interfaces that number handlers. */
enum tsr_am_family { TSR_AM_NATIVE, TSR_AM_GASNET, TSR_AM_FAMILIES_N };

/* A received message, valid until its handler returns. */
typedef struct tsr_am_token {
  tsr_unit source;
  uint8_t family, handler, kind, args_n;
  bool is_request;
  bool replied; /* a reply was sent or prepared */
  const int32_t *args;
  void *data;   /* NULL: a short message */
  size_t bytes;
} tsr_am_token;

/* Runs the handler of a message; ends the job if there is none. One function for each family. */
typedef void (*tsr_am_dispatch_fn)(tsr_am_token *token);
void tsr_am_register(enum tsr_am_family family, tsr_am_dispatch_fn dispatch);

/* The message whose handler runs in this thread; NULL: none. */
const tsr_am_token *tsr_am_running(void);

/* A message to be sent. Everything but `data` is consumed before the call returns; for `data` see `local`. */
struct tsr_am_message {
  uint8_t family, handler, kind, args_n;
  const int32_t *args;
  const void *data; /* anywhere in this process; NULL: the data of a long message is in its place already */
  size_t bytes;     /* at most what the kind allows; the caller has checked this, and the range of `dest_off` */
  uint64_t dest_off; /* long: offset in the target's heap; without data to store, any number, modulo 2^64 */
};

/* Without room, a send waits, or returns TESSERA_ERR_AGAIN at once with nothing done. */
enum tsr_am_wait { TSR_AM_WAITS, TSR_AM_IMMEDIATE };

/* `local` NULL: the data may be reused on return. Otherwise the message is counted in `local` until the data may be
 * reused; if the data may be reused on return already, the message is not counted. Handlers send no requests. The handler
 * of a request sends at most one reply. TESSERA_ERR_MEMORY: logged. */
tessera_status_t tsr_am_request(tsr_unit to, const struct tsr_am_message *message, enum tsr_am_wait wait,
                                tsr_op *local);
tessera_status_t tsr_am_reply(tsr_am_token *token, const struct tsr_am_message *message, enum tsr_am_wait wait,
                              tsr_op *local);

/* Negotiated payload: the caller takes room for the data, writes the data there, and sends the message without another
 * copy. Between the two calls this thread prepares no other message; any other call of the library is allowed. */
struct tsr_am_wanted {
  uint8_t kind, args_n;       /* medium or long */
  const void *data;           /* NULL: the data will be written into the room; otherwise the data lies here already */
  size_t least, most;         /* bytes wanted; `least` is at most tsr_am_room_bytes */
  uint64_t dest_off;          /* long */
};
typedef struct tsr_am_room {
  void *data;     /* the room, aligned to 64 bytes; or the sender's own buffer */
  size_t bytes;   /* between wanted.least and wanted.most */
  tsr_unit to;
  tsr_am_token *token; /* of a reply */
  struct tsr_am_wanted wanted;
  tsr_op *local;
  struct tsr_am_block *block; /* NULL: the data is the sender's own */
} tsr_am_room;
/* `local` is NULL unless wanted->data is set: the thread's next small room is the same one, so its data is always copied. */
tessera_status_t tsr_am_prepare_request(tsr_am_room *room, tsr_unit to, const struct tsr_am_wanted *wanted,
                                        enum tsr_am_wait wait, tsr_op *local);
tessera_status_t tsr_am_prepare_reply(tsr_am_room *room, tsr_am_token *token, const struct tsr_am_wanted *wanted,
                                      enum tsr_am_wait wait, tsr_op *local);
/* Sends the first message->bytes of the room; message->data is room->data, or NULL if the data is in its place already.
 * TESSERA_ERR_AGAIN: nothing was done, and the room is still valid. */
tessera_status_t tsr_am_commit(tsr_am_room *room, const struct tsr_am_message *message, enum tsr_am_wait wait);
void tsr_am_cancel(tsr_am_room *room);
/* The most bytes that a negotiated message can get; for limit queries. */
size_t tsr_am_room_bytes(enum tsr_am_kind kind, bool own_data);

/* Makes progress once, for calls that only poll. Returns how much was done. If nothing was, yields the core to other
 * units when they need it. */
int tsr_am_poll(void);

/* Returns when all messages that any unit sent before have arrived, and their handlers have run. Collective over the job. */
void tsr_am_quiesce(void);

#endif
