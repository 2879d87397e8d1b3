/* Long messages within a node.
 *
 * The sender's *desk*, in its heap, is what the two ends share: it says where the data lies; the receiver, once it has
 * met the message, says there how it wants it. In this order:
 * - data in a heap of the node, or readable private memory: the receiver copies it;
 * - the receive's buffer in a heap of the node: the sender copies the data there;
 * - else the sender fills a stage in its heap, piece by piece, from which the receiver copies. There are few stages;
 *   who finds none waits for one, which another message that the same unit receives gives back; there is one more for a
 *   unit that receives none, while the heap has room.
 * Two copies at the same time take less time than one by the kernel: so a sender of private memory that finds a stage
 * takes it and begins at once, unless the message is longer than a stage and the sender may be about to do something else.
 * The receiver says so when it has what it wanted; the sender then takes the desk back.
 */
#ifndef TSR_P2P_NEAR_H
#define TSR_P2P_NEAR_H

#include "base/bits.h"
#include "p2p/note.h"
#include "p2p/p2p.h"

enum tsr_desk_wish { TSR_DESK_OFFERED, TSR_DESK_STAGE, TSR_DESK_PUSH, TSR_DESK_TAKEN };

struct tsr_place_in_heap {
  int64_t local; /* -1: in no heap */
  uint64_t off;
};

struct tsr_desk {
  /* the sender's line */
  TSR_ALIGNED_LINE struct tsr_place_in_heap data;
  uint64_t address;        /* of the data in the sender */
  uint64_t stage_off;      /* in its heap; valid from the first piece on */
  _Atomic uint64_t filled; /* bytes that were put into the stage, or where they were wanted */
  uint64_t next_off;       /* of desks that are free */
  /* the receiver's line */
  TSR_ALIGNED_LINE _Atomic uint32_t wish; /* enum tsr_desk_wish; the next two are valid once it is STAGE or PUSH */
  uint64_t wanted;                        /* bytes */
  struct tsr_place_in_heap buffer;        /* PUSH */
  _Atomic uint64_t taken;                 /* STAGE: bytes that were copied out */
};

/* The stage is a circle of pieces. */
enum { TSR_STAGE_PIECE_BYTES = 32 << 10, TSR_STAGE_PIECES_N = 8 };

/* Where `bytes` bytes at `data` lie, if in one heap of the node. */
struct tsr_place_in_heap tsr_near_place(const void *data, size_t bytes);

/* The sender: lays the data out on a desk and completes the note. `stays`: it makes progress until the end.
 * TESSERA_ERR_MEMORY. */
tessera_status_t tsr_near_offer(tsr_outgoing *out, struct tsr_note *note, bool stays);

/* The receiver. */
void tsr_near_accept(tsr_incoming *in, const struct tsr_note *note);
void tsr_near_accept_own(tsr_incoming *in, const struct tsr_note *note);

void tsr_near_stop(void);

#endif
