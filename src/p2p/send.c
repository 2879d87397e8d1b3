#include "core/conflict.h"
#include "core/place.h"
#include "core/post.h"
#include "core/progress.h"
#include "p2p/remote.h"
#include "p2p/inbox.h"
#include "p2p/local.h"

/* Properties of a send. */
struct send_options {
  bool synchronous;
  bool stays;  /* the sender makes progress until the message is done */
  bool blocks; /* the call waits for that anyway */
};

/* The longest message within a node that is done when it has been copied, and so waits for room rather than for its receive. A call
 * that blocks waits in any case, and units that all send first, and receive then, can rely on it. */
static size_t copied_bytes(struct send_options options) {
  if (options.synchronous) return 0;
  return options.blocks ? TSR_P2P_RING_BYTES : TSR_P2P_SMALL_BYTES;
}

/* Completes a send inside its start, when no thread can be waiting for it. */
static void end_at_once(tsr_outgoing *out) {
  if (out->after) out->after(out);
  else atomic_init(&out->done, true);
}

static tessera_status_t send_own(tsr_outgoing *out, struct tsr_envelope *envelope, struct send_options options) {
  bool small = !options.synchronous && out->bytes <= copied_bytes(options);
  envelope->form = small ? TSR_ENVELOPE_SMALL : TSR_ENVELOPE_SELF;
  envelope->number = (uintptr_t)out;
  if (!small) tsr_p2p_move_begins(out->context);
  tsr_inbox_take(envelope, out->data);
  if (small) end_at_once(out);
  return TESSERA_OK;
}

/* Up to a size, two copies through the ring are faster than a rendezvous. */
static tessera_status_t send_local(tsr_outgoing *out, uint32_t local, struct tsr_envelope *envelope, struct send_options options) {
  const bool in_ring = out->bytes <= TSR_P2P_RING_BYTES && !options.synchronous;
  bool sent = in_ring && tsr_inbox_try_push(local, envelope, out->data);
  if (!sent && in_ring && out->bytes <= copied_bytes(options)) {
    tsr_inbox_push(local, envelope, out->data);
    sent = true;
  }
  if (sent) {
    end_at_once(out);
    return TESSERA_OK;
  }
  tessera_status_t status = tsr_p2p_local_offer(out, envelope, options.stays);
  if (!status) tsr_inbox_push(local, envelope, out->data);
  return status;
}

static tessera_status_t start_send(tsr_outgoing *out, tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                   size_t bytes, struct send_options options) {
  struct tsr_envelope envelope = {.source = tsr_place.self, .tag = tag, .context = (uint16_t)context, .bytes = bytes};
  out->to = to;
  out->tag = tag;
  out->context = (uint16_t)context;
  out->data = data;
  out->bytes = bytes;
  atomic_init(&out->done, false);
  tsr_conflict_sync();
  int32_t local = tsr_place_local(to);
  if (to.id == tsr_place.self) return send_own(out, &envelope, options);
  if (local >= 0) return send_local(out, (uint32_t)local, &envelope, options);
  if (bytes > tsr_p2p_remote_small_bytes() || options.synchronous) return tsr_p2p_remote_offer(out, &envelope);
  tessera_status_t status = tsr_p2p_remote_send(to, &envelope, data);
  if (!status) end_at_once(out);
  return status;
}

tessera_status_t tsr_p2p_send_start(tsr_outgoing *out, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                    const void *data, size_t bytes) {
  out->after = NULL;
  return start_send(out, to, context, tag, data, bytes, (struct send_options){.stays = true});
}

tessera_status_t tsr_p2p_send_start_then(tsr_outgoing *out, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                         const void *data, size_t bytes, enum tsr_p2p_mode mode,
                                         void (*after)(tsr_outgoing *out)) {
  out->after = after;
  return start_send(out, to, context, tag, data, bytes, (struct send_options){.synchronous = mode == TSR_P2P_SYNCHRONOUS});
}

static bool is_done(const void *arg) {
  return atomic_load_explicit(&((const tsr_outgoing *)arg)->done, memory_order_acquire);
}

void tsr_p2p_send_wait(tsr_outgoing *out) {
  tsr_wait(is_done, out, tsr_p2p_send_why(out->to, out->tag));
}

static tessera_status_t send_and_wait(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                      size_t bytes, struct send_options options) {
  tsr_outgoing out;
  out.after = NULL;
  tessera_status_t status = start_send(&out, to, context, tag, data, bytes, options);
  if (!status) tsr_p2p_send_wait(&out);
  return status;
}

/* A message that fits into the ring is complete at once and needs no tsr_outgoing. */
tessera_status_t tsr_p2p_send(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data, size_t bytes) {
  int32_t local = tsr_place_local(to);
  tsr_conflict_sync();
  if (local >= 0 && bytes <= TSR_P2P_RING_BYTES && to.id != tsr_place.self) {
    struct tsr_envelope envelope = {.source = tsr_place.self, .tag = tag, .context = (uint16_t)context, .bytes = bytes};
    if (tsr_inbox_try_push((uint32_t)local, &envelope, data)) return TESSERA_OK;
  }
  return send_and_wait(to, context, tag, data, bytes, (struct send_options){.stays = true, .blocks = true});
}

tessera_status_t tsr_p2p_send_synchronous(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                          size_t bytes) {
  return send_and_wait(to, context, tag, data, bytes, (struct send_options){.synchronous = true, .stays = true, .blocks = true});
}

/* ---- sends that never wait ---- */

tessera_status_t tsr_attempt_prepare(tsr_attempt *attempt, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                     const void *data, size_t bytes) {
  tsr_outgoing *out = &attempt->out;
  tsr_conflict_sync();
  const bool is_local = tsr_place_local(to) >= 0;
  const bool small = bytes <= (is_local ? TSR_P2P_RING_BYTES : tsr_p2p_remote_small_bytes());
  attempt->envelope =
      (struct tsr_envelope){.source = tsr_place.self, .tag = tag, .context = (uint16_t)context, .bytes = bytes};
  out->to = to;
  out->tag = tag;
  out->context = (uint16_t)context;
  out->data = data;
  out->bytes = bytes;
  out->after = NULL;
  atomic_init(&out->done, small);
  if (small) return TESSERA_OK;
  return is_local ? tsr_p2p_local_offer(out, &attempt->envelope, false)
                  : tsr_p2p_remote_prepare(out, &attempt->envelope);
}

/* tsr_ring_has_room registers this unit with the ring, so that the ring's owner rings this unit's doorbell when there is room. */
bool tsr_attempt_send(tsr_attempt *attempt) {
  int32_t local = tsr_place_local(attempt->out.to);
  if (local < 0) return tsr_p2p_remote_try(&attempt->out, &attempt->envelope);
  do {
    if (tsr_inbox_try_push((uint32_t)local, &attempt->envelope, attempt->out.data)) return true;
  } while (tsr_ring_has_room(tsr_post_box_of((uint32_t)local).ring, TSR_RING_RUN_BYTES, tsr_heap.self));
  return false;
}
