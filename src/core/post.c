#include "core/post.h"

#include "core/retry.h"

struct open_request {
  struct tsr_post *post;
  struct tsr_post_box box;
  enum tsr_record_kind kind;
  uint32_t bytes;
};

static bool ring_has_room(const void *arg) {
  const struct open_request *request = arg;
  return tsr_ring_has_room(request->box.ring, request->bytes, tsr_heap.self);
}

static tessera_status_t open_record(void *arg) {
  const struct open_request *request = arg;
  return tsr_post_try(request->post, request->box, request->kind, request->bytes);
}

void tsr_post_open_slow(struct tsr_post *post, struct tsr_post_box box, int32_t whose, enum tsr_record_kind kind,
                        uint32_t bytes) {
  struct open_request request = {post, box, kind, bytes};
  tsr_retry(&(struct tsr_retry){open_record, ring_has_room, &request, {TSR_WAIT_ROOM, whose, bytes}});
}
