/* Two-sided messages: sent to a unit with a tag, received by source and tag, in order.
 *
 * A message is matched by context, source and tag. Of the messages that fit, a receive gets the one that was sent
 * first; messages that several threads of a unit send at the same time have no order. A message may be shorter than the
 * receive's buffer.
 *
 * The default mode is standard. A message of up to TSR_P2P_SMALL_BYTES completes at once, whether or not its receive has
 * started. The limit is higher to other nodes: the eager limit, at most 32 KiB. Within a node it is TSR_P2P_RING_BYTES for
 * blocking calls, which wait for room in the receiver's ring, and for others while the ring has room. A longer message
 * completes when its data has been received; a unit that sends such a message to itself therefore starts the receive before
 * it waits. A message proceeds only while both ends call functions that make progress.
 *
 * Memory. Small messages that arrive before their receive are kept in private memory of the receiver. Many such
 * messages cause a warning, and a lack of memory ends the job with an error message. A unit that does not make progress
 * accepts nothing: its senders wait when its ring is full or all wire slots are in use. Long messages stay in the
 * sender's memory until they are received (those from other nodes perhaps in MPI's memory). Data that cannot be copied
 * directly goes through a bounce buffer of fixed size in the sender's heap.
 *
 * Threads: any thread, several at once; one at a time on one object.
 */
#ifndef TSR_P2P_P2P_H
#define TSR_P2P_P2P_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "base/wait.h"
#include "core/unit.h"
#include "p2p/envelope.h"
#include "p2p/match.h"
#include "p2p/pieces.h"
#include "p2p/work.h"

enum {
  TSR_P2P_SMALL_BYTES = 512,
  TSR_P2P_RING_BYTES = 8 << 10 /* within a node, a message of up to this size goes into the ring if there is room */
};

/* Separate spaces of messages: a message never matches a receive of another context. */
enum tsr_p2p_context {
  TSR_P2P_DART, TSR_P2P_NATIVE, TSR_P2P_ARMCI, TSR_P2P_INTERFACES_N,
  TSR_P2P_COLL = 0x8000 /* + team id, < 32768 */
};

struct tsr_rndv;

/* When a send completes: standard as described above; synchronous when the data has been received, whatever its size.
 */
enum tsr_p2p_mode { TSR_P2P_STANDARD, TSR_P2P_SYNCHRONOUS };

/* A send. Until it is done, the caller keeps the object and leaves `data` unchanged. All but `done` is private. */
typedef struct tsr_outgoing {
  _Atomic bool done;
  void (*after)(struct tsr_outgoing *out);
  tsr_unit to;
  int32_t tag;
  uint16_t context;
  const char *data;
  size_t bytes;
  struct tsr_work work;
  struct tsr_rndv *rndv; /* same node */
  uint32_t bounce;       /* index of the bounce buffer + 1; 0: none */
  bool received;         /* the bounce buffer was taken after the receive had started */
  size_t moved;          /* bytes copied to the bounce buffer or to the receiver's heap */
  struct tsr_pieces pieces; /* other nodes */
} tsr_outgoing;

/* A receive. Until it is done, the caller keeps the object and `buffer`. */
typedef struct tsr_incoming {
  _Atomic bool done;
  /* Valid when it is done. `bytes` is the length of the message; if it exceeds `room`, the rest was dropped. */
  tsr_unit source;
  int32_t tag;
  size_t bytes;
  uint16_t mark; /* from the envelope; 0: none */
  /* private */
  void (*after)(struct tsr_incoming *in);
  tsr_match_entry entry;
  char *buffer;
  size_t room, wanted, moved; /* bytes of the buffer; to be received; received */
  struct tsr_work work;
  struct tsr_rndv *rndv; /* same node */
  uint32_t local;
  const char *from;      /* the data, if this process can copy it */
  tsr_outgoing *own;     /* from this unit itself */
  struct tsr_pieces pieces; /* other nodes */
} tsr_incoming;

/* Start a message. The caller waits for it soon, since a long message proceeds only while the caller makes progress.
 * The caller has checked the unit; tags are >= 0, and a receive also accepts TSR_ANY_SOURCE and TSR_ANY_TAG. A send of
 * a small message may wait for room in the target's ring or for a wire slot. TESSERA_ERR_MEMORY: no memory for one more
 * long message; nothing was sent. */
tessera_status_t tsr_p2p_send_start(tsr_outgoing *out, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                    const void *data, size_t bytes);
void tsr_p2p_receive_start(tsr_incoming *in, tsr_unit from, enum tsr_p2p_context context, int32_t tag, void *buffer,
                           size_t room);

/* The same with a callback instead of `done`, for callers that do not wait at once. `after` runs when the message is
 * done, in any thread, perhaps inside the starting call. It must not wait, and it owns the object. It does not run if
 * the send returns an error. */
tessera_status_t tsr_p2p_send_start_then(tsr_outgoing *out, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                         const void *data, size_t bytes, enum tsr_p2p_mode mode,
                                         void (*after)(tsr_outgoing *out));
void tsr_p2p_receive_start_then(tsr_incoming *in, tsr_unit from, enum tsr_p2p_context context, int32_t tag, void *buffer,
                                size_t room, void (*after)(tsr_incoming *in));

/* The reason of a wait for such a message, for the hang report. */
static inline struct tsr_wait_why tsr_p2p_send_why(tsr_unit to, int32_t tag) {
  return (struct tsr_wait_why){TSR_WAIT_RECEIVER, to.id, tag};
}
static inline struct tsr_wait_why tsr_p2p_receive_why(tsr_unit from, int32_t tag) {
  return (struct tsr_wait_why){TSR_WAIT_MESSAGE, from.id, tag};
}

/* Wait until the message is done. */
void tsr_p2p_send_wait(tsr_outgoing *out);
void tsr_p2p_receive_wait(tsr_incoming *in);

/* Start and wait. */
tessera_status_t tsr_p2p_send(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data, size_t bytes);
tessera_status_t tsr_p2p_send_synchronous(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                          size_t bytes);
void tsr_p2p_receive(tsr_incoming *in, tsr_unit from, enum tsr_p2p_context context, int32_t tag, void *buffer,
                     size_t room);

/* A send in two calls that never wait, for the steps of a tsr_work. */
typedef struct tsr_attempt {
  tsr_outgoing out;             /* done: the data may be reused */
  struct tsr_envelope envelope; /* the caller may set its mark between the two calls */
} tsr_attempt;
/* To another unit, not to itself. Everything else as tsr_p2p_send_start. */
tessera_status_t tsr_attempt_prepare(tsr_attempt *attempt, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                     const void *data, size_t bytes);
/* False: no room now; the caller retries at the next progress. If the target is on this node, a sleeping caller is woken when
 * the target's ring has room. */
bool tsr_attempt_send(tsr_attempt *attempt);

/* Buffered: complete on return. The library keeps a copy of a message that cannot be sent at once; all copies together
 * have at most TSR_P2P_BUFFERED_BYTES_MAX. TESSERA_ERR_MEMORY: the copies have reached this limit, or there is no
 * private memory; logged; nothing was sent. */
enum { TSR_P2P_BUFFERED_BYTES_MAX = 64 << 20 };
tessera_status_t tsr_p2p_send_buffered(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                       size_t bytes);

/* The message that a receive with this source and tag would get. */
struct tsr_p2p_found {
  tsr_unit source;
  int32_t tag;
  size_t bytes;
};
/* Makes progress. False: no such message has arrived. */
bool tsr_p2p_probe(tsr_unit from, enum tsr_p2p_context context, int32_t tag, struct tsr_p2p_found *found);
/* Waits for such a message. */
void tsr_p2p_probe_wait(tsr_unit from, enum tsr_p2p_context context, int32_t tag, struct tsr_p2p_found *found);

/* Waits until the messages of an interface that this unit has sent are at their receivers, received or not. Of a long one this
 * is its first data. */
void tsr_p2p_flush(enum tsr_p2p_context context);

/* Ends all communication of a context. Receives without a message end with source -1. Sends without a receive end as if
 * they had been received. Waits for the messages whose data is being moved. All units of the job call it, after
 * tsr_p2p_flush and a barrier. */
void tsr_p2p_quiesce(enum tsr_p2p_context context);

/* Drops the messages of a context that were not received. One warning covers these and the messages that tsr_p2p_quiesce has
 * ended. Before the call all senders have passed a barrier with this unit after their last send, and nothing else of the
 * context is in progress. */
void tsr_p2p_drop(enum tsr_p2p_context context);

#endif
