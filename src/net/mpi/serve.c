#include "net/mpi/serve.h"

#include <stdlib.h>

#include "net/mpi/receive_ring.h"

enum {
  INBOXES_N = 8, /* requests that MPI can put in place between two polls (half of them while polls find some); also the most that
                  * one poll takes */
  ACKS_N = 2
};

static struct {
  struct tsr_mpi_receive_ring ring;
  char *buffers;
  bool streams; /* the last poll took requests */
} target;

static struct {
  struct tsr_mpi_receive_ring ring;
  _Alignas(TSR_WIRE_ALIGN) char messages[ACKS_N][TSR_WIRE_ACKS_MOST];
} origin;

bool tsr_mpi_serve_start(void) {
  size_t room = tsr_wire_message_room();
  target.buffers = aligned_alloc(TSR_WIRE_ALIGN, INBOXES_N * room);
  return target.buffers;
}

size_t tsr_mpi_serve_buffers_n(void) { return INBOXES_N; }

void tsr_mpi_serve_open(void) {
  target.ring = (struct tsr_mpi_receive_ring){
      .what = "a request", .tag = TSR_MPI_TAG_REQUEST, .n = INBOXES_N, .most = tsr_wire_message_most()};
  for (int i = 0; i < INBOXES_N; i++)
    target.ring.inboxes[i].message = target.buffers + (size_t)i * tsr_wire_message_room();
  tsr_mpi_receive_ring_open(&target.ring);
  origin.ring = (struct tsr_mpi_receive_ring){
      .what = "acknowledgements", .tag = TSR_MPI_TAG_ACK, .n = ACKS_N, .most = TSR_WIRE_ACKS_MOST};
  for (int i = 0; i < ACKS_N; i++) origin.ring.inboxes[i].message = origin.messages[i];
  tsr_mpi_receive_ring_open(&origin.ring);
}

void tsr_mpi_serve_stop(void) {
  tsr_mpi_receive_ring_close(&target.ring);
  tsr_mpi_receive_ring_close(&origin.ring);
  free(target.buffers);
  target.buffers = NULL;
}

static int poll_acks(void) {
  int taken_n = 0;
  struct tsr_mpi_inbox *inbox;
  for (; (inbox = tsr_mpi_receive_ring_oldest(&origin.ring)); taken_n++) {
    tsr_wire_acks_arrived(inbox->message, inbox->rank, inbox->bytes);
    tsr_mpi_receive_ring_taken(&origin.ring, false);
  }
  return taken_n;
}

/* A single request is answered before the next receive is tested, since a test polls the network. In a stream the acknowledgements
 * of several requests share a message. A poll ends after INBOXES_N requests, since other threads wait for the transport. */
static int poll_requests(void) {
  int taken_n = 0;
  struct tsr_mpi_inbox *inbox;
  while (taken_n < INBOXES_N && tsr_wire_has_room() && (inbox = tsr_mpi_receive_ring_oldest(&target.ring))) {
    tsr_wire_request_arrived(inbox->message, inbox->rank, inbox->bytes);
    taken_n++;
    tsr_mpi_receive_ring_taken(&target.ring, target.streams && taken_n < INBOXES_N);
  }
  target.streams = taken_n > 0;
  return taken_n;
}

int tsr_mpi_serve_poll(void) { return poll_acks() + poll_requests(); }

void tsr_mpi_serve_idle(void) {
  tsr_mpi_receive_ring_repost(&target.ring);
  tsr_mpi_receive_ring_repost(&origin.ring);
}
