/* Posting: records for units and agents of this node go into their inbound rings. A thread that finds a ring full makes progress
 * while it waits: the owner may be waiting for room in ours. */
#ifndef TSR_CORE_POST_H
#define TSR_CORE_POST_H

#include <stdint.h>

#include <tessera.h>

#include "core/progress.h"
#include "node/heap.h"

/* An inbound ring, and the doorbell of its owner. */
struct tsr_post_box {
  tsr_ring *ring;
  tsr_word *bell;
};
static inline struct tsr_post_box tsr_post_box_for(uint32_t local, enum tsr_ring_class which) {
  return (struct tsr_post_box){tsr_memory_ring(tsr_heap.memory, local, which), &tsr_heap_unit(local)->bell};
}
static inline struct tsr_post_box tsr_post_box_of(uint32_t local) { return tsr_post_box_for(local, TSR_RING_REQUESTS); }

/* A record under construction: its bytes go to record.payload (node/ring.h). */
struct tsr_post {
  struct tsr_ring_record record;
  struct tsr_post_box box;
};

/* Begins a record of `bytes` <= TSR_RING_RUN_BYTES. TESSERA_ERR_AGAIN: no room now. Never waits, so handlers and records'
 * functions may call it, too. Until tsr_post_send the thread must not wait, nor run code of the program: the owner of the ring
 * cannot pass the record. */
static inline tessera_status_t tsr_post_try(struct tsr_post *post, struct tsr_post_box box, enum tsr_record_kind kind,
                                            uint32_t bytes) {
  post->box = box;
  return tsr_ring_reserve(box.ring, (uint16_t)kind, bytes, &post->record) ? TESSERA_OK : TESSERA_ERR_AGAIN;
}

/* The same, but waits for room. `whose`: the unit that owns the ring or has the agent that owns it, for reports. Any thread. A
 * handler of an active message may call it, but not a handler of a request or a record's function. */
void tsr_post_open_slow(struct tsr_post *post, struct tsr_post_box box, int32_t whose, enum tsr_record_kind kind,
                        uint32_t bytes);
static inline void tsr_post_open(struct tsr_post *post, uint32_t local, enum tsr_record_kind kind, uint32_t bytes) {
  struct tsr_post_box box = tsr_post_box_of(local);
  if (tsr_post_try(post, box, kind, bytes)) tsr_post_open_slow(post, box, tsr_heap_unit(local)->unit, kind, bytes);
}

/* Sends what was begun, and wakes the owner. */
static inline void tsr_post_send(const struct tsr_post *post) {
  tsr_ring_publish(post->box.ring, &post->record);
  tsr_bell_ring_fenced(post->box.bell);
}

#endif
