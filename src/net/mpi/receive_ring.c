#include "net/mpi/receive_ring.h"

#include "net/mpi/pending.h"

static void on_arrived(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct tsr_mpi_inbox *inbox = arg;
  inbox->bytes = bytes;
  inbox->arrived = true;
}

static void post_receive(const struct tsr_mpi_receive_ring *ring, struct tsr_mpi_inbox *inbox) {
  inbox->arrived = false;
  tsr_mpi_pending_receive(tsr_mpi.requests, inbox->message,
                          (struct tsr_mpi_pending){.done = on_arrived, .arg = inbox, .what = ring->what,
                                                   .bytes = ring->most, .rank = MPI_ANY_SOURCE, .tag = ring->tag,
                                                   .source = &inbox->rank});
}

void tsr_mpi_receive_ring_open(struct tsr_mpi_receive_ring *ring) {
  ring->head = 0;
  for (int i = 0; i < ring->n; i++) post_receive(ring, &ring->inboxes[i]);
}

struct tsr_mpi_inbox *tsr_mpi_receive_ring_oldest(struct tsr_mpi_receive_ring *ring) {
  struct tsr_mpi_inbox *oldest = &ring->inboxes[ring->head];
  return oldest->arrived ? oldest : NULL;
}

void tsr_mpi_receive_ring_taken(struct tsr_mpi_receive_ring *ring) {
  post_receive(ring, &ring->inboxes[ring->head]);
  ring->head = (ring->head + 1) % ring->n;
}
