#include "core/place.h"
#include "core/progress.h"
#include "p2p/far.h"
#include "p2p/inbox.h"
#include "p2p/near.h"

static tessera_status_t send_own(tsr_outgoing *out, struct tsr_note *note) {
  bool small = out->bytes <= TSR_P2P_SMALL_BYTES;
  note->form = small ? TSR_NOTE_SMALL : TSR_NOTE_OWN;
  note->number = (uintptr_t)out;
  atomic_init(&out->done, small);
  tsr_inbox_take(note, out->data);
  return TESSERA_OK;
}

static tessera_status_t send_near(tsr_outgoing *out, uint32_t local, struct tsr_note *note) {
  bool small = out->bytes <= TSR_P2P_SMALL_BYTES;
  atomic_init(&out->done, small);
  if (!small) {
    tessera_status_t status = tsr_near_offer(out, note);
    if (status) return status;
  }
  tsr_inbox_push(local, note, out->data);
  return TESSERA_OK;
}

static tessera_status_t send_far(tsr_outgoing *out, struct tsr_note *note) {
  bool small = out->bytes <= tsr_far_small_bytes();
  atomic_init(&out->done, small);
  return small ? tsr_far_send(out->to, note, out->data) : tsr_far_offer(out, note);
}

tessera_status_t tsr_p2p_send_start(tsr_outgoing *out, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                    const void *data, size_t bytes) {
  struct tsr_note note = {.source = tsr_place.self, .tag = tag, .context = (uint16_t)context, .bytes = bytes};
  out->to = to;
  out->tag = tag;
  out->data = data;
  out->bytes = bytes;
  int32_t local = tsr_place_local(to);
  if (to.id == tsr_place.self) return send_own(out, &note);
  return local >= 0 ? send_near(out, (uint32_t)local, &note) : send_far(out, &note);
}

static bool is_done(const void *arg) {
  return atomic_load_explicit(&((const tsr_outgoing *)arg)->done, memory_order_acquire);
}

bool tsr_p2p_send_test(tsr_outgoing *out) {
  if (!is_done(out)) tsr_progress();
  return is_done(out);
}

void tsr_p2p_send_wait(tsr_outgoing *out) {
  tsr_wait(is_done, out, (struct tsr_wait_why){TSR_WAIT_RECEIVER, out->to.id, out->tag});
}

tessera_status_t tsr_p2p_send(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data, size_t bytes) {
  tsr_outgoing out;
  tessera_status_t status = tsr_p2p_send_start(&out, to, context, tag, data, bytes);
  if (!status) tsr_p2p_send_wait(&out);
  return status;
}
