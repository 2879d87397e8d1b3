#include "p2p/far.h"

#include <pthread.h>
#include <string.h>

#include "base/pool.h"
#include "base/status.h"
#include "core/handlers.h"
#include "core/message.h"
#include "core/op.h"
#include "core/place.h"
#include "core/runtime.h"
#include "p2p/inbox.h"

enum { SMALL_BYTES = 8 << 10 /* a record of a ring has room for it */, WIRE_TAGS_N = 1024 };
_Static_assert((int)SMALL_BYTES + (int)TSR_NOTE_HEAD_BYTES <= (int)TSR_RING_RUN_BYTES, "a small message is one record");
_Static_assert((int)TSR_TAG_P2P + (int)WIRE_TAGS_N <= (int)TSR_NET_TAG_MAX, "wire tags exist");

/* Long messages that wait for an answer, by number; and the wire tags of those whose data we await. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsr_pool sends;
static bool sends_ready;
static bool tag_in_use[WIRE_TAGS_N];
static int tag_next;

size_t tsr_far_small_bytes(void) {
  return tsr_net_limits.eager_bytes < SMALL_BYTES ? tsr_net_limits.eager_bytes : SMALL_BYTES;
}

/* A note in the arguments of a request, behind the target unit. */
static struct tsr_net_request request_for(tsr_unit to, const struct tsr_note *note) {
  return (struct tsr_net_request){.rank = tsr_place_rank(to),
                                  .handler = TSR_H_MESSAGE,
                                  .patient = true,
                                  .args = {(uint64_t)to.id, (uint64_t)note->source << 32 | (uint32_t)note->tag,
                                           (uint64_t)note->wire_tag << 32 | (uint32_t)note->context << 16 | note->form,
                                           note->bytes, note->number}};
}

static struct tsr_note note_in(const uint64_t args[]) {
  return (struct tsr_note){.source = (int32_t)(args[1] >> 32),
                           .tag = (int32_t)args[1],
                           .wire_tag = (uint32_t)(args[2] >> 32),
                           .context = (uint16_t)(args[2] >> 16),
                           .form = (uint16_t)args[2],
                           .bytes = args[3],
                           .number = args[4]};
}

static void serve(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  struct tsr_note note = note_in(in->args);
  bool ours = in->args[0] == (uint64_t)tsr_place.self;
  bool sound = note.form == TSR_NOTE_SMALL ? note.bytes == in->payload_bytes && note.bytes <= SMALL_BYTES
                                           : note.form == TSR_NOTE_FAR || note.form == TSR_NOTE_CLEAR;
  if (!ours || !sound)
    tsr_abort(1, "a request of rank %d brings a message of form %u for unit %llu, which makes no sense here; all units "
              "must run the same build of Tessera", in->rank, note.form, (unsigned long long)in->args[0]);
  tsr_inbox_take(&note, in->payload);
}

/* Counted with the operations to the unit, so that it has arrived before the units agree on the end. */
tessera_status_t tsr_far_send(tsr_unit to, struct tsr_note *note, const void *data) {
  struct tsr_net_request request = request_for(to, note);
  request.payload = data;
  request.payload_bytes = note->bytes;
  return tsr_op_request(tsr_op_implicit(to), &request, NULL, NULL);
}

/* A long message at its sender. */
static bool take_number(tsr_outgoing *out, uint64_t *number) {
  pthread_mutex_lock(&lock);
  if (!sends_ready) tsr_pool_init(&sends, sizeof out);
  sends_ready = true;
  tsr_outgoing **place = tsr_pool_take(&sends, number);
  if (place) *place = out;
  pthread_mutex_unlock(&lock);
  return place != NULL;
}

/* NULL: nobody has the number. */
static tsr_outgoing *give_number(uint64_t number) {
  pthread_mutex_lock(&lock);
  tsr_outgoing **place = tsr_pool_find(&sends, number), *out = place ? *place : NULL;
  if (place) tsr_pool_give(&sends, number);
  pthread_mutex_unlock(&lock);
  return out;
}

tessera_status_t tsr_far_prepare(tsr_outgoing *out, struct tsr_note *note) {
  note->form = TSR_NOTE_FAR;
  tsr_p2p_moves(); /* before the answer can come */
  if (take_number(out, &note->number)) return TESSERA_OK;
  tsr_p2p_rests();
  return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for one more message to unit %d; wait for some", out->to.id);
}

bool tsr_far_try(tsr_unit to, const struct tsr_note *note, const void *data) {
  struct tsr_net_request request = request_for(to, note);
  if (note->form == TSR_NOTE_SMALL) {
    request.payload = data;
    request.payload_bytes = note->bytes;
  }
  return tsr_net->request(&request) != TESSERA_ERR_AGAIN;
}

tessera_status_t tsr_far_offer(tsr_outgoing *out, struct tsr_note *note) {
  if (tsr_far_prepare(out, note)) return TESSERA_ERR_MEMORY;
  struct tsr_net_request request = request_for(out->to, note);
  tessera_status_t status = tsr_op_request(tsr_op_implicit(out->to), &request, NULL, NULL);
  if (!status) return TESSERA_OK;
  tsr_p2p_rests();
  give_number(note->number);
  return status;
}

static void all_sent(struct tsr_pieces *pieces) {
  tsr_outgoing_gone((tsr_outgoing *)((char *)pieces - offsetof(tsr_outgoing, pieces)));
}

void tsr_far_clear(const struct tsr_note *note) {
  tsr_outgoing *out = give_number(note->number);
  if (!out || note->bytes > out->bytes)
    tsr_abort(1, "unit %d answers to a message that was not sent; all units must run the same build of Tessera",
              note->source);
  out->pieces = (struct tsr_pieces){.rank = out->to.id, .tag = (int)note->wire_tag, .data = (char *)out->data,
                                    .bytes = note->bytes, .done = all_sent};
  tsr_pieces_start(&out->pieces);
  tsr_pieces_release(&out->pieces);
}

/* A long message at its receiver. */
static int take_tag(void) {
  int tag = -1;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < WIRE_TAGS_N && tag < 0; i++, tag_next = (tag_next + 1) % WIRE_TAGS_N) {
    if (!tag_in_use[tag_next]) tag = tag_next;
  }
  if (tag >= 0) tag_in_use[tag] = true;
  pthread_mutex_unlock(&lock);
  return tag;
}

static void give_tag(int tag) {
  pthread_mutex_lock(&lock);
  tag_in_use[tag] = false;
  pthread_mutex_unlock(&lock);
}

static void all_received(struct tsr_pieces *pieces) {
  tsr_incoming *in = (tsr_incoming *)((char *)pieces - offsetof(tsr_incoming, pieces));
  give_tag(in->wire_tag);
  tsr_incoming_arrived(in);
}

static bool post_receives(tsr_incoming *in) {
  in->wire_tag = take_tag();
  if (in->wire_tag < 0) return false;
  in->pieces = (struct tsr_pieces){.receives = true, .rank = in->source.id, .tag = (int)TSR_TAG_P2P + in->wire_tag,
                                   .data = in->buffer, .bytes = in->wanted, .done = all_received};
  tsr_pieces_start(&in->pieces);
  return true;
}

/* The answer: once it is on its way the data may come, and after the release the receive may be gone. */
static enum tsr_work_result step_clear(struct tsr_work *work) {
  tsr_incoming *in = (tsr_incoming *)((char *)work - offsetof(tsr_incoming, work));
  if (in->wire_tag < 0 && !post_receives(in)) return TSR_WORK_RETRY;
  struct tsr_note answer = {.source = tsr_place.self, .form = TSR_NOTE_CLEAR, .bytes = in->wanted, .number = in->number,
                            .wire_tag = (uint32_t)TSR_TAG_P2P + (uint32_t)in->wire_tag};
  struct tsr_net_request request = request_for(in->source, &answer);
  if (tsr_net->request(&request) == TESSERA_ERR_AGAIN) return TSR_WORK_RETRY;
  tsr_pieces_release(&in->pieces);
  return TSR_WORK_OVER;
}

void tsr_far_accept(tsr_incoming *in, const struct tsr_note *note) {
  in->number = note->number;
  in->wire_tag = -1;
  in->work.step = step_clear;
  tsr_work_add(&in->work);
}

void tsr_far_stop(void) {
  tsr_pool_finish(&sends);
  sends_ready = false;
  memset(tag_in_use, 0, sizeof tag_in_use);
}

__attribute__((constructor)) static void register_handler(void) { tsr_net_register(TSR_H_MESSAGE, serve); }
