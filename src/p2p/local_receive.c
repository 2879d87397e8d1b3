#include <string.h>

#include "base/copy.h"
#include "core/place.h"
#include "node/attach.h"
#include "p2p/inbox.h"
#include "p2p/local.h"

enum { BOUNCE_BYTES = TSR_BOUNCE_PIECES_N * TSR_BOUNCE_PIECE_BYTES };

static tsr_incoming *incoming_of(struct tsr_work *work) {
  return (tsr_incoming *)((char *)work - offsetof(tsr_incoming, work));
}

/* Called when all data is received: signals this to the sender. */
static enum tsr_work_result end_receive(tsr_incoming *in) {
  if (in->own) {
    tsr_outgoing_complete(in->own);
  } else {
    atomic_store_explicit(&in->rndv->answer, TSR_RNDV_TAKEN, memory_order_release); /* partner: step_send in local_send.c */
    tsr_work_signal(in->local);
  }
  tsr_incoming_complete(in);
  return TSR_WORK_OVER;
}

static size_t next_step(const tsr_incoming *in) {
  size_t left = in->wanted - in->moved;
  return left < TSR_WORK_BYTES ? left : TSR_WORK_BYTES;
}

static enum tsr_work_result advance_receive(tsr_incoming *in, size_t bytes) {
  in->moved += bytes;
  return in->moved < in->wanted ? TSR_WORK_MORE : end_receive(in);
}

static enum tsr_work_result step_copy(struct tsr_work *work) {
  tsr_incoming *in = incoming_of(work);
  size_t bytes = next_step(in);
  if (bytes) tsr_copy(in->buffer + in->moved, in->from + in->moved, bytes);
  return advance_receive(in, bytes);
}

static enum tsr_work_result step_bounce(struct tsr_work *work) {
  tsr_incoming *in = incoming_of(work);
  struct tsr_rndv *rndv = in->rndv;
  size_t before = in->moved, filled;
  if (!in->wanted) return end_receive(in);
  while (in->moved < (filled = atomic_load_explicit(&rndv->filled, memory_order_acquire))) {
    if (in->moved - before >= TSR_WORK_BYTES) return TSR_WORK_MORE;
    if (filled > in->wanted) filled = in->wanted;
    size_t left = filled - in->moved, piece = TSR_BOUNCE_PIECE_BYTES - in->moved % TSR_BOUNCE_PIECE_BYTES;
    size_t bytes = left < piece ? left : piece;
    const char *bounce = tsr_heap_at(in->local, rndv->bounce_off);
    tsr_copy(in->buffer + in->moved, bounce + in->moved % BOUNCE_BYTES, bytes);
    in->moved += bytes;
    if (in->moved == in->wanted) return end_receive(in);
    atomic_store_explicit(&rndv->taken, in->moved, memory_order_release); /* partner: fill_bounce */
    tsr_work_signal(in->local);
  }
  return in->moved > before ? TSR_WORK_MOVED : TSR_WORK_WAITS;
}

static enum tsr_work_result step_pushed(struct tsr_work *work) {
  tsr_incoming *in = incoming_of(work);
  return atomic_load_explicit(&in->rndv->filled, memory_order_acquire) == in->wanted ? end_receive(in) : TSR_WORK_WAITS;
}

/* Asks the sender to copy the data. */
static enum tsr_work_result request_data(tsr_incoming *in) {
  struct tsr_rndv *rndv = in->rndv;
  in->moved = 0;
  rndv->wanted = in->wanted;
  rndv->buffer = tsr_p2p_local_place(in->buffer, in->wanted);
  enum tsr_rndv_answer answer = rndv->buffer.local >= 0 ? TSR_RNDV_PUSH : TSR_RNDV_BOUNCE;
  in->work.step = answer == TSR_RNDV_PUSH ? step_pushed : step_bounce;
  atomic_store_explicit(&rndv->answer, answer, memory_order_release); /* partner: step_send in local_send.c */
  tsr_work_signal(in->local);
  return TSR_WORK_MOVED;
}

/* Reads the sender's private memory. If the kernel does not allow that, the sender copies. */
static enum tsr_work_result step_read(struct tsr_work *work) {
  tsr_incoming *in = incoming_of(work);
  size_t bytes = next_step(in);
  if (!bytes) return end_receive(in);
  struct tsr_attach_side ours = tsr_attach_one(in->buffer + in->moved, bytes);
  struct tsr_attach_side theirs = tsr_attach_one((void *)(uintptr_t)(in->rndv->address + in->moved), bytes);
  return tsr_attach_try(in->local, TSR_ATTACH_GET, &ours, &theirs) ? request_data(in) : advance_receive(in, bytes);
}

void tsr_p2p_local_accept(tsr_incoming *in, const struct tsr_envelope *envelope) {
  in->own = NULL;
  in->local = (uint32_t)tsr_place_local(in->source);
  in->rndv = tsr_heap_at(in->local, envelope->number);
  const struct tsr_place_in_heap *data = &in->rndv->data;
  if (data->local >= 0) in->from = tsr_heap_at((uint32_t)data->local, data->off);
  in->work.step = data->local >= 0 ? step_copy : step_read;
  if (atomic_load_explicit(&in->rndv->answer, memory_order_acquire) == TSR_RNDV_BOUNCE) in->work.step = step_bounce;
  tsr_work_add(&in->work);
}

void tsr_p2p_local_accept_self(tsr_incoming *in, const struct tsr_envelope *envelope) {
  in->own = (tsr_outgoing *)(uintptr_t)envelope->number;
  in->from = in->own->data;
  in->work.step = step_copy;
  tsr_work_add(&in->work);
}
