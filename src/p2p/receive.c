#include <string.h>

#include "core/progress.h"
#include "p2p/far.h"
#include "p2p/inbox.h"
#include "p2p/near.h"

_Atomic uint32_t tsr_p2p_moving_n;

void tsr_incoming_accept(tsr_incoming *in, const struct tsr_note *note, const void *data) {
  in->source = TSR_UNIT(note->source);
  in->tag = note->tag;
  in->bytes = note->bytes;
  in->mark = note->mark;
  in->wanted = note->bytes < in->room ? note->bytes : in->room;
  in->moved = 0;
  if (note->form != TSR_NOTE_SMALL) tsr_p2p_moves();
  if (note->form == TSR_NOTE_NEAR) {
    tsr_near_accept(in, note);
  } else if (note->form == TSR_NOTE_OWN) {
    tsr_near_accept_own(in, note);
  } else if (note->form == TSR_NOTE_FAR) {
    tsr_far_accept(in, note);
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
