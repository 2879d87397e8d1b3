#include "net/mpi/serve.h"

#include <stdlib.h>

#include "net/mpi/pending.h"

enum {
  INBOXES_N = 16, /* requests that MPI can put where they belong while nobody looks */
  JOBS_N = 64     /* requests whose bulk or reply is under way; the next ones wait inside MPI */
};

/* Receives for requests, in a circle. MPI fills them in the order in which they were posted, and they are taken in
 * that order: so requests of one origin are served in the order in which it started them. */
struct inbox {
  MPI_Request request;
  struct tsr_mpi_header *message;
};

/* A request that its handler has seen: it waits for its bulk, then until its reply is sent. */
struct job {
  struct job *next_free;
  void *scratch;
  int rank;
  uint16_t slot;
  size_t bulk_bytes;
  const void *reply;
  size_t reply_bytes;
};

static struct {
  struct inbox inboxes[INBOXES_N];
  int head; /* the oldest */
  struct job jobs[JOBS_N], *free;
  char *buffers; /* of the inboxes, then scratch of the jobs */
} target;

bool tsr_mpi_serve_start(void) {
  size_t room = tsr_mpi_message_room();
  target.buffers = aligned_alloc(TSR_MPI_ALIGN, (INBOXES_N + JOBS_N) * room);
  if (!target.buffers) return false;
  for (int i = 0; i < INBOXES_N; i++) {
    target.inboxes[i].message = (struct tsr_mpi_header *)(target.buffers + (size_t)i * room);
    target.inboxes[i].request = MPI_REQUEST_NULL;
  }
  return true;
}

static void post(struct inbox *inbox) {
  int room = (int)(sizeof *inbox->message + tsr_net_limits.eager_bytes);
  tsr_mpi_check(MPI_Irecv(inbox->message, room, MPI_BYTE, MPI_ANY_SOURCE, TSR_MPI_TAG_REQUEST, tsr_mpi.requests,
                          &inbox->request),
                "MPI_Irecv of a request");
}

void tsr_mpi_serve_open(void) {
  size_t room = tsr_mpi_message_room();
  for (int i = JOBS_N - 1; i >= 0; i--) {
    target.jobs[i] = (struct job){.next_free = target.free, .scratch = target.buffers + (size_t)(INBOXES_N + i) * room};
    target.free = &target.jobs[i];
  }
  target.head = 0;
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
  target.free = NULL;
}

/* What is wrong with a message of `bytes`; NULL: nothing. */
static const char *fault_of(const struct tsr_mpi_header *header, size_t bytes) {
  if (bytes < sizeof *header) return "is shorter than a header";
  if (header->magic != TSR_MPI_MAGIC) return "does not start with our mark";
  if (bytes != sizeof *header + header->payload_bytes) return "has another length than it says";
  if (header->handler >= TSR_NET_HANDLERS_MAX || !tsr_net_handlers[header->handler])
    return "names a handler that does not exist";
  if (header->slot >= TSR_MPI_SLOTS_MAX) return "names a slot that cannot exist";
  if (header->bulk_bytes > tsr_net_limits.chunk_bytes) return "announces more bulk than one piece may have";
  if (header->reply_bytes > tsr_net_limits.chunk_bytes) return "asks for more than one piece may have";
  return NULL;
}

#define ONE_BUILD "all ranks must run the same build of Tessera, and no other code may use its communicators"

static void validate(const struct tsr_mpi_header *header, int rank, size_t bytes) {
  const char *fault = fault_of(header, bytes);
  if (!fault) return;
  tsr_mpi_fatal("a request of %zu bytes from rank %d %s; " ONE_BUILD, bytes, rank, fault);
}

static void give_job(struct job *job) {
  job->next_free = target.free;
  target.free = job;
}

static void on_replied(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  give_job(arg);
}

static void send_reply(struct job *job) {
  struct tsr_mpi_pending pending = {.done = on_replied, .arg = job, .what = "a reply", .rank = job->rank,
                                    .bytes = job->reply_bytes, .tag = TSR_MPI_TAG_REPLY + job->slot};
  if (tsr_mpi_pending_send_at_once(tsr_mpi.requests, job->reply, pending)) give_job(job);
}

static void on_bulk(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct job *job = arg;
  if (bytes != job->bulk_bytes)
    tsr_mpi_fatal("bulk from rank %d has %zu bytes, not the %zu that its request announced", job->rank, bytes,
                  job->bulk_bytes);
  send_reply(job);
}

static void receive_bulk(struct job *job, void *where) {
  tsr_mpi_pending_receive(tsr_mpi.requests, where,
                          (struct tsr_mpi_pending){.done = on_bulk, .arg = job, .what = "bulk", .rank = job->rank,
                                                   .bytes = job->bulk_bytes, .tag = TSR_MPI_TAG_BULK + job->slot});
}

static struct tsr_net_out run_handler(struct tsr_mpi_header *header, int rank, void *scratch) {
  struct tsr_net_in in = {rank, header->args, header + 1, header->payload_bytes, header->bulk_bytes,
                          header->reply_bytes};
  struct tsr_net_out out = {.scratch = scratch};
  tsr_net_handlers[header->handler](&in, &out);
  if (in.bulk_bytes && !out.bulk)
    tsr_mpi_fatal("handler %d gave no place for %zu bytes of bulk from rank %d", header->handler, in.bulk_bytes, rank);
  if (out.reply_bytes > in.reply_bytes)
    tsr_mpi_fatal("handler %d answers %zu bytes to rank %d, which has room for %zu", header->handler, out.reply_bytes,
                  rank, in.reply_bytes);
  return out;
}

static void serve(struct tsr_mpi_header *header, int rank) {
  struct job *job = target.free;
  target.free = job->next_free;
  struct tsr_net_out out = run_handler(header, rank, job->scratch);
  job->rank = rank;
  job->slot = header->slot;
  job->bulk_bytes = header->bulk_bytes;
  job->reply = out.reply;
  job->reply_bytes = out.reply_bytes;
  if (job->bulk_bytes) receive_bulk(job, out.bulk);
  else send_reply(job);
}

_Noreturn static void fail_receive(struct inbox *inbox, int code) {
  inbox->request = MPI_REQUEST_NULL; /* MPI has taken it back, but only some say so */
  if (tsr_mpi_is_truncation(code))
    tsr_mpi_fatal("a request is longer than the eager limit of %zu bytes; " ONE_BUILD, tsr_net_limits.eager_bytes);
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
  serve(inbox->message, status.MPI_SOURCE);
  post(inbox);
  target.head = (target.head + 1) % INBOXES_N;
  return true;
}

int tsr_mpi_serve_poll(void) {
  int taken_n = 0;
  while (taken_n < INBOXES_N && target.free && take_oldest()) taken_n++;
  return taken_n;
}
