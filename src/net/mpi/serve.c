#include "net/mpi/serve.h"

#include <stdlib.h>

#include "net/mpi/acks.h"
#include "net/mpi/receive_ring.h"
#include "net/mpi/inbound.h"

enum { INBOXES_N = 8 /* requests that MPI can put in place between two polls; also the most that one poll takes */ };

static struct {
  struct tsr_mpi_receive_ring ring;
  char *buffers;
  bool streams; /* the last poll took requests */
} target;

bool tsr_mpi_serve_start(void) {
  size_t room = tsr_mpi_message_room();
  target.buffers = aligned_alloc(TSR_MPI_ALIGN, INBOXES_N * room);
  if (!target.buffers) return false;
  target.ring = (struct tsr_mpi_receive_ring){
      .what = "a request", .tag = TSR_MPI_TAG_REQUEST, .n = INBOXES_N, .most = tsr_mpi_message_most()};
  for (int i = 0; i < INBOXES_N; i++) target.ring.inboxes[i].message = target.buffers + (size_t)i * room;
  return true;
}

size_t tsr_mpi_serve_buffers_n(void) { return INBOXES_N; }

void tsr_mpi_serve_open(void) { tsr_mpi_receive_ring_open(&target.ring); }

void tsr_mpi_serve_stop(void) {
  tsr_mpi_receive_ring_close(&target.ring);
  free(target.buffers);
  target.buffers = NULL;
}

/* Of the acknowledgements at the end. */
static size_t piggybacked_bytes(const struct tsr_mpi_header *header, size_t bytes) {
  return bytes - tsr_mpi_message_bytes(header);
}

/* What is wrong with a message of `bytes`; NULL: nothing. */
static const char *fault_of(const struct tsr_mpi_header *header, size_t bytes) {
  if (bytes < sizeof *header) return "is shorter than a header";
  if (header->magic != TSR_MPI_MAGIC) return "does not start with our mark";
  if (bytes < tsr_mpi_message_bytes(header)) return "is shorter than it says";
  if (piggybacked_bytes(header, bytes) % sizeof(uint16_t) ||
      piggybacked_bytes(header, bytes) > TSR_MPI_PIGGYBACKED_MAX * sizeof(uint16_t))
    return "is longer than it says";
  if (header->handler >= TSR_NET_HANDLERS_MAX || !tsr_net_handlers[header->handler])
    return "names a handler that does not exist";
  if (header->slot >= TSR_MPI_SLOTS_MAX) return "names a slot that cannot exist";
  if (header->payload_bytes > tsr_net_limits.payload_bytes) return "announces a longer payload than there may be";
  if (header->out_of_line && header->bulk_bytes) return "announces both bulk and a long payload";
  if (header->bulk_bytes > tsr_net_limits.chunk_bytes) return "announces more bulk than one piece may have";
  if (header->reply_bytes > tsr_net_limits.chunk_bytes) return "asks for more than one piece may have";
  return NULL;
}

static void validate_request(const struct tsr_mpi_header *header, int rank, size_t bytes) {
  const char *fault = fault_of(header, bytes);
  if (!fault) return;
  tsr_mpi_fatal("TSR-0219 a request of %zu bytes from rank %d %s; " TSR_MPI_ONE_BUILD, bytes, rank, fault);
}

static void take_piggybacked(const struct tsr_mpi_header *header, int rank, size_t bytes) {
  size_t piggybacked = piggybacked_bytes(header, bytes);
  if (piggybacked) tsr_mpi_acks_take_piggybacked(rank, (const char *)header + bytes - piggybacked, piggybacked);
}

static void take_request(const struct tsr_mpi_inbox *inbox) {
  validate_request(inbox->message, inbox->rank, inbox->bytes);
  take_piggybacked(inbox->message, inbox->rank, inbox->bytes);
  tsr_mpi_inbound_begin(inbox->message, inbox->rank);
}

/* A single request is answered before the next receive is tested, since a test polls the network. In a stream the acknowledgements
 * of several requests share a message. A poll ends after some, since other threads wait for the transport. */
int tsr_mpi_serve_poll(void) {
  int taken_n = 0;
  struct tsr_mpi_inbox *inbox;
  while (taken_n < INBOXES_N && tsr_mpi_inbound_has_room() && (inbox = tsr_mpi_receive_ring_oldest(&target.ring))) {
    take_request(inbox);
    taken_n++;
    tsr_mpi_receive_ring_taken(&target.ring, target.streams && taken_n < INBOXES_N);
  }
  target.streams = taken_n > 0;
  return taken_n;
}
