#include "core/post.h"

#include "core/retry.h"

struct wish {
  struct tsr_post *post;
  struct tsr_post_box box;
  enum tsr_record_kind kind;
  uint32_t bytes;
};

static tessera_status_t start_post(void *arg) {
  const struct wish *wish = arg;
  return tsr_post_try(wish->post, wish->box, wish->kind, wish->bytes);
}

static bool ring_has_room(const void *arg) {
  const struct wish *wish = arg;
  return tsr_ring_has_room(wish->box.ring, wish->bytes, tsr_heap.self);
}

void tsr_post_open_slow(struct tsr_post *post, struct tsr_post_box box, int32_t whose, enum tsr_record_kind kind,
                        uint32_t bytes) {
  struct wish wish = {post, box, kind, bytes};
  (void)tsr_retry(&(struct tsr_retry){start_post, ring_has_room, &wish, {TSR_WAIT_ROOM, whose, bytes}});
}
