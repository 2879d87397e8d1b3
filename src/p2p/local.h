/* Long messages within a node.
 *
 * The sender's *rendezvous descriptor*, in its heap, is what the two ends share: it says where the data lies; the
 * receiver, once it has met the message, says there how it wants it. In this order:
 * - data in a heap of the node, or readable private memory: the receiver copies it;
 * - the receive's buffer in a heap of the node: the sender copies the data there;
 * - else the sender fills a bounce buffer in its heap, piece by piece, from which the receiver copies. There are few
 * bounce buffers;
 *   who finds none waits for one, which another message that the same unit receives gives back; there is one more for a
 *   unit that receives none, while the heap has room.
 * Two copies at the same time take less time than one by the kernel: so a sender of private memory that finds a bounce buffer
 * takes it and begins at once, unless the message is longer than a bounce buffer and the sender may be about to do
 * something else. The receiver says so when it has what it wanted; the sender then takes the rendezvous descriptor
 * back.
 */
#ifndef TSR_P2P_LOCAL_H
#define TSR_P2P_LOCAL_H

#include "base/bits.h"
#include "p2p/envelope.h"
#include "p2p/p2p.h"

enum tsr_rndv_wish { TSR_RNDV_OFFERED, TSR_RNDV_BOUNCE, TSR_RNDV_PUSH, TSR_RNDV_TAKEN };

struct tsr_place_in_heap {
  int64_t local; /* -1: in no heap */
  uint64_t off;
};

struct tsr_rndv {
  /* the sender's line */
  TSR_ALIGNED_LINE struct tsr_place_in_heap data;
  uint64_t address;        /* of the data in the sender */
  uint64_t bounce_off;      /* in its heap; valid from the first piece on */
  _Atomic uint64_t filled; /* bytes that were put into the bounce buffer, or where they were wanted */
  uint64_t next_off;       /* of rendezvous descriptors that are free */
  /* the receiver's line */
  TSR_ALIGNED_LINE _Atomic uint32_t wish; /* enum tsr_rndv_wish; the next two are valid once it is Bounce buffer or PUSH */
  uint64_t wanted;                        /* bytes */
  struct tsr_place_in_heap buffer;        /* PUSH */
  _Atomic uint64_t taken;                 /* Bounce buffer: bytes that were copied out */
};

/* The bounce buffer is a circle of pieces. */
enum { TSR_BOUNCE_PIECE_BYTES = 32 << 10, TSR_BOUNCE_PIECES_N = 8 };

/* Where `bytes` bytes at `data` lie, if in one heap of the node. */
struct tsr_place_in_heap tsr_p2p_local_place(const void *data, size_t bytes);

/* The sender: lays the data out on a rendezvous descriptor and completes the envelope. `stays`: it makes progress until the end.
 * TESSERA_ERR_MEMORY. */
tessera_status_t tsr_p2p_local_offer(tsr_outgoing *out, struct tsr_envelope *envelope, bool stays);

/* The receiver. */
void tsr_p2p_local_accept(tsr_incoming *in, const struct tsr_envelope *envelope);
void tsr_p2p_local_accept_self(tsr_incoming *in, const struct tsr_envelope *envelope);

void tsr_p2p_local_stop(void);

#endif
