#include "net/common/requests.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/table.h"
#include "net/common/acks.h"
#include "net/common/long.h"

/* One request under way. The tags of its bulk and reply contain the slot's number. The slot is free again when all parts are
 * complete, the receive of the reply included, so two messages under way never have the same of these tags. */
struct tsr_wire_slot {
  struct tsr_wire_slot *next; /* free, or complete with a long reply */
  struct peer *peer;
  struct tsr_wire_header *message; /* room for one, with payload; NULL until a message first begins with this slot */
  struct tsr_wire_header *header;  /* of this request: the begin of `message`, or behind others in that of an earlier slot */
  struct tsr_wire_header *out_of_line; /* an unused header, and a long payload behind it; NULL: the payload is in `message` */
  uint16_t number;
  tsr_wire_send send;             /* of `message`, if it begins with this request. The answer proves that it is complete */
  int parts_n;                    /* that are not complete: the answer, and the send of a second message */
  struct tsr_wire_done done;
  void *reply;       /* where a short reply goes */
  size_t reply_room; /* bytes there */
  bool awaits_ack; /* with or without a short reply; else a reply is received */
};

/* An endpoint, and the slots for requests to it. The first request makes the slots. */
struct peer {
  int rank;
  struct tsr_wire_slot *slots, *free;
  _Atomic int busy_n, long_n; /* slots in use or reserved, and those of them with a long payload */
  int unanswered_n;           /* requests that were sent, or are held back */
  struct tsr_wire_slot *held; /* whose message is held back; NULL: none */
  struct tsr_wire_header *last_held; /* last request in that message */
  struct peer *next_held;
  bool is_listed; /* among those with a message that is, or was, held back */
};

static struct {
  tsr_table peers;    /* by rank */
  struct peer *held;  /* those with messages that are held back */
  int slots_n;        /* of each */
  _Atomic int busy_n; /* of all */
  struct tsr_wire_slot *first_done, **last_done; /* complete with a long reply, oldest first */
} origin;

bool tsr_wire_requests_start(int slots_n) {
  assert(slots_n <= TSR_WIRE_SLOTS_MAX);
  origin.slots_n = slots_n;
  origin.last_done = &origin.first_done;
  origin.peers = tsr_table_make((uint32_t)tsr_wire_ranks_n, sizeof(struct peer));
  return origin.peers.blocks;
}

size_t tsr_wire_requests_bytes(int ranks_n) { return tsr_table_bytes((uint32_t)ranks_n, sizeof(struct peer), 0); }
size_t tsr_wire_requests_peer_bytes(int slots_n) {
  return TSR_TABLE_BLOCK_N * sizeof(struct peer) + (size_t)slots_n * sizeof(struct tsr_wire_slot);
}

_Noreturn static void fail_memory(int rank) {
  tsr_wire_fatal("TSR-0217 no private memory for %d requests, in messages of %zu bytes, to rank %d; lower TESSERA_WIRE_BUFFERS or "
                "TESSERA_EAGER_LIMIT", origin.slots_n, tsr_wire_message_room(), rank);
}

static struct peer *peer_of(int rank) {
  struct peer *peer = tsr_table_use(&origin.peers, (uint32_t)rank);
  if (!peer) fail_memory(rank);
  return peer;
}

/* Without the lock. NULL: nothing was sent there yet. */
static const struct peer *find_peer(int rank) { return tsr_table_find(&origin.peers, (uint32_t)rank); }

static void open_peer(struct peer *peer, int rank) {
  peer->rank = rank;
  peer->slots = calloc((size_t)origin.slots_n, sizeof *peer->slots);
  if (!peer->slots) fail_memory(rank);
  for (int i = origin.slots_n - 1; i >= 0; i--) {
    struct tsr_wire_slot *slot = &peer->slots[i];
    slot->peer = peer;
    slot->number = (uint16_t)i;
    slot->next = peer->free;
    peer->free = slot;
  }
}

static void close_peer(void *entry, uint32_t rank) {
  struct peer *peer = entry;
  (void)rank;
  for (int i = 0; peer->slots && i < origin.slots_n; i++) {
    struct tsr_wire_slot *slot = &peer->slots[i];
    if (slot->parts_n > 0 && slot->header == slot->message && peer->held != slot) tsr_wire->abandon(slot->send);
    free(slot->message);
  }
  free(peer->slots);
}

void tsr_wire_requests_stop(void) {
  tsr_table_each(&origin.peers, close_peer);
  tsr_table_free(&origin.peers);
  origin.held = NULL;
  origin.first_done = NULL;
  atomic_store_explicit(&origin.busy_n, 0, memory_order_relaxed);
}

int tsr_wire_requests_busy(int rank) {
  const struct peer *peer = rank < 0 ? NULL : find_peer(rank);
  if (rank >= 0 && !peer) return 0;
  return atomic_load_explicit(peer ? &peer->busy_n : &origin.busy_n, memory_order_relaxed);
}

static bool has_room(const struct peer *peer, bool is_long) {
  return atomic_load_explicit(&peer->busy_n, memory_order_relaxed) < origin.slots_n &&
         (!is_long || atomic_load_explicit(&peer->long_n, memory_order_relaxed) < TSR_NET_LONG_N);
}

bool tsr_wire_requests_have_room(const struct tsr_net_request *request) {
  const struct peer *peer = find_peer(request->rank);
  return !peer || has_room(peer, tsr_wire_request_is_long(request));
}

static void count_busy(struct peer *peer, int more) {
  atomic_fetch_add_explicit(&peer->busy_n, more, memory_order_relaxed);
  atomic_fetch_add_explicit(&origin.busy_n, more, memory_order_relaxed);
}

bool tsr_wire_requests_reserve(int rank, size_t requests_n, size_t long_n) {
  struct peer *peer = peer_of(rank);
  size_t busy_n = (size_t)atomic_load_explicit(&peer->busy_n, memory_order_relaxed);
  size_t long_busy_n = (size_t)atomic_load_explicit(&peer->long_n, memory_order_relaxed);
  if (requests_n > (size_t)origin.slots_n - busy_n || long_n > TSR_NET_LONG_N - long_busy_n) return false;
  count_busy(peer, (int)requests_n);
  atomic_fetch_add_explicit(&peer->long_n, (int)long_n, memory_order_relaxed);
  return true;
}

void tsr_wire_requests_unreserve(int rank, size_t requests_n, size_t long_n) {
  struct peer *peer = peer_of(rank);
  count_busy(peer, -(int)requests_n);
  atomic_fetch_sub_explicit(&peer->long_n, (int)long_n, memory_order_relaxed);
}

/* ---- messages that are held back ---- */

/* Where one more request fits into the message that is held back; NULL: nowhere. */
static struct tsr_wire_header *place_in_held(const struct peer *peer, const struct tsr_net_request *request) {
  if (request->bulk_bytes || tsr_wire_request_is_long(request)) return NULL;
  size_t at = (size_t)((char *)peer->last_held - (char *)peer->held->message) + tsr_wire_message_bytes(peer->last_held);
  at = (at + TSR_WIRE_ALIGN - 1) / TSR_WIRE_ALIGN * TSR_WIRE_ALIGN;
  if (at + request->payload_bytes > tsr_wire_shared_most) return NULL;
  return (struct tsr_wire_header *)(void *)((char *)peer->held->message + at);
}

static void send_message(struct tsr_wire_slot *first, const struct tsr_wire_header *last) {
  const int rank = first->peer->rank;
  char *end = (char *)last + tsr_wire_message_bytes(last);
  end += tsr_wire_acks_piggyback(rank, end);
  first->send = tsr_wire->send_request(rank, first->message, (size_t)(end - (char *)first->message));
}

static void send_held(struct peer *peer) {
  struct tsr_wire_slot *first = peer->held;
  peer->held = NULL;
  send_message(first, peer->last_held);
}

void tsr_wire_requests_flush(void) {
  for (struct peer *peer; (peer = origin.held);) {
    origin.held = peer->next_held;
    peer->is_listed = false;
    if (peer->held) send_held(peer);
  }
  atomic_store_explicit(&tsr_net_holds, false, memory_order_relaxed);
}

/* Whether the request may be held back behind unanswered requests: their answers make a thread poll, which sends it, too. */
static bool may_hold(const struct tsr_wire_slot *slot, const struct tsr_net_request *request) {
  return atomic_load_explicit(&tsr_net_is_polled, memory_order_relaxed) && !slot->out_of_line && !request->bulk_bytes;
}

static void hold_message(struct tsr_wire_slot *slot) {
  struct peer *peer = slot->peer;
  peer->held = slot;
  peer->last_held = slot->header;
  if (peer->is_listed) return;
  if (!origin.held) {
    atomic_store(&tsr_net_holds, true); /* partner: the store of sleeps_long */
    tsr_net_on_hold();
  }
  peer->is_listed = true;
  peer->next_held = origin.held;
  origin.held = peer;
}

/* ---- requests ---- */

struct tsr_wire_slot *tsr_wire_request_take(const struct tsr_net_request *request) {
  assert(request->rank >= 0 && request->rank < tsr_wire_ranks_n && request->payload_bytes <= tsr_net_limits.payload_bytes);
  assert(request->bulk_bytes <= tsr_net_limits.chunk_bytes && request->reply_bytes <= tsr_net_limits.chunk_bytes);
  const bool is_long = tsr_wire_request_is_long(request);
  assert(!request->bulk_bytes || !is_long);
  struct peer *peer = peer_of(request->rank);
  if (!peer->slots) open_peer(peer, request->rank);
  if (!request->reserved && !has_room(peer, is_long)) return NULL;
  struct tsr_wire_slot *slot = peer->free; /* the slot that was used last: most slots never get a buffer */
  slot->header = peer->held ? place_in_held(peer, request) : NULL;
  if (!slot->header && !slot->message) slot->message = aligned_alloc(TSR_WIRE_ALIGN, tsr_wire_message_room());
  if (!slot->header && !slot->message) fail_memory(request->rank);
  if (!slot->header) slot->header = slot->message;
  peer->free = slot->next;
  if (!request->reserved) count_busy(peer, 1);
  if (is_long && !request->reserved) atomic_fetch_add_explicit(&peer->long_n, 1, memory_order_relaxed);
  slot->out_of_line = is_long ? tsr_wire_long_take(request->rank) : NULL;
  slot->parts_n = 0;
  slot->done = (struct tsr_wire_done){request->done, request->done_arg, 0};
  return slot;
}

/* A long buffer is free only now, since the target may still read from it when its send is complete. */
static struct tsr_wire_done free_slot(struct tsr_wire_slot *slot) {
  struct peer *peer = slot->peer;
  if (slot->out_of_line) {
    tsr_wire_long_give(slot->out_of_line);
    atomic_fetch_sub_explicit(&peer->long_n, 1, memory_order_relaxed);
  }
  slot->next = peer->free;
  peer->free = slot;
  atomic_fetch_sub_explicit(&peer->busy_n, 1, memory_order_relaxed);
  return slot->done;
}

void tsr_wire_requests_called(void) { atomic_fetch_sub_explicit(&origin.busy_n, 1, memory_order_relaxed); }

bool tsr_wire_requests_next_done(struct tsr_wire_done *done) {
  struct tsr_wire_slot *slot = origin.first_done;
  if (!slot) return false;
  origin.first_done = slot->next;
  if (!origin.first_done) origin.last_done = &origin.first_done;
  *done = free_slot(slot);
  return true;
}

/* The slot is free before `done` is called, which may start the next request with it. */
static void end_part(struct tsr_wire_slot *slot) {
  if (--slot->parts_n > 0) return;
  if (slot->header == slot->message) tsr_wire->answered(slot->send);
  slot->peer->unanswered_n--;
  if (slot->done.call && slot->reply_room > tsr_net_limits.eager_bytes) {
    slot->next = NULL;
    *origin.last_done = slot;
    origin.last_done = &slot->next;
    return;
  }
  struct tsr_wire_done done = free_slot(slot);
  tsr_wire_requests_called();
  if (done.call) done.call(done.arg, TSR_NET_REMOTE, done.reply_bytes);
}

static void on_sent(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  end_part(arg);
}

static void on_bulk_sent(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  struct tsr_wire_slot *slot = arg;
  if (slot->done.call) slot->done.call(slot->done.arg, TSR_NET_LOCAL, 0);
  end_part(slot);
}

static void on_reply(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct tsr_wire_slot *slot = arg;
  slot->done.reply_bytes = bytes;
  end_part(slot);
}

void tsr_wire_request_acked(int rank, uint16_t number, const void *reply, size_t bytes) {
  struct peer *peer = peer_of(rank);
  struct tsr_wire_slot *slot = peer->slots && number < origin.slots_n ? &peer->slots[number] : NULL;
  if (!slot || !slot->awaits_ack)
    tsr_wire_fatal("TSR-0218 rank %d acknowledges request %u, which was not sent; " TSR_REMEDY_ONE_BUILD, rank, number);
  if (bytes > slot->reply_room)
    tsr_wire_fatal("TSR-0252 rank %d replies %zu bytes to request %u, which has room for %zu; " TSR_REMEDY_ONE_BUILD, rank, bytes,
                   number, slot->reply_room);
  if (bytes) tsr_copy(slot->reply, reply, bytes);
  slot->awaits_ack = false;
  slot->done.reply_bytes = bytes;
  end_part(slot);
}

void tsr_wire_request_fill(struct tsr_wire_slot *slot, const struct tsr_net_request *request) {
  struct tsr_wire_header *header = slot->header;
  void *payload = (slot->out_of_line ? slot->out_of_line : header) + 1;
  *header = (struct tsr_wire_header){.magic = TSR_WIRE_MAGIC,
                                    .slot = slot->number,
                                    .handler = request->handler & 0x7f,
                                    .ordered = request->ordered,
                                    .out_of_line = slot->out_of_line != NULL,
                                    .delayed = request->delayed,
                                    .payload_bytes = (uint32_t)request->payload_bytes & 0x1fffff,
                                    .bulk_bytes = (uint32_t)request->bulk_bytes,
                                    .reply_bytes = (uint32_t)request->reply_bytes};
  memcpy(header->args, request->args, sizeof header->args);
  if (request->pack) request->pack(payload, request->pack_arg);
  else if (request->payload_bytes) tsr_copy(payload, request->payload, request->payload_bytes);
}

/* Sends the message of the request, alone or with others, now or later. Requests to one endpoint keep their order. */
static void send_or_hold(struct tsr_wire_slot *slot, const struct tsr_net_request *request) {
  struct peer *peer = slot->peer;
  if (slot->header != slot->message) {
    peer->last_held->more = 1;
    peer->last_held = slot->header;
    return;
  }
  if (peer->held) send_held(peer);
  if (peer->unanswered_n > 1 && may_hold(slot, request)) hold_message(slot);
  else send_message(slot, slot->header);
}

static void send_second(struct tsr_wire_slot *slot, const struct tsr_net_request *request) {
  struct tsr_wire_message second = {.kind = TSR_WIRE_BULK, .rank = slot->peer->rank, .tag = slot->number,
                                    .bytes = request->bulk_bytes, .done = on_bulk_sent, .arg = slot, .what = "bulk"};
  if (slot->out_of_line) second.done = on_sent, second.what = "a long payload", second.bytes = request->payload_bytes;
  slot->parts_n++;
  tsr_wire->send(slot->out_of_line ? (const void *)(slot->out_of_line + 1) : request->bulk, &second);
}

void tsr_wire_request_send(struct tsr_wire_slot *slot, const struct tsr_net_request *request) {
  slot->parts_n = 1; /* the reply, or the acknowledgement in its place */
  slot->peer->unanswered_n++;
  slot->awaits_ack = request->reply_bytes <= TSR_WIRE_SHORT_REPLY;
  slot->reply = request->reply;
  slot->reply_room = request->reply_bytes;
  send_or_hold(slot, request);
  if (!slot->awaits_ack) /* after the send, which need not wait for it: `done` comes from poll only */
    tsr_wire->receive(request->reply, &(struct tsr_wire_message){.kind = TSR_WIRE_REPLY, .rank = slot->peer->rank,
                                                                 .tag = slot->number, .bytes = request->reply_bytes,
                                                                 .done = on_reply, .arg = slot, .what = "a reply"});
  if (slot->out_of_line || request->bulk_bytes) send_second(slot, request);
}
