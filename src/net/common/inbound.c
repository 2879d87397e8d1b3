#include "net/common/inbound.h"

#include <stdlib.h>
#include <string.h>

#include "base/freelist.h"
#include "base/table.h"
#include "net/common/acks.h"
#include "net/common/delay.h"
#include "net/common/long.h"

enum { INBOUND_N = 64 /* requests whose bulk or reply is under way at once; also how many objects are made at once */ };

struct tsr_wire_inbound {
  struct tsr_wire_inbound *next;   /* free, waiting for its order, or long and ready to run */
  void *scratch;                  /* buffer for short replies; NULL until the first one */
  void *long_scratch;             /* buffer for this long reply; else NULL */
  struct tsr_wire_header *message; /* own copy of a request that waits; else NULL. With a long payload: a long buffer */
  struct tsr_net_out out;         /* the answer of the handler */
  size_t bulk_bytes, reply_room;
  int rank;
  uint16_t slot;
  bool ordered, delayed;
};

/* The ordered requests of one origin: at most one is under way, later ones wait. Wires deliver them in the order in which they
 * were started. */
struct order {
  bool is_busy, is_advancing;
  struct tsr_wire_inbound *first, *last;
};

struct slab {
  struct slab *next;
  struct tsr_wire_inbound inbounds[INBOUND_N];
};

static struct {
  struct slab *slabs;
  struct tsr_wire_inbound *free;
  struct tsr_wire_inbound *first_long, **last_long; /* ready to run, oldest first */
  tsr_table orders; /* by rank */
  int moving_n; /* requests whose payload, bulk or reply is under way. Requests that wait for their order do not count,
                 * so that they cannot keep out the request they wait for; the origins' buffers bound their number */
} target;

/* Of requests that wait. */
static tsr_freelist copies = TSR_FREELIST(1 << 20);

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

size_t tsr_wire_inbound_bytes(int ranks_n) {
  return sizeof(struct slab) + tsr_table_bytes((uint32_t)ranks_n, sizeof(struct order), 0);
}

bool tsr_wire_inbound_start(void) {
  target.moving_n = 0;
  target.last_long = &target.first_long;
  target.orders = tsr_table_make((uint32_t)tsr_wire_ranks_n, sizeof(struct order));
  return target.orders.blocks && add_slab();
}

void tsr_wire_inbound_stop(void) {
  for (struct slab *slab; (slab = target.slabs);) {
    target.slabs = slab->next;
    for (int i = 0; i < INBOUND_N; i++) {
      free(slab->inbounds[i].message);
      free(slab->inbounds[i].scratch);
      free(slab->inbounds[i].long_scratch);
    }
    free(slab);
  }
  tsr_freelist_drop(&copies);
  tsr_table_free(&target.orders);
  target.free = target.first_long = NULL;
}

bool tsr_wire_inbound_has_room(void) { return target.moving_n < INBOUND_N; }

_Noreturn static void fail_memory(int rank) {
  tsr_wire_fatal("TSR-0206 no private memory to serve one more request of rank %d; lower TESSERA_WIRE_BUFFERS or "
                "TESSERA_EAGER_LIMIT", rank);
}

static struct order *find_order(const struct tsr_wire_inbound *inbound) {
  struct order *order = inbound->ordered ? tsr_table_use(&target.orders, (uint32_t)inbound->rank) : NULL;
  if (inbound->ordered && !order) fail_memory(inbound->rank);
  return order;
}

/* ---- copies of requests that wait ---- */

_Static_assert((int)TSR_FREELIST_ALIGN >= (int)TSR_WIRE_ALIGN, "copies are aligned as messages");

static void keep_message(struct tsr_wire_inbound *inbound, const struct tsr_wire_header *message) {
  if (inbound->message) return;
  const size_t bytes = tsr_wire_message_bytes(message);
  void *copy = tsr_freelist_take(&copies, bytes);
  if (!copy) fail_memory(inbound->rank);
  inbound->message = memcpy(copy, message, bytes);
}

static void drop_message(struct tsr_wire_inbound *inbound) {
  struct tsr_wire_header *message = inbound->message;
  inbound->message = NULL;
  if (message->out_of_line) tsr_wire_long_give(message);
  else tsr_freelist_give(&copies, message, tsr_wire_message_bytes(message));
}

/* ---- from the handler to the end ---- */

static void advance_order(struct order *order);

static void end_inbound(struct tsr_wire_inbound *inbound) {
  struct order *order = find_order(inbound);
  target.moving_n--;
  tsr_wire_long_give(inbound->long_scratch);
  inbound->long_scratch = NULL;
  inbound->next = target.free;
  target.free = inbound;
  if (!order) return;
  order->is_busy = false;
  advance_order(order);
}

static void on_replied(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  end_inbound(arg);
}

static void send_reply(struct tsr_wire_inbound *inbound) {
  if (inbound->reply_room <= TSR_WIRE_SHORT_REPLY) {
    bool delayed = inbound->delayed && !inbound->out.reply_bytes;
    tsr_wire_ack(inbound->rank, inbound->slot, delayed, inbound->out.reply, inbound->out.reply_bytes);
    end_inbound(inbound);
    return;
  }
  tsr_wire->send(inbound->out.reply, &(struct tsr_wire_message){.kind = TSR_WIRE_REPLY, .rank = inbound->rank,
                                                                .tag = inbound->slot, .bytes = inbound->out.reply_bytes,
                                                                .done = on_replied, .arg = inbound, .what = "a reply"});
}

static void on_bulk(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct tsr_wire_inbound *inbound = arg;
  if (bytes != inbound->bulk_bytes)
    tsr_wire_fatal("TSR-0207 bulk from rank %d has %zu bytes, not the %zu that its request announced; " TSR_REMEDY_ONE_BUILD,
                   inbound->rank, bytes, inbound->bulk_bytes);
  if (inbound->out.on_bulk) inbound->out.on_bulk(inbound->out.on_bulk_arg);
  send_reply(inbound);
}

static void receive_bulk(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  struct tsr_wire_inbound *inbound = arg;
  tsr_wire->receive(inbound->out.bulk, &(struct tsr_wire_message){.kind = TSR_WIRE_BULK, .rank = inbound->rank,
                                                                  .tag = inbound->slot, .bytes = inbound->bulk_bytes,
                                                                  .done = on_bulk, .arg = inbound, .what = "bulk"});
}

/* If the reply lies in a heap, its buffer is not written to, so its pages stay untouched. */
static void give_scratch(struct tsr_wire_inbound *inbound) {
  size_t eager = tsr_net_limits.eager_bytes, room = inbound->reply_room;
  inbound->out = (struct tsr_net_out){0};
  if (!room) return;
  if (room > eager && room <= tsr_net_limits.payload_bytes) {
    inbound->out.scratch = inbound->long_scratch = tsr_wire_long_take(inbound->rank);
    inbound->out.scratch_bytes = room;
    return;
  }
  if (!inbound->scratch) inbound->scratch = aligned_alloc(TSR_WIRE_ALIGN, tsr_wire_room_for(tsr_wire_eager_most));
  if (!inbound->scratch) fail_memory(inbound->rank);
  inbound->out.scratch = inbound->scratch;
  inbound->out.scratch_bytes = room < eager ? room : eager;
}

/* With or without the lock. */
static void run_handler(struct tsr_wire_inbound *inbound, struct tsr_wire_header *message) {
  struct tsr_net_in in = {inbound->rank, message->args, message + 1, message->payload_bytes, inbound->bulk_bytes,
                          inbound->reply_room};
  tsr_net_handlers[message->handler](&in, &inbound->out);
  if (in.bulk_bytes && !inbound->out.bulk)
    tsr_wire_fatal("TSR-0208 handler %d gave no place for %zu bytes of bulk from rank %d; " TSR_REMEDY_ONE_BUILD, message->handler,
                   in.bulk_bytes, inbound->rank);
  if (inbound->out.reply_bytes > inbound->reply_room)
    tsr_wire_fatal("TSR-0209 a handler answers %zu bytes to rank %d, which has room for %zu; " TSR_REMEDY_ONE_BUILD,
                   inbound->out.reply_bytes, inbound->rank, inbound->reply_room);
}

static void continue_after_handler(struct tsr_wire_inbound *inbound) {
  if (!inbound->bulk_bytes) send_reply(inbound);
  else if (tsr_wire_delay_wanted()) tsr_wire_delay(receive_bulk, inbound, 0);
  else receive_bulk(inbound, TSR_NET_LOCAL, 0);
}

struct tsr_wire_inbound *tsr_wire_inbound_next(void) {
  struct tsr_wire_inbound *inbound = target.first_long;
  if (!inbound) return NULL;
  target.first_long = inbound->next;
  if (!target.first_long) target.last_long = &target.first_long;
  return inbound;
}

void tsr_wire_inbound_run(struct tsr_wire_inbound *inbound) { run_handler(inbound, inbound->message); }

void tsr_wire_inbound_ran(struct tsr_wire_inbound *inbound) {
  drop_message(inbound);
  continue_after_handler(inbound);
}

/* ---- from the arrival to the handler ---- */

/* Long payloads and replies wait for the end of the poll. */
static void run_or_queue(struct tsr_wire_inbound *inbound, struct tsr_wire_header *message) {
  bool is_long = message->out_of_line || inbound->reply_room > tsr_net_limits.eager_bytes;
  target.moving_n++;
  give_scratch(inbound);
  if (is_long) {
    keep_message(inbound, message);
    inbound->next = NULL;
    *target.last_long = inbound;
    target.last_long = &inbound->next;
    return;
  }
  run_handler(inbound, message);
  if (inbound->message) drop_message(inbound);
  continue_after_handler(inbound);
}

static void on_payload(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct tsr_wire_inbound *inbound = arg;
  if (bytes != inbound->message->payload_bytes)
    tsr_wire_fatal("TSR-0210 a payload from rank %d has %zu bytes, not the %u that its request announced; " TSR_REMEDY_ONE_BUILD,
                   inbound->rank, bytes, (unsigned)inbound->message->payload_bytes);
  target.moving_n--;
  run_or_queue(inbound, inbound->message);
}

/* `message` is the request's own copy, or the caller's. */
static void start_inbound(struct tsr_wire_inbound *inbound, struct tsr_wire_header *message) {
  if (!message->out_of_line) {
    run_or_queue(inbound, message);
    return;
  }
  struct tsr_wire_header *bounce = tsr_wire_long_take(inbound->rank);
  *bounce = *message;
  if (inbound->message) {
    inbound->message->out_of_line = 0; /* the copy is a short block */
    inbound->message->payload_bytes = 0;
    drop_message(inbound);
  }
  inbound->message = bounce;
  target.moving_n++;
  tsr_wire->receive(bounce + 1, &(struct tsr_wire_message){.kind = TSR_WIRE_BULK, .rank = inbound->rank, .tag = inbound->slot,
                                                           .bytes = bounce->payload_bytes, .done = on_payload, .arg = inbound,
                                                           .what = "a long payload"});
}

/* A request that ends at once is followed by the next one in this loop, so calls do not nest. */
static void advance_order(struct order *order) {
  if (order->is_advancing) return;
  order->is_advancing = true;
  while (!order->is_busy && order->first) {
    struct tsr_wire_inbound *inbound = order->first;
    order->first = inbound->next;
    order->is_busy = true;
    start_inbound(inbound, inbound->message);
  }
  order->is_advancing = false;
}

static void admit_inbound(struct tsr_wire_inbound *inbound, struct tsr_wire_header *message) {
  struct order *order = find_order(inbound);
  if (order && (order->is_busy || order->first)) {
    keep_message(inbound, message);
    inbound->next = NULL;
    if (order->first) order->last->next = inbound;
    else order->first = inbound;
    order->last = inbound;
    return;
  }
  if (order) order->is_busy = true;
  start_inbound(inbound, message);
}

static void on_due(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  struct tsr_wire_inbound *inbound = arg;
  admit_inbound(inbound, inbound->message);
}

void tsr_wire_inbound_begin(struct tsr_wire_header *message, int rank) {
  if (!target.free && !add_slab()) fail_memory(rank);
  struct tsr_wire_inbound *inbound = target.free;
  target.free = inbound->next;
  inbound->rank = rank;
  inbound->slot = message->slot;
  inbound->ordered = message->ordered;
  inbound->delayed = message->delayed;
  inbound->bulk_bytes = message->bulk_bytes;
  inbound->reply_room = message->reply_bytes;
  if (!tsr_wire_delay_wanted()) {
    admit_inbound(inbound, message);
    return;
  }
  keep_message(inbound, message);
  tsr_wire_delay(on_due, inbound, 0);
}
