/* An inbound queue of a unit: many producers (any unit of the node, any thread), one consumer at a time.
 *
 * A slot is one cache line: 8 bytes of header and up to 56 of payload, written and then published with one store. A longer record
 * takes a run of slots that never wraps; the payload of a run starts on the second line and is contiguous. The ring lies in
 * shared memory and holds no pointers. Publishing is a full fence, so the producer may ring the owner's doorbell with
 * tsr_bell_ring_fenced. */
#ifndef TSR_NODE_RING_H
#define TSR_NODE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"

enum { TSR_RING_INLINE_BYTES = 56, TSR_RING_SLOTS = 1024, TSR_RING_RUN_BYTES = 16 << 10 /* longest record */ };

typedef struct tsr_ring tsr_ring;

size_t tsr_ring_bytes(void);            /* memory that one ring takes, a multiple of the cache line */
void tsr_ring_init(tsr_ring *ring);     /* once, by one process, on zeroed 64-byte aligned memory */

/* A record under construction, or one that is read. */
struct tsr_ring_record {
  void *payload;   /* in the ring: 8-byte aligned; 64-byte aligned when longer than TSR_RING_INLINE_BYTES */
  void *aside;     /* in the ring: TSR_RING_INLINE_BYTES more, in the first line of a record whose payload is not there; the
                      consumer polls that line, so it is written last, or it goes to the consumer and back before publishing */
  uint32_t bytes;  /* of payload */
  uint16_t kind;   /* which handler of the owner runs, < 256 */
  uint64_t position; /* of its first slot, counted from the start; private to the ring */
};

/* Reserves room for a record of `bytes` <= TSR_RING_RUN_BYTES. False: full now; a failed try reserves no place. Between reserve and
 * publish the producer must not wait for anything: the consumer cannot pass it. */
bool tsr_ring_reserve(tsr_ring *ring, uint16_t kind, uint32_t bytes, struct tsr_ring_record *record);
void tsr_ring_publish(tsr_ring *ring, const struct tsr_ring_record *record);

/* Whether a record of `bytes` would find room now. If not, the doorbell of the unit with this local index is rung when there is
 * room; the unit sets its doorbell before it calls. Repeated calls do no harm, and the doorbell may ring although there is no
 * room. */
bool tsr_ring_has_room(tsr_ring *ring, uint32_t bytes, uint32_t local);
/* For the consumer, after it has made room and executed a full fence. Returns the bits, by local index modulo 64, of the units
 * whose doorbells it has to ring. */
uint64_t tsr_ring_take_waiters(tsr_ring *ring);

/* The oldest published record. False: none. The consumer releases it before it peeks again; it may write into the
 * payload until then. */
bool tsr_ring_peek(tsr_ring *ring, struct tsr_ring_record *record);
void tsr_ring_release(tsr_ring *ring, const struct tsr_ring_record *record);

/* Whether there is nothing to peek: one load. Any thread of the owner; a false no is possible while another thread consumes. */
bool tsr_ring_is_empty(const tsr_ring *ring);

uint32_t tsr_ring_depth(const tsr_ring *ring); /* slots in use now, for reports; any process, may be out of date */

#endif
