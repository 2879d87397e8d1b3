#include "core/post.h"

struct wish {
  tsr_ring *ring;
  uint32_t bytes;
};

static bool ring_has_room(const void *arg) {
  const struct wish *wish = arg;
  return tsr_ring_has_room(wish->ring, wish->bytes, tsr_heap.self);
}

/* Another producer may take the room first. */
void tsr_post_open_slow(struct tsr_post *post, struct tsr_post_box box, int32_t whose, enum tsr_record_kind kind,
                        uint32_t bytes) {
  const struct wish wish = {box.ring, bytes};
  do tsr_wait(ring_has_room, &wish, (struct tsr_wait_why){TSR_WAIT_ROOM, whose, bytes});
  while (tsr_post_try(post, box, kind, bytes));
}
