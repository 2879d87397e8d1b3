#include "core/place.h"
#include "core/progress.h"
#include "p2p/remote.h"
#include "p2p/inbox.h"
#include "p2p/local.h"

/* Properties of a send. */
struct wish {
  bool synchronous, stays; /* stays: the sender makes progress until the message is done */
};

/* Completes a send inside its start, when no thread can be waiting for it. */
static void end_at_once(tsr_outgoing *out) {
  if (out->after) out->after(out);
  else atomic_init(&out->done, true);
}

static tessera_status_t send_own(tsr_outgoing *out, struct tsr_envelope *envelope, struct wish wish) {
  bool small = out->bytes <= TSR_P2P_SMALL_BYTES && !wish.synchronous;
  envelope->form = small ? TSR_ENVELOPE_SMALL : TSR_ENVELOPE_SELF;
  envelope->number = (uintptr_t)out;
  if (!small) tsr_p2p_move_begins();
  tsr_inbox_take(envelope, out->data);
  if (small) end_at_once(out);
  return TESSERA_OK;
}

/* Up to a size, two copies through the ring are faster than a rendezvous. Only small messages wait for room in the
 * ring. */
static bool send_in_ring(const tsr_outgoing *out, uint32_t local, struct tsr_envelope *envelope, struct wish wish) {
  if (out->bytes > TSR_P2P_RING_BYTES || wish.synchronous) return false;
  bool gone = tsr_inbox_try_push(local, envelope, out->data);
  if (!gone && out->bytes > TSR_P2P_SMALL_BYTES) return false;
  if (!gone) tsr_inbox_push(local, envelope, out->data);
  return true;
}

static tessera_status_t send_local(tsr_outgoing *out, uint32_t local, struct tsr_envelope *envelope, struct wish wish) {
  if (send_in_ring(out, local, envelope, wish)) {
    end_at_once(out);
    return TESSERA_OK;
  }
  tessera_status_t status = tsr_p2p_local_offer(out, envelope, wish.stays);
  if (!status) tsr_inbox_push(local, envelope, out->data);
  return status;
}

static tessera_status_t send_remote(tsr_outgoing *out, struct tsr_envelope *envelope, struct wish wish) {
  if (out->bytes > tsr_p2p_remote_small_bytes() || wish.synchronous) return tsr_p2p_remote_offer(out, envelope);
  tessera_status_t status = tsr_p2p_remote_send(out->to, envelope, out->data);
  if (!status) end_at_once(out);
  return status;
}

static tessera_status_t start_send(tsr_outgoing *out, tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                   size_t bytes, struct wish wish) {
  struct tsr_envelope envelope = {.source = tsr_place.self, .tag = tag, .context = (uint16_t)context, .bytes = bytes};
  out->to = to;
  out->tag = tag;
  out->data = data;
  out->bytes = bytes;
  atomic_init(&out->done, false);
  int32_t local = tsr_place_local(to);
  if (to.id == tsr_place.self) return send_own(out, &envelope, wish);
  return local >= 0 ? send_local(out, (uint32_t)local, &envelope, wish) : send_remote(out, &envelope, wish);
}

tessera_status_t tsr_p2p_send_start(tsr_outgoing *out, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                    const void *data, size_t bytes) {
  out->after = NULL;
  return start_send(out, to, context, tag, data, bytes, (struct wish){.stays = true});
}

tessera_status_t tsr_p2p_send_start_then(tsr_outgoing *out, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                         const void *data, size_t bytes, enum tsr_p2p_mode mode,
                                         void (*after)(tsr_outgoing *out)) {
  out->after = after;
  return start_send(out, to, context, tag, data, bytes, (struct wish){.synchronous = mode == TSR_P2P_SYNCHRONOUS});
}

static bool is_done(const void *arg) {
  return atomic_load_explicit(&((const tsr_outgoing *)arg)->done, memory_order_acquire);
}

bool tsr_p2p_send_test(tsr_outgoing *out) {
  if (!is_done(out)) tsr_progress();
  return is_done(out);
}

void tsr_p2p_send_wait(tsr_outgoing *out) {
  tsr_wait(is_done, out, tsr_p2p_send_why(out->to, out->tag));
}

static tessera_status_t send_and_wait(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                      size_t bytes, struct wish wish) {
  tsr_outgoing out;
  out.after = NULL;
  tessera_status_t status = start_send(&out, to, context, tag, data, bytes, wish);
  if (!status) tsr_p2p_send_wait(&out);
  return status;
}

/* A message that fits into the ring is complete at once and needs no tsr_outgoing. */
tessera_status_t tsr_p2p_send(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data, size_t bytes) {
  int32_t local = tsr_place_local(to);
  if (local >= 0 && bytes <= TSR_P2P_RING_BYTES && to.id != tsr_place.self) {
    struct tsr_envelope envelope = {.source = tsr_place.self, .tag = tag, .context = (uint16_t)context, .bytes = bytes};
    if (tsr_inbox_try_push((uint32_t)local, &envelope, data)) return TESSERA_OK;
  }
  return send_and_wait(to, context, tag, data, bytes, (struct wish){.stays = true});
}

tessera_status_t tsr_p2p_send_synchronous(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                          size_t bytes) {
  return send_and_wait(to, context, tag, data, bytes, (struct wish){true, true});
}
