#include "node/ring.h"

#include <stdatomic.h>

#include "base/bits.h"
#include "base/poison.h"

/* Positions count slots since the beginning and never wrap; position p lies in slot p % SLOTS, in round p / SLOTS.
 *
 * Space. A producer moves the tail with a compare-and-swap, and only to an end that is at most SLOTS ahead of a head that it has
 * read. The head only grows, so what fits before an old head fits before the present one. A run that would wrap takes the rest of
 * the round as well, as a filler, in the same swap.
 *
 * Validity. A slot that starts a record holds a header word; its low bits are a stamp of the round, and the consumer takes a word
 * at its head for a header only if the stamp is that of its position. Inside a run the same words hold payload, which could
 * imitate anything. Therefore the rule: no slot outside [head, tail) ever holds a word with the stamp that its next position will
 * ask for. The rule holds at the start, since a stamp is never zero. It stays true because a slot is written only between its
 * reservation and its release, and because the consumer at release clears the word if it is stamped for the next position (to
 * clear every word would dirty each line of each run). Between reservation and publishing no process touches a slot that starts a
 * record, so its word is not taken for a header until the producer's one store. */
enum { SLOTS = TSR_RING_SLOTS, SLOT_BYTES = TSR_CACHE_LINE };
enum { STAMP_BITS = 40, KIND_SHIFT = 40, BYTES_SHIFT = 48, FILLER = 0xffff /* as a size: the rest of the round */ };
#define STAMP_MASK (((uint64_t)1 << STAMP_BITS) - 1)

struct slot {
  TSR_ALIGNED_LINE _Atomic uint64_t header; /* or the first bytes of a run's payload */
  char payload[TSR_RING_INLINE_BYTES];
};

struct tsr_ring {
  /* The producers' line: a reservation needs no other while there is room before the head that was last seen. */
  TSR_ALIGNED_LINE _Atomic uint64_t tail; /* next position to reserve */
  _Atomic uint64_t seen_head;             /* some earlier value of head */
  /* The consumer's line. */
  TSR_ALIGNED_LINE _Atomic uint64_t head; /* next position to read; everything before it is free */
  _Atomic uint64_t waiters;               /* bits of the units that found no room and wait for it */
  TSR_ALIGNED_LINE struct slot slots[SLOTS];
};

enum { RUN_SLOTS_MAX = 1 + (TSR_RING_RUN_BYTES + SLOT_BYTES - 1) / SLOT_BYTES };
_Static_assert(sizeof(struct slot) == SLOT_BYTES, "a slot is a cache line");
_Static_assert((int)TSR_RING_RUN_BYTES < (int)FILLER, "sizes fit into the header");
_Static_assert(2 * RUN_SLOTS_MAX - 1 <= SLOTS, "an empty ring has room for the longest run and the filler before it");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "shared between processes");

size_t tsr_ring_bytes(void) { return sizeof(struct tsr_ring); }

void tsr_ring_init(tsr_ring *ring) {
  atomic_init(&ring->tail, 0);
  atomic_init(&ring->seen_head, 0);
  atomic_init(&ring->head, 0);
  atomic_init(&ring->waiters, 0);
}

static uint32_t slots_for(uint32_t bytes) {
  return bytes <= TSR_RING_INLINE_BYTES ? 1 : 1 + (bytes + SLOT_BYTES - 1) / SLOT_BYTES;
}

static uint64_t rest_of_round(uint64_t position) { return SLOTS - position % SLOTS; }

static struct slot *slot_at(tsr_ring *ring, uint64_t position) { return &ring->slots[position % SLOTS]; }

static uint64_t stamp_of(uint64_t position) { return (position / SLOTS << 1 | 1) & STAMP_MASK; }

static bool is_stamped(uint64_t word, uint64_t position) { return (word & STAMP_MASK) == stamp_of(position); }

static uint64_t make_header(uint64_t position, uint16_t kind, uint32_t bytes) {
  return stamp_of(position) | (uint64_t)kind << KIND_SHIFT | (uint64_t)bytes << BYTES_SHIFT;
}

/* Slots to skip before a record that takes `need` of them. */
static uint64_t filler_for(uint64_t tail, uint64_t need) { return rest_of_round(tail) < need ? rest_of_round(tail) : 0; }

static void fill_record(tsr_ring *ring, struct tsr_ring_record *record, uint64_t position, uint16_t kind,
                        uint32_t bytes) {
  struct slot *slot = slot_at(ring, position);
  record->payload = bytes <= TSR_RING_INLINE_BYTES ? (void *)slot->payload : (void *)(slot + 1);
  record->aside = slot->payload;
  record->bytes = bytes;
  record->kind = kind;
  record->position = position;
}

bool tsr_ring_reserve(tsr_ring *ring, uint16_t kind, uint32_t bytes, struct tsr_ring_record *record) {
  const uint64_t need = slots_for(bytes);
  /* Read before the tail, so that it is not ahead of it. Acquire: what the consumer did to the slots before it
   * released them, as seen by the process that stored this value, is over. Partner: the head's store in release. */
  uint64_t head = atomic_load_explicit(&ring->seen_head, memory_order_acquire);
  uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
  for (;;) {
    uint64_t filler = filler_for(tail, need);
    if (tail + filler + need - head > SLOTS) {
      uint64_t now = atomic_load_explicit(&ring->head, memory_order_acquire);
      if (now == head) return false;
      head = now;
      atomic_store_explicit(&ring->seen_head, head, memory_order_release);
      tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    } else if (atomic_compare_exchange_weak_explicit(&ring->tail, &tail, tail + filler + need, memory_order_relaxed,
                                                     memory_order_relaxed)) {
      if (filler) {
        atomic_store_explicit(&slot_at(ring, tail)->header, make_header(tail, 0, FILLER), memory_order_relaxed);
      }
      fill_record(ring, record, tail + filler, kind, bytes);
      tsr_order_acquire(ring); /* the order after the earlier users of the slots may run through another process */
      return true;
    }
  }
}

static bool fits_record(tsr_ring *ring, uint64_t need) {
  uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire); /* before the tail, as in reserve */
  uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
  return tail + filler_for(tail, need) + need - head <= SLOTS;
}

/* Producer: doorbell set, fence, the bit (set if it is not), head. Consumer: head, fence, the bits taken, fence, doorbell. A
 * producer that misses the new head has set a bit that the consumer takes later, or before it sees the doorbell. */
bool tsr_ring_has_room(tsr_ring *ring, uint32_t bytes, uint32_t local) {
  uint64_t need = slots_for(bytes), bit = (uint64_t)1 << local % 64;
  if (fits_record(ring, need)) return true;
  bool known = atomic_load_explicit(&ring->waiters, memory_order_relaxed) & bit;
  if (!known) atomic_fetch_or(&ring->waiters, bit);
  return fits_record(ring, need);
}

uint64_t tsr_ring_take_waiters(tsr_ring *ring) {
  if (__builtin_expect(!atomic_load_explicit(&ring->waiters, memory_order_relaxed), 1)) return 0;
  return atomic_exchange(&ring->waiters, 0);
}

void tsr_ring_publish(tsr_ring *ring, const struct tsr_ring_record *record) {
  tsr_order_release(ring);
  /* Release for the payload; as an exchange also the full fence that tsr_bell_ring_fenced asks for. Partner: the
   * exchange on the doorbell before the last poll of the ring in base/wait.c. */
  atomic_exchange_explicit(&slot_at(ring, record->position)->header,
                           make_header(record->position, record->kind, record->bytes), memory_order_seq_cst);
}

/* The header word and position of the oldest published record behind `head`, past a filler; 0: none. Inlined, so that
 * it is compiled as its caller is. */
__attribute__((always_inline)) static inline uint64_t front_header(const tsr_ring *ring, uint64_t head, uint64_t *position) {
  uint64_t at = head;
  uint64_t word = atomic_load_explicit(&ring->slots[at % SLOTS].header, memory_order_acquire);
  if (is_stamped(word, at) && word >> BYTES_SHIFT == FILLER) {
    at += rest_of_round(at);
    word = atomic_load_explicit(&ring->slots[at % SLOTS].header, memory_order_acquire);
  }
  *position = at;
  return is_stamped(word, at) ? word : 0;
}

bool tsr_ring_peek(tsr_ring *ring, struct tsr_ring_record *record) {
  uint64_t position;
  uint64_t word = front_header(ring, atomic_load_explicit(&ring->head, memory_order_relaxed), &position);
  if (!word) return false;
  fill_record(ring, record, position, (uint16_t)(word >> KIND_SHIFT & 0xff), (uint32_t)(word >> BYTES_SHIFT));
  return true;
}

/* Clears header words that are stamped for the next round, in slots [at, end), which are of one round. There are
 * hardly ever any. */
static inline void clear_imitations(tsr_ring *ring, uint64_t at, uint64_t end) {
  const uint64_t stamp = stamp_of(at + SLOTS);
  struct slot *slot = slot_at(ring, at), *last = slot + (end - at);
  for (; slot < last; slot++) {
    uint64_t word = atomic_load_explicit(&slot->header, memory_order_relaxed);
    if (__builtin_expect((word & STAMP_MASK) == stamp, 0)) atomic_store_explicit(&slot->header, 0, memory_order_relaxed);
  }
}

void tsr_ring_release(tsr_ring *ring, const struct tsr_ring_record *record) {
  uint64_t end = record->position + slots_for(record->bytes);
  uint64_t at = atomic_load_explicit(&ring->head, memory_order_relaxed);
  if (__builtin_expect(at != record->position, 0)) clear_imitations(ring, at, record->position); /* a filler goes with it */
  clear_imitations(ring, record->position, end);
  tsr_order_release(ring);
  /* Our reads and clears come before the next producer's writes. Partner: the loads of head in reserve. */
  atomic_store_explicit(&ring->head, end, memory_order_release);
}

/* A thread that does not hold the consumer's lock may read a slot while the holder releases it and a producer writes payload there.
 * The last line discards what was read then. The thread sanitizer cannot know that, so it is switched off for this function. */
#if __has_attribute(disable_sanitizer_instrumentation)
__attribute__((disable_sanitizer_instrumentation))
#else
__attribute__((no_sanitize("thread")))
#endif
bool tsr_ring_is_empty(const tsr_ring *ring) {
  uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire), position;
  if (front_header(ring, head, &position)) return false;
  return atomic_load_explicit(&ring->head, memory_order_relaxed) == head;
}

uint32_t tsr_ring_depth(const tsr_ring *ring) {
  uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
  return (uint32_t)(atomic_load_explicit(&ring->tail, memory_order_relaxed) - head);
}
