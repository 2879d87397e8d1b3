/* Two-sided messages: sent to a unit with a tag, received by source and tag, in order.
 *
 * A message is matched by context, source and tag; of those that fit, a receive gets the one that was sent first (by
 * one thread; threads of a unit that send with the same tag at the same time are in no order). It may be shorter than
 * the receive's buffer.
 *
 * Sends are standard unless they say otherwise: one of up to TSR_P2P_SMALL_BYTES is complete at once, whether or not its
 * receive has started (to other nodes, up to the eager limit or 16 KiB; within a node, up to TSR_P2P_RING_BYTES while the
 * receiver's ring has room); a longer one when its data has been taken, so that a unit which
 * sends such a message to itself must start the receive, too, before it waits. Both ends must call in for a message to
 * move on; any call that makes progress will do.
 *
 * Memory. Small messages that come before their receive are kept in private memory of the receiver; that many of them
 * wait is said in the log, and running out of memory ends the job with a message. A unit that does not call in takes
 * nothing in: who sends to it waits once its ring is full, or all wire slots are in use. Long messages stay where they
 * are until they are received (those from other nodes perhaps in MPI's memory); what cannot be copied straight from one
 * memory to the other goes through a bounce buffer of fixed size in the sender's heap.
 *
 * Threads: any, several at once; one at a time on one object.
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
#include "p2p/match.h"
#include "p2p/pieces.h"
#include "p2p/work.h"

enum {
  TSR_P2P_SMALL_BYTES = 512,
  TSR_P2P_RING_BYTES = 8 << 10 /* up to this within a node a message is copied into the receiver's ring if there is room now */
};

/* Who sends to whom: messages of one context never meet a receive of another. */
enum tsr_p2p_context { TSR_P2P_DART, TSR_P2P_NATIVE, TSR_P2P_ARMCI, TSR_P2P_COLL = 0x8000 /* + team id, < 32768 */ };

struct tsr_rndv;

/* How a send ends: standard as said above; synchronous when its receive has taken the data, whatever the size. */
enum tsr_p2p_mode { TSR_P2P_STANDARD, TSR_P2P_SYNCHRONOUS };

/* A send under way. The caller's, as is `data`, which must not change, until it is done. All but `done` is private. */
typedef struct tsr_outgoing {
  _Atomic bool done;
  void (*after)(struct tsr_outgoing *out);
  tsr_unit to;
  int32_t tag;
  const char *data;
  size_t bytes;
  struct tsr_work work;
  struct tsr_rndv *rndv; /* same node */
  uint32_t bounce;        /* which, + 1; 0: none */
  bool received;         /* it was given when the receive had begun */
  size_t moved;          /* bytes that the bounce buffer or the other's heap has got */
  struct tsr_pieces pieces; /* other nodes */
} tsr_outgoing;

/* A receive under way. The caller's, as is `buffer`, until it is done. */
typedef struct tsr_incoming {
  _Atomic bool done;
  /* Valid once it is done: whose message it was, and how long: more than `room` if its end did not fit and was
   * dropped. */
  tsr_unit source;
  int32_t tag;
  size_t bytes;
  uint16_t mark; /* 0: the sender has given none */
  /* private */
  void (*after)(struct tsr_incoming *in);
  tsr_match_entry entry;
  char *buffer;
  size_t room, wanted, moved; /* bytes that fit, of which so many are here */
  struct tsr_work work;
  struct tsr_rndv *rndv; /* same node */
  uint32_t local;
  const char *from;      /* memory that can be copied */
  tsr_outgoing *own;     /* from this unit itself */
  struct tsr_pieces pieces; /* other nodes */
} tsr_incoming;

/* Start; who does so goes on to wait, soon, or the message may take longer. Units are good, tags >= 0 (a receive also takes TSR_ANY_SOURCE and TSR_ANY_TAG). A send of a small message may
 * wait for room in the target's ring, or a wire slot. TESSERA_ERR_MEMORY: no memory to follow one more long message;
 * nothing was sent. */
tessera_status_t tsr_p2p_send_start(tsr_outgoing *out, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                    const void *data, size_t bytes);
void tsr_p2p_receive_start(tsr_incoming *in, tsr_unit from, enum tsr_p2p_context context, int32_t tag, void *buffer,
                           size_t room);

/* The same for who may do something else meanwhile, with a function that runs once it is done, instead of `done`: in any thread, perhaps inside the starting call;
 * it never waits, and the object is its own. After an error of the send it does not run. */
tessera_status_t tsr_p2p_send_start_then(tsr_outgoing *out, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                         const void *data, size_t bytes, enum tsr_p2p_mode mode,
                                         void (*after)(tsr_outgoing *out));
void tsr_p2p_receive_start_then(tsr_incoming *in, tsr_unit from, enum tsr_p2p_context context, int32_t tag, void *buffer,
                                size_t room, void (*after)(tsr_incoming *in));

/* What a wait for it is for. */
static inline struct tsr_wait_why tsr_p2p_send_why(tsr_unit to, int32_t tag) {
  return (struct tsr_wait_why){TSR_WAIT_RECEIVER, to.id, tag};
}
static inline struct tsr_wait_why tsr_p2p_receive_why(tsr_unit from, int32_t tag) {
  return (struct tsr_wait_why){TSR_WAIT_MESSAGE, from.id, tag};
}

/* Make progress; whether it is done. */
bool tsr_p2p_send_test(tsr_outgoing *out);
bool tsr_p2p_receive_test(tsr_incoming *in);

/* Return when it is done. */
void tsr_p2p_send_wait(tsr_outgoing *out);
void tsr_p2p_receive_wait(tsr_incoming *in);

/* Start and wait. */
tessera_status_t tsr_p2p_send(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data, size_t bytes);
tessera_status_t tsr_p2p_send_synchronous(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                          size_t bytes);
void tsr_p2p_receive(tsr_incoming *in, tsr_unit from, enum tsr_p2p_context context, int32_t tag, void *buffer,
                     size_t room);

/* Buffered: complete on return, as the library keeps a copy of what cannot go at once: of all together not more than
 * TSR_P2P_BUFFERED_BYTES_MAX. TESSERA_ERR_MEMORY: logged: that many wait, or no private memory; nothing was sent. */
enum { TSR_P2P_BUFFERED_BYTES_MAX = 64 << 20 };
tessera_status_t tsr_p2p_send_buffered(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                       size_t bytes);

/* What a receive with this source and tag would get. */
struct tsr_p2p_found {
  tsr_unit source;
  int32_t tag;
  size_t bytes;
};
/* Makes progress. False: no such message is here. */
bool tsr_p2p_probe(tsr_unit from, enum tsr_p2p_context context, int32_t tag, struct tsr_p2p_found *found);
/* Waits for one. */
void tsr_p2p_probe_wait(tsr_unit from, enum tsr_p2p_context context, int32_t tag, struct tsr_p2p_found *found);

/* Ends what goes on in a context: receives that no message has met, whose `after` sees source -1; sends that no receive has
 * met, as if one had; the rest by waiting for it. All units of the job call it, after a flush of all and a barrier. */
void tsr_p2p_quiesce(enum tsr_p2p_context context);

/* Forgets the messages of a context that were not received, and warns of them all, with those that the settling has ended, at
 * once. All who sent some have met this unit since, and nothing else of the context is under way. */
void tsr_p2p_drop(enum tsr_p2p_context context);

#endif
