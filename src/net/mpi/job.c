#include "net/mpi/job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "net/mpi/acks.h"
#include "net/mpi/delay.h"
#include "net/mpi/long.h"
#include "net/mpi/pending.h"

enum { JOBS_N = 64 /* whose bulk or reply is under way in MPI at once; also how many are made at once */ };

struct job {
  struct job *next; /* of the free ones, or of those that wait for their order */
  void *scratch;                  /* in which replies are made; NULL until the first one */
  void *long_scratch;             /* instead, until the reply is sent; else NULL */
  struct tsr_mpi_header *message; /* its own copy, while the handler has to wait; else NULL. One with a long payload lies
                                   * in a buffer for such */
  void *bulk;
  const void *reply;
  size_t bulk_bytes, reply_bytes, reply_room;
  int rank;
  uint16_t slot;
  bool ordered, patient;
  uint8_t awaited_n; /* before the reply: bulk, a late answer */
};

/* Ordered requests of one origin: at most one is under way, the later ones wait. MPI brings them in the order in which
 * they were started, so they need no numbers. */
struct line {
  bool busy, advancing;
  struct job *first, *last;
};

struct slab {
  struct slab *next;
  struct job jobs[JOBS_N];
};

static struct {
  struct slab *slabs;
  struct job *free;
  struct line *lines; /* by rank */
  int moving_n;       /* jobs whose bulk or reply is under way */
} target;

/* Jobs that wait for their order or a late answer do not count as moving, so that nobody's wait can keep out what ends
 * it; the buffers of the origins bound them. */
static bool add_slab(void) {
  struct slab *slab = calloc(1, sizeof *slab);
  if (!slab) return false;
  slab->next = target.slabs;
  target.slabs = slab;
  for (int i = JOBS_N - 1; i >= 0; i--) {
    slab->jobs[i].next = target.free;
    target.free = &slab->jobs[i];
  }
  return true;
}

bool tsr_mpi_jobs_start(void) {
  target.moving_n = 0;
  target.lines = calloc((size_t)tsr_mpi.ranks_n, sizeof *target.lines);
  return target.lines && add_slab();
}

void tsr_mpi_jobs_stop(void) {
  for (struct slab *slab; (slab = target.slabs);) {
    target.slabs = slab->next;
    for (int i = 0; i < JOBS_N; i++) {
      free(slab->jobs[i].message);
      free(slab->jobs[i].scratch);
      free(slab->jobs[i].long_scratch);
    }
    free(slab);
  }
  free(target.lines);
  target.lines = NULL;
  target.free = NULL;
}

bool tsr_mpi_jobs_have_room(void) { return target.moving_n < JOBS_N; }

_Noreturn static void no_memory(int rank) {
  tsr_mpi_fatal("no private memory to serve one more request of rank %d; lower TESSERA_WIRE_BUFFERS or "
                "TESSERA_EAGER_LIMIT", rank);
}

static struct job *take_job(const struct tsr_mpi_header *message, int rank) {
  if (!target.free && !add_slab()) no_memory(rank);
  struct job *job = target.free;
  target.free = job->next;
  job->rank = rank;
  job->slot = message->slot;
  job->ordered = message->ordered;
  job->patient = message->patient;
  job->bulk_bytes = message->bulk_bytes;
  job->reply_room = message->reply_bytes;
  return job;
}

static void advance_line(struct line *line);

static void end_job(struct job *job) {
  struct line *line = job->ordered ? &target.lines[job->rank] : NULL;
  target.moving_n--;
  tsr_mpi_long_give(job->long_scratch);
  job->long_scratch = NULL;
  job->next = target.free;
  target.free = job;
  if (!line) return;
  line->busy = false;
  advance_line(line);
}

static void on_replied(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  end_job(arg);
}

static void send_reply(struct job *job) {
  if (!job->reply_room) {
    tsr_mpi_ack(job->rank, job->slot, job->patient);
    end_job(job);
    return;
  }
  struct tsr_mpi_pending pending = {.done = on_replied, .arg = job, .what = "a reply", .rank = job->rank,
                                    .bytes = job->reply_bytes, .tag = TSR_MPI_TAG_REPLY + job->slot};
  if (tsr_mpi_pending_send_at_once(tsr_mpi.requests, job->reply, pending)) end_job(job);
}

static void set_reply(struct job *job, const void *reply, size_t bytes) {
  if (bytes > job->reply_room)
    tsr_mpi_fatal("a handler answers %zu bytes to rank %d, which has room for %zu", bytes, job->rank, job->reply_room);
  job->reply = reply;
  job->reply_bytes = bytes;
}

static void one_came(struct job *job) {
  if (--job->awaited_n == 0) send_reply(job);
}

void tsr_mpi_job_answer(void *arg, const void *reply, size_t bytes) {
  struct job *job = arg;
  assert(job->awaited_n > 0);
  set_reply(job, reply, bytes);
  target.moving_n++;
  one_came(job);
}

static void on_bulk(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct job *job = arg;
  if (bytes != job->bulk_bytes)
    tsr_mpi_fatal("bulk from rank %d has %zu bytes, not the %zu that its request announced", job->rank, bytes,
                  job->bulk_bytes);
  one_came(job);
}

static void receive_bulk(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  struct job *job = arg;
  tsr_mpi_pending_receive(tsr_mpi.requests, job->bulk,
                          (struct tsr_mpi_pending){.done = on_bulk, .arg = job, .what = "bulk", .rank = job->rank,
                                                   .bytes = job->bulk_bytes, .tag = TSR_MPI_TAG_BULK + job->slot});
}

static void run_handler(struct job *job, struct tsr_mpi_header *message, struct tsr_net_out *out) {
  struct tsr_net_in in = {job->rank, message->args, message + 1, message->payload_bytes, job->bulk_bytes,
                          job->reply_room, job};
  tsr_net_handlers[message->handler](&in, out);
  if (in.bulk_bytes && !out->bulk)
    tsr_mpi_fatal("handler %d gave no place for %zu bytes of bulk from rank %d", message->handler, in.bulk_bytes,
                  job->rank);
}

/* A reply that could have been made in a buffer, but lies in a heap, leaves its pages untouched. */
static void give_scratch(struct job *job, struct tsr_net_out *out) {
  size_t eager = tsr_net_limits.eager_bytes, room = job->reply_room;
  if (!room) return;
  if (room > eager && room <= tsr_net_limits.payload_bytes) {
    out->scratch = job->long_scratch = tsr_mpi_long_take(job->rank);
    out->scratch_bytes = room;
  } else {
    if (!job->scratch) job->scratch = aligned_alloc(TSR_MPI_ALIGN, tsr_mpi_message_room());
    if (!job->scratch) no_memory(job->rank);
    out->scratch = job->scratch;
    out->scratch_bytes = room < eager ? room : eager;
  }
}

static void run(struct job *job, struct tsr_mpi_header *message) {
  struct tsr_net_out out = {0};
  give_scratch(job, &out);
  job->awaited_n = 0;
  target.moving_n++;
  run_handler(job, message, &out);
  set_reply(job, out.reply, out.later ? 0 : out.reply_bytes);
  job->bulk = out.bulk;
  job->awaited_n = (uint8_t)((job->bulk_bytes > 0) + out.later);
  target.moving_n -= out.later;
  if (!job->awaited_n) send_reply(job);
  else if (!job->bulk_bytes) return;
  else if (tsr_mpi_delay_wanted()) tsr_mpi_delay(receive_bulk, job, 0);
  else receive_bulk(job, TSR_NET_LOCAL, 0);
}

/* The job may be another request's when its handler has run. */
static void run_kept(struct job *job) {
  struct tsr_mpi_header *message = job->message;
  job->message = NULL;
  run(job, message);
  if (message->beside) tsr_mpi_long_give(message);
  else free(message);
}

static void on_payload(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct job *job = arg;
  if (bytes != job->message->payload_bytes)
    tsr_mpi_fatal("a payload from rank %d has %zu bytes, not the %u that its request announced", job->rank, bytes,
                  (unsigned)job->message->payload_bytes);
  target.moving_n--;
  run_kept(job);
}

static void receive_payload(struct job *job, const struct tsr_mpi_header *message) {
  struct tsr_mpi_header *landing = tsr_mpi_long_take(job->rank);
  *landing = *message;
  free(job->message);
  job->message = landing;
  target.moving_n++;
  tsr_mpi_pending_receive(tsr_mpi.requests, landing + 1,
                          (struct tsr_mpi_pending){.done = on_payload, .arg = job, .what = "a long payload", .rank = job->rank,
                                                   .bytes = landing->payload_bytes, .tag = TSR_MPI_TAG_BULK + job->slot});
}

/* `message` is the job's own copy, or the inbox's. */
static void start(struct job *job, struct tsr_mpi_header *message) {
  if (message->beside) receive_payload(job, message);
  else if (job->message) run_kept(job);
  else run(job, message);
}

/* One that ends at once makes way for the next one here, however many they are. */
static void advance_line(struct line *line) {
  if (line->advancing) return;
  line->advancing = true;
  while (!line->busy && line->first) {
    struct job *job = line->first;
    line->first = job->next;
    line->busy = true;
    start(job, job->message);
  }
  line->advancing = false;
}

static bool must_wait(const struct line *line) { return line->busy || line->first; }

static void keep_message(struct job *job, const struct tsr_mpi_header *message) {
  if (job->message) return;
  size_t bytes = tsr_mpi_message_bytes(message);
  job->message = aligned_alloc(TSR_MPI_ALIGN, (bytes + TSR_MPI_ALIGN - 1) / TSR_MPI_ALIGN * TSR_MPI_ALIGN);
  if (!job->message) no_memory(job->rank);
  memcpy(job->message, message, bytes);
}

static void queue(struct line *line, struct job *job) {
  job->next = NULL;
  if (line->first) line->last->next = job;
  else line->first = job;
  line->last = job;
}

static void admit(struct job *job, struct tsr_mpi_header *message) {
  struct line *line = &target.lines[job->rank];
  if (job->ordered && must_wait(line)) {
    keep_message(job, message);
    queue(line, job);
    return;
  }
  if (job->ordered) line->busy = true;
  start(job, message);
}

static void on_due(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  struct job *job = arg;
  admit(job, job->message);
}

void tsr_mpi_job_begin(struct tsr_mpi_header *message, int rank) {
  struct job *job = take_job(message, rank);
  if (!tsr_mpi_delay_wanted()) {
    admit(job, message);
    return;
  }
  keep_message(job, message);
  tsr_mpi_delay(on_due, job, 0);
}
