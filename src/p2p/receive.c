#include <string.h>

#include "core/progress.h"
#include "p2p/remote.h"
#include "p2p/inbox.h"
#include "p2p/local.h"

_Atomic uint32_t tsr_p2p_moving_n;

void tsr_incoming_accept(tsr_incoming *in, const struct tsr_envelope *envelope, const void *data) {
  in->source = TSR_UNIT(envelope->source);
  in->tag = envelope->tag;
  in->bytes = envelope->bytes;
  in->mark = envelope->mark;
  in->wanted = envelope->bytes < in->room ? envelope->bytes : in->room;
  in->moved = 0;
  if (envelope->form != TSR_ENVELOPE_SMALL) tsr_p2p_move_begins();
  if (envelope->form == TSR_ENVELOPE_LOCAL) {
    tsr_p2p_local_accept(in, envelope);
  } else if (envelope->form == TSR_ENVELOPE_SELF) {
    tsr_p2p_local_accept_self(in, envelope);
  } else if (envelope->form == TSR_ENVELOPE_REMOTE) {
    tsr_p2p_remote_accept(in, envelope, data);
  } else {
    if (in->wanted) memcpy(in->buffer, data, in->wanted);
    tsr_incoming_finish(in);
  }
}

static bool is_done(const void *arg) {
  return atomic_load_explicit(&((const tsr_incoming *)arg)->done, memory_order_acquire);
}

bool tsr_p2p_receive_test(tsr_incoming *in) {
  if (!is_done(in)) tsr_progress();
  return is_done(in);
}

void tsr_p2p_receive_wait(tsr_incoming *in) {
  const struct tsr_match_key *key = &in->entry.key;
  tsr_wait(is_done, in, tsr_p2p_receive_why(TSR_UNIT(key->source), key->tag));
}

void tsr_p2p_receive(tsr_incoming *in, tsr_unit from, enum tsr_p2p_context context, int32_t tag, void *buffer,
                     size_t room) {
  tsr_p2p_receive_start(in, from, context, tag, buffer, room);
  tsr_p2p_receive_wait(in);
}
