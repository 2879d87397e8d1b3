#include "p2p/pieces.h"

#include "net/net.h"

enum { WINDOW_N = 4 /* pieces in progress, so that the transport always has a next one */ };

/* A short block goes in pieces that the transport sends at once, without asking its receiver first. */
static size_t most_bytes(const struct tsr_pieces *p) {
  return tsr_net_is_short(p->bytes) ? tsr_net_limits.at_once_bytes : tsr_net_limits.chunk_bytes;
}

/* asked_n: pieces that may be started. The thread that raises it from 0 starts them, also for threads that raise it
 * meanwhile. Therefore sends and receives of pieces start in order, and no lock is held while the transport takes its own.
 * held_n: pieces in progress, and threads that access the object. */

static void piece_done(void *arg, enum tsr_net_event event, size_t bytes);

static void start_next(struct tsr_pieces *p) {
  if (p->ended) return;
  const size_t left = p->bytes - p->at, most = most_bytes(p), bytes = left < most ? left : most;
  char *data = p->data + p->at;
  p->at += bytes;
  p->ended = p->at == p->bytes;
  atomic_fetch_add(&p->held_n, 1);
  const struct tsr_net_message piece = {
      .rank = p->rank, .tag = p->tag, .bytes = bytes, .done = piece_done, .done_arg = p,
      .synchronous = !tsr_net_is_short(p->bytes) || p->ended, /* of a short block the last piece is matched last */
  };
  if (p->receives) tsr_net->receive(data, &piece);
  else tsr_net->send(data, &piece);
}

static void request_pieces(struct tsr_pieces *p, uint32_t n) {
  if (atomic_fetch_add(&p->asked_n, n) > 0) return;
  do start_next(p);
  while (atomic_fetch_sub(&p->asked_n, 1) > 1);
}

void tsr_pieces_release(struct tsr_pieces *p) {
  if (atomic_fetch_sub(&p->held_n, 1) == 1) p->done(p);
}

static void piece_done(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)bytes;
  if (event != TSR_NET_LOCAL) return;
  request_pieces(arg, 1);
  tsr_pieces_release(arg);
}

void tsr_pieces_start(struct tsr_pieces *p) {
  p->at = 0;
  p->ended = false;
  atomic_init(&p->asked_n, 0);
  atomic_init(&p->held_n, 1);
  request_pieces(p, WINDOW_N);
}
