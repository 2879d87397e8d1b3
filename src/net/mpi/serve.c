#include "net/mpi/serve.h"

#include <stdlib.h>

#include "net/mpi/acks.h"
#include "net/mpi/job.h"

enum { INBOXES_N = 16 /* requests that MPI can put where they belong while nobody looks */ };

/* Receives for requests, in a circle. MPI fills them in the order in which they were posted, and they are taken in
 * that order: so requests of one origin are served in the order in which it started them. */
struct inbox {
  MPI_Request request;
  struct tsr_mpi_header *message;
};

static struct {
  struct inbox inboxes[INBOXES_N];
  int head; /* the oldest */
  char *buffers;
  int room; /* of one, as all have agreed; who tries out lower limits for what it sends changes tsr_net_limits */
} target;

bool tsr_mpi_serve_start(void) {
  size_t room = tsr_mpi_message_room();
  target.buffers = aligned_alloc(TSR_MPI_ALIGN, INBOXES_N * room);
  if (!target.buffers) return false;
  for (int i = 0; i < INBOXES_N; i++) {
    target.inboxes[i].message = (struct tsr_mpi_header *)(target.buffers + (size_t)i * room);
    target.inboxes[i].request = MPI_REQUEST_NULL;
  }
  return true;
}

static void post(struct inbox *inbox) {
  tsr_mpi_check(MPI_Irecv(inbox->message, target.room, MPI_BYTE, MPI_ANY_SOURCE, TSR_MPI_TAG_REQUEST, tsr_mpi.requests,
                          &inbox->request),
                "MPI_Irecv of a request");
}

void tsr_mpi_serve_open(void) {
  target.head = 0;
  target.room = (int)tsr_mpi_message_most();
  for (int i = 0; i < INBOXES_N; i++) post(&target.inboxes[i]);
}

/* A receive that has met a message all the same is complete: its wait ends, too. */
void tsr_mpi_serve_stop(void) {
  if (!target.buffers) return;
  for (int i = 0; i < INBOXES_N; i++) {
    if (target.inboxes[i].request != MPI_REQUEST_NULL) MPI_Cancel(&target.inboxes[i].request);
  }
  for (int i = 0; i < INBOXES_N; i++) MPI_Wait(&target.inboxes[i].request, MPI_STATUS_IGNORE);
  free(target.buffers);
  target.buffers = NULL;
}

/* Of the acknowledgements at the end. */
static size_t riders_bytes(const struct tsr_mpi_header *header, size_t bytes) { return bytes - tsr_mpi_message_bytes(header); }

/* What is wrong with a message of `bytes`; NULL: nothing. */
static const char *fault_of(const struct tsr_mpi_header *header, size_t bytes) {
  if (bytes < sizeof *header) return "is shorter than a header";
  if (header->magic != TSR_MPI_MAGIC) return "does not start with our mark";
  if (bytes < tsr_mpi_message_bytes(header)) return "is shorter than it says";
  if (riders_bytes(header, bytes) % sizeof(uint16_t) || riders_bytes(header, bytes) > TSR_MPI_RIDERS_MAX * sizeof(uint16_t))
    return "is longer than it says";
  if (header->handler >= TSR_NET_HANDLERS_MAX || !tsr_net_handlers[header->handler])
    return "names a handler that does not exist";
  if (header->slot >= TSR_MPI_SLOTS_MAX) return "names a slot that cannot exist";
  if (header->payload_bytes > tsr_net_limits.payload_bytes) return "announces a longer payload than there may be";
  if (header->beside && header->bulk_bytes) return "announces both bulk and a long payload";
  if (header->bulk_bytes > tsr_net_limits.chunk_bytes) return "announces more bulk than one piece may have";
  if (header->reply_bytes > tsr_net_limits.chunk_bytes) return "asks for more than one piece may have";
  return NULL;
}

static void validate(const struct tsr_mpi_header *header, int rank, size_t bytes) {
  const char *fault = fault_of(header, bytes);
  if (!fault) return;
  tsr_mpi_fatal("a request of %zu bytes from rank %d %s; " TSR_MPI_ONE_BUILD, bytes, rank, fault);
}

static void take_riders(const struct tsr_mpi_header *header, int rank, size_t bytes) {
  size_t riders = riders_bytes(header, bytes);
  if (riders) tsr_mpi_acks_rode(rank, (const char *)header + bytes - riders, riders);
}

_Noreturn static void fail_receive(struct inbox *inbox, int code) {
  inbox->request = MPI_REQUEST_NULL; /* MPI has taken it back, but only some say so */
  if (tsr_mpi_is_truncation(code))
    tsr_mpi_fatal("a request is longer than the eager limit of %zu bytes; " TSR_MPI_ONE_BUILD, tsr_net_limits.eager_bytes);
  tsr_mpi_failed(code, "receiving a request");
}

/* Serves the oldest inbox and posts it again, as the youngest. False: nothing has arrived there. */
static bool take_oldest(void) {
  struct inbox *inbox = &target.inboxes[target.head];
  MPI_Status status;
  int arrived = 0, bytes = 0;
  int code = MPI_Test(&inbox->request, &arrived, &status);
  if (code != MPI_SUCCESS) fail_receive(inbox, code);
  if (!arrived) return false;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  validate(inbox->message, status.MPI_SOURCE, (size_t)bytes);
  take_riders(inbox->message, status.MPI_SOURCE, (size_t)bytes);
  tsr_mpi_job_begin(inbox->message, status.MPI_SOURCE);
  post(inbox);
  target.head = (target.head + 1) % INBOXES_N;
  return true;
}

int tsr_mpi_serve_poll(void) {
  int taken_n = 0;
  while (taken_n < INBOXES_N && tsr_mpi_jobs_have_room() && take_oldest()) taken_n++;
  return taken_n;
}
