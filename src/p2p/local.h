/* Long messages within a node.
 *
 * Both ends share a *rendezvous descriptor* in the sender's heap. The sender stores where the data lies. When the
 * receiver has matched the message, it uses the first of these methods that is possible:
 * - The data is in a heap of the node, or the kernel can read it: the receiver copies it.
 * - The receive's buffer is in a heap of the node: the sender copies the data there.
 * - Otherwise the sender fills a bounce buffer in its heap piece by piece, and the receiver copies from there. There are
 *   few bounce buffers. A message that finds none waits until another message returns one. If no other message to the same
 *   unit has taken one after its receive started, an additional bounce buffer is allocated while the heap has room.
 *
 * If the kernel cannot copy, a sender of private memory takes a free bounce buffer and begins to fill it at once, so that both
 * ends copy at the same time. Exception: the message is longer than the bounce buffer, and the sender does not promise to make
 * progress (`stays`). If the kernel can copy, a sender takes a bounce buffer if that is expected to be faster (`reads` in
 * local_send.c). When the receiver has all data, it sets TSR_RNDV_TAKEN, and the sender reuses the rendezvous descriptor.
 */
#ifndef TSR_P2P_LOCAL_H
#define TSR_P2P_LOCAL_H

#include "base/bits.h"
#include "p2p/envelope.h"
#include "p2p/p2p.h"

enum tsr_rndv_answer { TSR_RNDV_OFFERED, TSR_RNDV_BOUNCE, TSR_RNDV_PUSH, TSR_RNDV_TAKEN };

struct tsr_place_in_heap {
  int64_t local; /* -1: in no heap */
  uint64_t off;
};

struct tsr_rndv {
  /* the cache line that the sender writes */
  TSR_ALIGNED_LINE struct tsr_place_in_heap data;
  uint64_t address;        /* of the data in the sender */
  uint64_t bounce_off;     /* in the sender's heap; valid from the first piece on */
  _Atomic uint64_t filled; /* bytes copied to the bounce buffer or, after PUSH, to the receiver */
  uint64_t next_off;       /* the next free rendezvous descriptor, or block of them */
  /* the cache line that the receiver writes */
  TSR_ALIGNED_LINE _Atomic uint32_t answer; /* enum tsr_rndv_answer */
  uint64_t wanted;                        /* bytes to be received; before BOUNCE or PUSH the length of the message */
  struct tsr_place_in_heap buffer;        /* PUSH: the receive's buffer */
  _Atomic uint64_t taken;                 /* BOUNCE: bytes copied out of the bounce buffer */
};

/* The bounce buffer is a circular buffer of pieces. */
enum { TSR_BOUNCE_PIECE_BYTES = 32 << 10, TSR_BOUNCE_PIECES_N = 8 };

/* Returns where `bytes` bytes at `data` lie, if all are in one heap of the node; else, or for 0 bytes, `local` is -1. */
struct tsr_place_in_heap tsr_p2p_local_place(const void *data, size_t bytes);

/* Sender: offers the data in a rendezvous descriptor and completes the envelope. `stays`: the sender makes progress
 * until the message is done. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_p2p_local_offer(tsr_outgoing *out, struct tsr_envelope *envelope, bool stays);

/* Receiver: starts to receive a message from another unit of the node, or (_self) from this unit itself. */
void tsr_p2p_local_accept(tsr_incoming *in, const struct tsr_envelope *envelope);
void tsr_p2p_local_accept_self(tsr_incoming *in, const struct tsr_envelope *envelope);

void tsr_p2p_local_stop(void);

#endif
