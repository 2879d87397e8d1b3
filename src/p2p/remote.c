#include "p2p/remote.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/status.h"
#include "core/handlers.h"
#include "core/message.h"
#include "core/op.h"
#include "core/place.h"
#include "core/runtime.h"
#include "p2p/inbox.h"

enum { SMALL_BYTES = 32 << 10, WIRE_TAGS_N = 16384 };
_Static_assert((int)TSR_TAG_P2P + (int)WIRE_TAGS_N - 1 <= (int)TSR_NET_TAG_MAX, "wire tags exist");
_Static_assert((int)TSR_TAG_P2P + (int)WIRE_TAGS_N - 1 <= (int)UINT16_MAX, "they go into an envelope");

/* Wire tags of the long messages that this unit sends. A synchronous message ends when a receive has matched it. When a
 * tag is free, no message with it is left in the transport, so its next message cannot be confused with an earlier one.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool tag_in_use[WIRE_TAGS_N];
static int tag_next;

size_t tsr_p2p_remote_small_bytes(void) {
  return tsr_net_limits.eager_bytes < SMALL_BYTES ? tsr_net_limits.eager_bytes : SMALL_BYTES;
}

size_t tsr_p2p_remote_first_bytes(size_t bytes) {
  size_t most = tsr_p2p_remote_small_bytes();
  return bytes < most ? bytes : most;
}

/* The arguments of the request are the target unit and the envelope; the payload is the first data. */
static struct tsr_net_request request_for(tsr_unit to, const struct tsr_envelope *envelope, const void *data) {
  return (struct tsr_net_request){.rank = tsr_place_rank(to),
                                  .handler = TSR_H_MESSAGE,
                                  .delayed = true,
                                  .payload = data,
                                  .payload_bytes = tsr_p2p_remote_first_bytes(envelope->bytes),
                                  .args = {(uint64_t)to.id, (uint64_t)envelope->source << 32 | (uint32_t)envelope->tag,
                                           (uint64_t)envelope->mark << 48 | (uint64_t)envelope->wire_tag << 32 |
                                               (uint32_t)envelope->context << 16 | envelope->form,
                                           envelope->bytes}};
}

static struct tsr_envelope envelope_in(const uint64_t args[]) {
  return (struct tsr_envelope){.source = (int32_t)(args[1] >> 32),
                           .tag = (int32_t)args[1],
                           .mark = (uint16_t)(args[2] >> 48),
                           .wire_tag = (uint16_t)(args[2] >> 32),
                           .context = (uint16_t)(args[2] >> 16),
                           .form = (uint16_t)args[2],
                           .bytes = args[3]};
}

static void serve_message(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  struct tsr_envelope envelope = envelope_in(in->args);
  bool ours = in->args[0] == (uint64_t)tsr_place.self;
  bool sound = in->payload_bytes == tsr_p2p_remote_first_bytes(envelope.bytes) &&
               (envelope.form == TSR_ENVELOPE_SMALL
                    ? envelope.bytes == in->payload_bytes
                    : envelope.form == TSR_ENVELOPE_REMOTE && envelope.wire_tag - (uint32_t)TSR_TAG_P2P < WIRE_TAGS_N);
  if (!ours || !sound)
    tsr_abort(1, "TSR-0806 a request of rank %d carries a message of form %u for unit %llu, which is not a valid message for unit "
              "%d; " TSR_REMEDY_ONE_BUILD, in->rank, envelope.form, (unsigned long long)in->args[0], tsr_place.self);
  tsr_inbox_take(&envelope, in->payload);
}

/* Count the messages of interfaces whose acknowledgement is still to come. No flush of transfers waits for it, since a receiver may
 * compute for long before it acknowledges. */
static tsr_op unacknowledged[TSR_P2P_INTERFACES_N];

static bool are_acknowledged(const void *op) { return tsr_op_remote_done(op); }

void tsr_p2p_flush(enum tsr_p2p_context context) {
  const tsr_op *op = &unacknowledged[context];
  const int32_t n = (int32_t)atomic_load_explicit(&op->remote_n, memory_order_relaxed);
  tsr_wait(are_acknowledged, op, (struct tsr_wait_why){TSR_WAIT_MESSAGES, n, 0});
}

tessera_status_t tsr_p2p_remote_send(tsr_unit to, struct tsr_envelope *envelope, const void *data) {
  struct tsr_net_request request = request_for(to, envelope, data);
  return tsr_op_request(&unacknowledged[envelope->context], &request, NULL, NULL);
}

/* ---- sender of a long message ---- */

/* Negative: no tag is free. */
static int take_tag(void) {
  int tag = -1;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < WIRE_TAGS_N && tag < 0; i++, tag_next = (tag_next + 1) % WIRE_TAGS_N) {
    if (!tag_in_use[tag_next]) tag = tag_next;
  }
  if (tag >= 0) tag_in_use[tag] = true;
  pthread_mutex_unlock(&lock);
  return tag < 0 ? tag : (int)TSR_TAG_P2P + tag;
}

static void give_tag(int tag) {
  pthread_mutex_lock(&lock);
  tag_in_use[tag - (int)TSR_TAG_P2P] = false;
  pthread_mutex_unlock(&lock);
}

tessera_status_t tsr_p2p_remote_prepare(tsr_outgoing *out, struct tsr_envelope *envelope) {
  int tag = take_tag();
  if (tag < 0)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0807 this unit has %d long messages under way, which is the limit, and cannot send "
                    "one more to unit %d; wait for some of them first", WIRE_TAGS_N, out->to.id);
  envelope->form = TSR_ENVELOPE_REMOTE;
  envelope->wire_tag = (uint16_t)tag;
  tsr_p2p_move_begins(out->context);
  return TESSERA_OK;
}

static void all_sent(struct tsr_pieces *pieces) {
  give_tag(pieces->tag);
  tsr_outgoing_complete((tsr_outgoing *)((char *)pieces - offsetof(tsr_outgoing, pieces)));
}

static void send_data(tsr_outgoing *out, const struct tsr_envelope *envelope) {
  size_t first = tsr_p2p_remote_first_bytes(out->bytes);
  out->pieces = (struct tsr_pieces){.rank = out->to.id, .tag = (int)envelope->wire_tag, .data = (char *)out->data + first,
                                    .bytes = out->bytes - first, .done = all_sent};
  tsr_pieces_start(&out->pieces);
  tsr_pieces_release(&out->pieces);
}

bool tsr_p2p_remote_try(tsr_outgoing *out, const struct tsr_envelope *envelope) {
  struct tsr_net_request request = request_for(out->to, envelope, out->data);
  if (tsr_net->request(&request) == TESSERA_ERR_AGAIN) return false;
  if (envelope->form == TSR_ENVELOPE_REMOTE) send_data(out, envelope);
  return true;
}

tessera_status_t tsr_p2p_remote_offer(tsr_outgoing *out, struct tsr_envelope *envelope) {
  if (tsr_p2p_remote_prepare(out, envelope)) return TESSERA_ERR_MEMORY;
  struct tsr_net_request request = request_for(out->to, envelope, out->data);
  tessera_status_t status = tsr_op_request(&unacknowledged[envelope->context], &request, NULL, NULL);
  if (!status) {
    send_data(out, envelope);
    return TESSERA_OK;
  }
  tsr_p2p_move_ends(out->context);
  give_tag((int)envelope->wire_tag);
  return status;
}

/* ---- receiver of a long message ---- */

/* Whether the receive has room for the whole message. If not, all pieces go into a bounce buffer. */
static bool has_room(const tsr_incoming *in) { return in->wanted == in->bytes; }

static void all_received(struct tsr_pieces *pieces) {
  tsr_incoming *in = (tsr_incoming *)((char *)pieces - offsetof(tsr_incoming, pieces));
  size_t first = tsr_p2p_remote_first_bytes(in->bytes);
  if (!has_room(in)) {
    if (in->wanted > first) tsr_copy((char *)in->buffer + first, pieces->data, in->wanted - first);
    free(pieces->data);
  }
  tsr_incoming_complete(in);
}

static char *make_bounce(const tsr_incoming *in, size_t bytes) {
  char *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    tsr_abort(1, "TSR-0808 no private memory for a message of %zu bytes from unit %d with tag %d, of which the receive takes %zu; "
              "receive the message into a buffer of its whole size", in->bytes, in->source.id, in->tag, in->wanted);
  return memory;
}

void tsr_p2p_remote_accept(tsr_incoming *in, const struct tsr_envelope *envelope, const void *first) {
  size_t first_bytes = tsr_p2p_remote_first_bytes(in->bytes), rest = in->bytes - first_bytes;
  size_t wanted = in->wanted < first_bytes ? in->wanted : first_bytes;
  in->pieces = (struct tsr_pieces){.receives = true, .rank = in->source.id, .tag = (int)envelope->wire_tag,
                                   .data = has_room(in) ? (char *)in->buffer + first_bytes : make_bounce(in, rest),
                                   .bytes = rest, .done = all_received};
  tsr_pieces_start(&in->pieces);
  if (wanted) tsr_copy(in->buffer, first, wanted);
  tsr_pieces_release(&in->pieces);
}

void tsr_p2p_remote_stop(void) { memset(tag_in_use, 0, sizeof tag_in_use); }

__attribute__((constructor)) static void register_handler(void) { tsr_net_register(TSR_H_MESSAGE, serve_message); }
