#include "net/mpi/receive_ring.h"

#include "net/mpi/pending.h"

static void on_arrived(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct tsr_mpi_inbox *inbox = arg;
  inbox->bytes = bytes;
  inbox->arrived = true;
}

static struct tsr_mpi_arrival arrival_in(const struct tsr_mpi_receive_ring *ring, struct tsr_mpi_inbox *inbox) {
  return (struct tsr_mpi_arrival){.what = ring->what, .tag = ring->tag, .most = ring->most, .done = on_arrived, .arg = inbox,
                                  .source = &inbox->rank};
}

static void post_receive(const struct tsr_mpi_receive_ring *ring, struct tsr_mpi_inbox *inbox) {
  struct tsr_mpi_arrival arrival = arrival_in(ring, inbox);
  inbox->arrived = false;
  inbox->request = tsr_mpi_pending_post(inbox->message, &arrival);
}

/* From here on polls test it. */
static void follow_oldest(struct tsr_mpi_receive_ring *ring, bool at_once) {
  struct tsr_mpi_inbox *oldest = &ring->inboxes[ring->head];
  struct tsr_mpi_arrival arrival = arrival_in(ring, oldest);
  tsr_mpi_pending_follow(oldest->request, &arrival, at_once);
  oldest->request = MPI_REQUEST_NULL;
}

void tsr_mpi_receive_ring_open(struct tsr_mpi_receive_ring *ring) {
  ring->head = ring->owed_n = 0;
  for (int i = 0; i < ring->n; i++) post_receive(ring, &ring->inboxes[i]);
  follow_oldest(ring, false);
  ring->open = true;
}

void tsr_mpi_receive_ring_close(struct tsr_mpi_receive_ring *ring) {
  for (int i = 0; ring->open && i < ring->n; i++) {
    MPI_Request *request = &ring->inboxes[i].request;
    if (*request != MPI_REQUEST_NULL) MPI_Cancel(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  ring->open = false;
}

struct tsr_mpi_inbox *tsr_mpi_receive_ring_oldest(struct tsr_mpi_receive_ring *ring) {
  struct tsr_mpi_inbox *oldest = &ring->inboxes[ring->head];
  return oldest->arrived ? oldest : NULL;
}

void tsr_mpi_receive_ring_repost(struct tsr_mpi_receive_ring *ring) {
  for (; ring->owed_n > 0; ring->owed_n--) post_receive(ring, &ring->inboxes[(ring->head + ring->n - ring->owed_n) % ring->n]);
}

void tsr_mpi_receive_ring_taken(struct tsr_mpi_receive_ring *ring, bool at_once) {
  ring->head = (ring->head + 1) % ring->n;
  ring->owed_n++;
  if (2 * ring->owed_n > ring->n) tsr_mpi_receive_ring_repost(ring);
  follow_oldest(ring, at_once);
}
