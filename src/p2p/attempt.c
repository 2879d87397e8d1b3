#include "p2p/attempt.h"

#include "core/place.h"
#include "core/post.h"
#include "p2p/remote.h"
#include "p2p/inbox.h"
#include "p2p/local.h"

tessera_status_t tsr_attempt_prepare(tsr_attempt *attempt, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                     const void *data, size_t bytes) {
  tsr_outgoing *out = &attempt->out;
  const bool is_local = tsr_place_local(to) >= 0;
  const bool small = bytes <= (is_local ? TSR_P2P_RING_BYTES : tsr_p2p_remote_small_bytes());
  attempt->envelope =
      (struct tsr_envelope){.source = tsr_place.self, .tag = tag, .context = (uint16_t)context, .bytes = bytes};
  out->to = to;
  out->tag = tag;
  out->data = data;
  out->bytes = bytes;
  out->after = NULL;
  atomic_init(&out->done, small);
  if (small) return TESSERA_OK;
  return is_local ? tsr_p2p_local_offer(out, &attempt->envelope, false)
                  : tsr_p2p_remote_prepare(out, &attempt->envelope);
}

/* tsr_ring_has_room registers the unit with the ring, so that the ring's owner rings its doorbell when there is room.
 */
static bool push_envelope(tsr_attempt *attempt, uint32_t local) {
  do {
    if (tsr_inbox_try_push(local, &attempt->envelope, attempt->out.data)) return true;
  } while (tsr_ring_has_room(tsr_post_box_of(local).ring, TSR_RING_RUN_BYTES, tsr_heap.self));
  return false;
}

bool tsr_attempt_send(tsr_attempt *attempt) {
  int32_t local = tsr_place_local(attempt->out.to);
  if (local >= 0) return push_envelope(attempt, (uint32_t)local);
  return tsr_p2p_remote_try(&attempt->out, &attempt->envelope);
}
