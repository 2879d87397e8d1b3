#include "net/mpi/inbound.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "net/mpi/acks.h"
#include "net/mpi/delay.h"
#include "net/mpi/long.h"
#include "net/mpi/pending.h"

enum { INBOUND_N = 64 /* whose bulk or reply is under way in MPI at once; also how many are made at once */ };

struct inbound {
  struct inbound *next; /* of the free ones, or of those that wait for their order */
  void *scratch;                  /* in which replies are made; NULL until the first one */
  void *long_scratch;             /* instead, until the reply is sent; else NULL */
  struct tsr_mpi_header *message; /* its own copy, while the handler has to wait; else NULL. One with a long payload lies
                                   * in a buffer for such */
  void *bulk;
  const void *reply;
  size_t bulk_bytes, reply_bytes, reply_room;
  int rank;
  uint16_t slot;
  bool ordered, delayed;
  uint8_t awaited_n; /* before the reply: bulk, a late answer */
};

/* Ordered requests of one origin: at most one is under way, the later ones wait. MPI brings them in the order in which
 * they were started, so they need no numbers. */
struct line {
  bool busy, advancing;
  struct inbound *first, *last;
};

/* A block for the copy of a request that waits, while it is free. */
struct copy {
  struct copy *next;
};

struct slab {
  struct slab *next;
  struct inbound inbounds[INBOUND_N];
};

static struct {
  struct slab *slabs;
  struct inbound *free;
  tsr_table lines; /* by rank */
  struct copy *copies; /* free ones */
  int moving_n;    /* jobs whose bulk or reply is under way */
} target;

/* Jobs that wait for their order or a late answer do not count as moving, so that nobody's wait can keep out what ends
 * it; the buffers of the origins bound them. */
static bool add_slab(void) {
  struct slab *slab = calloc(1, sizeof *slab);
  if (!slab) return false;
  slab->next = target.slabs;
  target.slabs = slab;
  for (int i = INBOUND_N - 1; i >= 0; i--) {
    slab->inbounds[i].next = target.free;
    target.free = &slab->inbounds[i];
  }
  return true;
}

size_t tsr_mpi_jobs_bytes(int ranks_n) {
  return sizeof(struct slab) + tsr_table_bytes((uint32_t)ranks_n, sizeof(struct line), 0);
}

bool tsr_mpi_inbound_start(void) {
  target.moving_n = 0;
  target.lines = tsr_table_make((uint32_t)tsr_mpi.ranks_n, sizeof(struct line));
  return target.lines.blocks && add_slab();
}

void tsr_mpi_inbound_stop(void) {
  for (struct slab *slab; (slab = target.slabs);) {
    target.slabs = slab->next;
    for (int i = 0; i < INBOUND_N; i++) {
      free(slab->inbounds[i].message);
      free(slab->inbounds[i].scratch);
      free(slab->inbounds[i].long_scratch);
    }
    free(slab);
  }
  for (struct copy *copy; (copy = target.copies);) {
    target.copies = copy->next;
    free(copy);
  }
  tsr_table_free(&target.lines);
  target.free = NULL;
}

bool tsr_mpi_inbound_has_room(void) { return target.moving_n < INBOUND_N; }

_Noreturn static void no_memory(int rank) {
  tsr_mpi_fatal("no private memory to serve one more request of rank %d; lower TESSERA_WIRE_BUFFERS or "
                "TESSERA_EAGER_LIMIT", rank);
}

static struct inbound *take_inbound(const struct tsr_mpi_header *message, int rank) {
  if (!target.free && !add_slab()) no_memory(rank);
  struct inbound *inbound = target.free;
  target.free = inbound->next;
  inbound->rank = rank;
  inbound->slot = message->slot;
  inbound->ordered = message->ordered;
  inbound->delayed = message->delayed;
  inbound->bulk_bytes = message->bulk_bytes;
  inbound->reply_room = message->reply_bytes;
  return inbound;
}

static struct line *line_of(int rank) {
  struct line *line = tsr_table_use(&target.lines, (uint32_t)rank);
  if (!line) no_memory(rank);
  return line;
}

static void advance_line(struct line *line);

static void end_job(struct inbound *inbound) {
  struct line *line = inbound->ordered ? line_of(inbound->rank) : NULL;
  target.moving_n--;
  tsr_mpi_long_give(inbound->long_scratch);
  inbound->long_scratch = NULL;
  inbound->next = target.free;
  target.free = inbound;
  if (!line) return;
  line->busy = false;
  advance_line(line);
}

static void on_replied(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  end_job(arg);
}

static void send_reply(struct inbound *inbound) {
  if (!inbound->reply_room) {
    tsr_mpi_ack(inbound->rank, inbound->slot, inbound->delayed);
    end_job(inbound);
    return;
  }
  struct tsr_mpi_pending pending = {.done = on_replied, .arg = inbound, .what = "a reply", .rank = inbound->rank,
                                    .bytes = inbound->reply_bytes, .tag = TSR_MPI_TAG_REPLY + inbound->slot};
  if (tsr_mpi_pending_send_at_once(tsr_mpi.requests, inbound->reply, pending)) end_job(inbound);
}

static void set_reply(struct inbound *inbound, const void *reply, size_t bytes) {
  if (bytes > inbound->reply_room)
    tsr_mpi_fatal("a handler answers %zu bytes to rank %d, which has room for %zu", bytes, inbound->rank,
                  inbound->reply_room);
  inbound->reply = reply;
  inbound->reply_bytes = bytes;
}

static void one_came(struct inbound *inbound) {
  if (--inbound->awaited_n == 0) send_reply(inbound);
}

void tsr_mpi_inbound_answer(void *arg, const void *reply, size_t bytes) {
  struct inbound *inbound = arg;
  assert(inbound->awaited_n > 0);
  set_reply(inbound, reply, bytes);
  target.moving_n++;
  one_came(inbound);
}

static void on_bulk(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct inbound *inbound = arg;
  if (bytes != inbound->bulk_bytes)
    tsr_mpi_fatal("bulk from rank %d has %zu bytes, not the %zu that its request announced", inbound->rank, bytes,
                  inbound->bulk_bytes);
  one_came(inbound);
}

static void receive_bulk(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  struct inbound *inbound = arg;
  tsr_mpi_pending_receive(tsr_mpi.requests, inbound->bulk,
                          (struct tsr_mpi_pending){.done = on_bulk,
                                                   .arg = inbound,
                                                   .what = "bulk",
                                                   .rank = inbound->rank,
                                                   .bytes = inbound->bulk_bytes,
                                                   .tag = TSR_MPI_TAG_BULK + inbound->slot});
}

static void run_handler(struct inbound *inbound, struct tsr_mpi_header *message, struct tsr_net_out *out) {
  struct tsr_net_in in = {inbound->rank, message->args, message + 1, message->payload_bytes, inbound->bulk_bytes,
                          inbound->reply_room, inbound};
  tsr_net_handlers[message->handler](&in, out);
  if (in.bulk_bytes && !out->bulk)
    tsr_mpi_fatal("handler %d gave no place for %zu bytes of bulk from rank %d", message->handler, in.bulk_bytes,
                  inbound->rank);
}

/* A reply that could have been made in a buffer, but lies in a heap, leaves its pages untouched. */
static void give_scratch(struct inbound *inbound, struct tsr_net_out *out) {
  size_t eager = tsr_net_limits.eager_bytes, room = inbound->reply_room;
  if (!room) return;
  if (room > eager && room <= tsr_net_limits.payload_bytes) {
    out->scratch = inbound->long_scratch = tsr_mpi_long_take(inbound->rank);
    out->scratch_bytes = room;
  } else {
    if (!inbound->scratch) inbound->scratch = aligned_alloc(TSR_MPI_ALIGN, tsr_mpi_message_room());
    if (!inbound->scratch) no_memory(inbound->rank);
    out->scratch = inbound->scratch;
    out->scratch_bytes = room < eager ? room : eager;
  }
}

static void run(struct inbound *inbound, struct tsr_mpi_header *message) {
  struct tsr_net_out out = {0};
  give_scratch(inbound, &out);
  inbound->awaited_n = 0;
  target.moving_n++;
  run_handler(inbound, message, &out);
  set_reply(inbound, out.reply, out.later ? 0 : out.reply_bytes);
  inbound->bulk = out.bulk;
  inbound->awaited_n = (uint8_t)((inbound->bulk_bytes > 0) + out.later);
  target.moving_n -= out.later;
  if (!inbound->awaited_n) send_reply(inbound);
  else if (!inbound->bulk_bytes) return;
  else if (tsr_mpi_delay_wanted()) tsr_mpi_delay(receive_bulk, inbound, 0);
  else receive_bulk(inbound, TSR_NET_LOCAL, 0);
}

/* Copies of requests that wait. Short ones, as most are, lie in blocks that are used again. */
enum { SHORT_BYTES = 512 };
static size_t copy_room(size_t bytes) {
  return bytes <= SHORT_BYTES ? SHORT_BYTES : (bytes + TSR_MPI_ALIGN - 1) / TSR_MPI_ALIGN * TSR_MPI_ALIGN;
}

static struct tsr_mpi_header *take_copy(size_t bytes, int rank) {
  struct copy *copy = bytes <= SHORT_BYTES ? target.copies : NULL;
  if (copy) target.copies = copy->next;
  else copy = aligned_alloc(TSR_MPI_ALIGN, copy_room(bytes));
  if (!copy) no_memory(rank);
  return (struct tsr_mpi_header *)(void *)copy;
}

static void give_copy(struct tsr_mpi_header *message) {
  if (tsr_mpi_message_bytes(message) > SHORT_BYTES) {
    free(message);
    return;
  }
  struct copy *copy = (struct copy *)(void *)message;
  copy->next = target.copies;
  target.copies = copy;
}

/* The job may be another request's when its handler has run. */
static void run_kept(struct inbound *inbound) {
  struct tsr_mpi_header *message = inbound->message;
  inbound->message = NULL;
  run(inbound, message);
  if (message->beside) tsr_mpi_long_give(message);
  else give_copy(message);
}

static void on_payload(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct inbound *inbound = arg;
  if (bytes != inbound->message->payload_bytes)
    tsr_mpi_fatal("a payload from rank %d has %zu bytes, not the %u that its request announced", inbound->rank, bytes,
                  (unsigned)inbound->message->payload_bytes);
  target.moving_n--;
  run_kept(inbound);
}

static void receive_payload(struct inbound *inbound, const struct tsr_mpi_header *message) {
  struct tsr_mpi_header *bounce = tsr_mpi_long_take(inbound->rank);
  *bounce = *message;
  if (inbound->message) give_copy(inbound->message);
  inbound->message = bounce;
  target.moving_n++;
  tsr_mpi_pending_receive(tsr_mpi.requests, bounce + 1,
                          (struct tsr_mpi_pending){.done = on_payload,
                                                   .arg = inbound,
                                                   .what = "a long payload",
                                                   .rank = inbound->rank,
                                                   .bytes = bounce->payload_bytes,
                                                   .tag = TSR_MPI_TAG_BULK + inbound->slot});
}

/* `message` is the job's own copy, or the inbox's. */
static void start(struct inbound *inbound, struct tsr_mpi_header *message) {
  if (message->beside) receive_payload(inbound, message);
  else if (inbound->message) run_kept(inbound);
  else run(inbound, message);
}

/* One that ends at once makes way for the next one here, however many they are. */
static void advance_line(struct line *line) {
  if (line->advancing) return;
  line->advancing = true;
  while (!line->busy && line->first) {
    struct inbound *inbound = line->first;
    line->first = inbound->next;
    line->busy = true;
    start(inbound, inbound->message);
  }
  line->advancing = false;
}

static bool must_wait(const struct line *line) { return line->busy || line->first; }

static void keep_message(struct inbound *inbound, const struct tsr_mpi_header *message) {
  if (inbound->message) return;
  size_t bytes = tsr_mpi_message_bytes(message);
  inbound->message = take_copy(bytes, inbound->rank);
  memcpy(inbound->message, message, bytes);
}

static void queue(struct line *line, struct inbound *inbound) {
  inbound->next = NULL;
  if (line->first) line->last->next = inbound;
  else line->first = inbound;
  line->last = inbound;
}

static void admit(struct inbound *inbound, struct tsr_mpi_header *message) {
  struct line *line = inbound->ordered ? line_of(inbound->rank) : NULL;
  if (line && must_wait(line)) {
    keep_message(inbound, message);
    queue(line, inbound);
    return;
  }
  if (line) line->busy = true;
  start(inbound, message);
}

static void on_due(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  struct inbound *inbound = arg;
  admit(inbound, inbound->message);
}

void tsr_mpi_inbound_begin(struct tsr_mpi_header *message, int rank) {
  struct inbound *inbound = take_inbound(message, rank);
  if (!tsr_mpi_delay_wanted()) {
    admit(inbound, message);
    return;
  }
  keep_message(inbound, message);
  tsr_mpi_delay(on_due, inbound, 0);
}
