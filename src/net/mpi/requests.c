#include "net/mpi/requests.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "net/mpi/acks.h"
#include "net/mpi/long.h"
#include "net/mpi/pending.h"

/* One request under way. Its number is part of the tags of its bulk and reply: it is free again when all of its parts,
 * the receive of the reply among them, are complete, so no two messages with one of these tags ever meet. */
struct slot {
  struct slot *next_free;
  struct peer *peer;
  struct tsr_mpi_header *message; /* and its payload; NULL until the slot is first taken */
  struct tsr_mpi_header *beside;  /* the payload when it is long, behind room that nobody uses; else NULL */
  uint16_t number;
  int parts_n;                    /* MPI requests that are not complete */
  tsr_net_done_fn done;
  void *done_arg;
  size_t reply_bytes;
  bool awaits_ack; /* and no reply */
};

/* An endpoint, and the slots towards it, which are made with the first request. */
struct peer {
  int rank;
  struct slot *slots, *free;
  _Atomic int busy_n, long_n; /* slots in use or claimed, and those of them with a long payload */
};

static struct {
  tsr_table peers;    /* by rank */
  int slots_n;        /* of each */
  _Atomic int busy_n; /* of all */
} origin;

bool tsr_mpi_requests_start(int slots_n) {
  assert(slots_n <= TSR_MPI_SLOTS_MAX);
  origin.slots_n = slots_n;
  origin.peers = tsr_table_make((uint32_t)tsr_mpi.ranks_n, sizeof(struct peer));
  return origin.peers.blocks;
}

size_t tsr_mpi_requests_bytes(int ranks_n) { return tsr_table_bytes((uint32_t)ranks_n, sizeof(struct peer), 0); }
size_t tsr_mpi_requests_peer_bytes(int slots_n) {
  return TSR_TABLE_BLOCK_N * sizeof(struct peer) + (size_t)slots_n * sizeof(struct slot);
}

_Noreturn static void no_memory(int rank) {
  tsr_mpi_fatal("no private memory for %d requests of %zu bytes to rank %d; lower TESSERA_WIRE_BUFFERS or "
                "TESSERA_EAGER_LIMIT", origin.slots_n, tsr_mpi_message_room(), rank);
}

static struct peer *peer_of(int rank) {
  struct peer *peer = tsr_table_use(&origin.peers, (uint32_t)rank);
  if (!peer) no_memory(rank);
  return peer;
}

/* Without the lock. NULL: nothing was sent there yet. */
static const struct peer *find_peer(int rank) { return tsr_table_find(&origin.peers, (uint32_t)rank); }

static void open_peer(struct peer *peer, int rank) {
  peer->rank = rank;
  peer->slots = calloc((size_t)origin.slots_n, sizeof *peer->slots);
  if (!peer->slots) no_memory(rank);
  for (int i = origin.slots_n - 1; i >= 0; i--) {
    struct slot *slot = &peer->slots[i];
    slot->peer = peer;
    slot->number = (uint16_t)i;
    slot->next_free = peer->free;
    peer->free = slot;
  }
}

static void close_peer(void *entry, uint32_t rank) {
  struct peer *peer = entry;
  (void)rank;
  for (int i = 0; peer->slots && i < origin.slots_n; i++) free(peer->slots[i].message);
  free(peer->slots);
}

void tsr_mpi_requests_stop(void) {
  tsr_table_each(&origin.peers, close_peer);
  tsr_table_free(&origin.peers);
  atomic_store_explicit(&origin.busy_n, 0, memory_order_relaxed);
}

int tsr_mpi_requests_busy(int rank) {
  const struct peer *peer = rank < 0 ? NULL : find_peer(rank);
  if (rank >= 0 && !peer) return 0;
  return atomic_load_explicit(peer ? &peer->busy_n : &origin.busy_n, memory_order_relaxed);
}

static bool is_long(const struct tsr_net_request *request) { return request->payload_bytes > tsr_net_limits.eager_bytes; }

static bool has_room(const struct peer *peer, const struct tsr_net_request *request) {
  return atomic_load_explicit(&peer->busy_n, memory_order_relaxed) < origin.slots_n &&
         (!is_long(request) || atomic_load_explicit(&peer->long_n, memory_order_relaxed) < TSR_NET_LONG_N);
}

bool tsr_mpi_requests_have_room(const struct tsr_net_request *request) {
  const struct peer *peer = find_peer(request->rank);
  return !peer || has_room(peer, request);
}

static void count_busy(struct peer *peer, int more) {
  atomic_fetch_add_explicit(&peer->busy_n, more, memory_order_relaxed);
  atomic_fetch_add_explicit(&origin.busy_n, more, memory_order_relaxed);
}

bool tsr_mpi_requests_reserve(int rank, size_t requests_n, size_t long_n) {
  struct peer *peer = peer_of(rank);
  size_t busy_n = (size_t)atomic_load_explicit(&peer->busy_n, memory_order_relaxed);
  size_t long_busy_n = (size_t)atomic_load_explicit(&peer->long_n, memory_order_relaxed);
  if (requests_n > (size_t)origin.slots_n - busy_n || long_n > TSR_NET_LONG_N - long_busy_n) return false;
  count_busy(peer, (int)requests_n);
  atomic_fetch_add_explicit(&peer->long_n, (int)long_n, memory_order_relaxed);
  return true;
}

void tsr_mpi_requests_unreserve(int rank, size_t requests_n, size_t long_n) {
  struct peer *peer = peer_of(rank);
  count_busy(peer, -(int)requests_n);
  atomic_fetch_sub_explicit(&peer->long_n, (int)long_n, memory_order_relaxed);
}

static struct slot *take_slot(const struct tsr_net_request *request) {
  struct peer *peer = peer_of(request->rank);
  if (!peer->slots) open_peer(peer, request->rank);
  if (!request->reserved && !has_room(peer, request)) return NULL;
  struct slot *slot = peer->free; /* the one that was used last: memory for more at once than there ever were is never made */
  if (!slot->message) slot->message = aligned_alloc(TSR_MPI_ALIGN, tsr_mpi_message_room());
  if (!slot->message) no_memory(request->rank);
  peer->free = slot->next_free;
  if (!request->reserved) count_busy(peer, 1);
  slot->parts_n = 0;
  slot->done = request->done;
  slot->done_arg = request->done_arg;
  slot->reply_bytes = 0;
  return slot;
}

static void take_long(struct slot *slot, bool reserved) {
  if (!reserved) atomic_fetch_add_explicit(&slot->peer->long_n, 1, memory_order_relaxed);
  slot->beside = tsr_mpi_long_take(slot->peer->rank);
}

/* Only now, since a send that is complete may still fill the target's memory. */
static void give_long(struct slot *slot) {
  tsr_mpi_long_give(slot->beside);
  slot->beside = NULL;
  atomic_fetch_sub_explicit(&slot->peer->long_n, 1, memory_order_relaxed);
}

/* The slot is free before its owner hears of it, so that the callback finds one for its next request. */
static void part_done(struct slot *slot) {
  if (--slot->parts_n > 0) return;
  tsr_net_done_fn done = slot->done;
  void *arg = slot->done_arg;
  size_t bytes = slot->reply_bytes;
  if (slot->beside) give_long(slot);
  slot->next_free = slot->peer->free;
  slot->peer->free = slot;
  count_busy(slot->peer, -1);
  if (done) done(arg, TSR_NET_REMOTE, bytes);
}

static void tell_local(struct slot *slot) {
  if (slot->done) slot->done(slot->done_arg, TSR_NET_LOCAL, 0);
}

static void on_sent(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  part_done(arg);
}

static void on_bulk_sent(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  tell_local(arg);
  part_done(arg);
}

static void on_reply(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct slot *slot = arg;
  slot->reply_bytes = bytes;
  part_done(slot);
}

static void post_reply(struct slot *slot, void *reply, size_t bytes) {
  slot->parts_n++;
  tsr_mpi_pending_receive(tsr_mpi.requests, reply,
                          (struct tsr_mpi_pending){.done = on_reply, .arg = slot, .what = "a reply", .rank = slot->peer->rank,
                                                   .bytes = bytes, .tag = TSR_MPI_TAG_REPLY + slot->number});
}

static void await_ack(struct slot *slot) {
  slot->parts_n++;
  slot->awaits_ack = true;
}

void tsr_mpi_request_acked(int rank, uint16_t number) {
  struct peer *peer = peer_of(rank);
  struct slot *slot = peer->slots && number < origin.slots_n ? &peer->slots[number] : NULL;
  if (!slot || !slot->awaits_ack)
    tsr_mpi_fatal("rank %d acknowledges request %u, which was not sent; " TSR_MPI_ONE_BUILD, rank, number);
  slot->awaits_ack = false;
  part_done(slot);
}

static void fill_message(struct slot *slot, const struct tsr_net_request *request) {
  struct tsr_mpi_header *header = slot->message;
  void *payload = (slot->beside ? slot->beside : header) + 1;
  *header = (struct tsr_mpi_header){.magic = TSR_MPI_MAGIC,
                                    .slot = slot->number,
                                    .handler = request->handler & 0x7f,
                                    .ordered = request->ordered,
                                    .beside = slot->beside != NULL,
                                    .delayed = request->delayed,
                                    .payload_bytes = (uint32_t)request->payload_bytes & 0x3fffff,
                                    .bulk_bytes = (uint32_t)request->bulk_bytes,
                                    .reply_bytes = (uint32_t)request->reply_bytes};
  memcpy(header->args, request->args, sizeof header->args);
  if (request->pack) request->pack(payload, request->pack_arg);
  else if (request->payload_bytes) memcpy(payload, request->payload, request->payload_bytes);
}

/* At the end of the message; returns its bytes. */
static size_t add_piggybacked(struct slot *slot) {
  uint16_t slots[TSR_MPI_PIGGYBACKED_MAX];
  size_t bytes = tsr_mpi_message_bytes(slot->message), n = (size_t)tsr_mpi_acks_piggyback(slot->peer->rank, slots);
  memcpy((char *)slot->message + bytes, slots, n * sizeof *slots);
  return bytes + n * sizeof *slots;
}

static void send_message(struct slot *slot) {
  struct tsr_mpi_pending pending = {.done = on_sent, .arg = slot, .what = "a request", .rank = slot->peer->rank,
                                    .bytes = add_piggybacked(slot), .tag = TSR_MPI_TAG_REQUEST};
  if (!tsr_mpi_pending_send_at_once(tsr_mpi.requests, slot->message, pending)) slot->parts_n++;
}

static void send_bulk(struct slot *slot, const void *bulk, size_t bytes) {
  slot->parts_n++;
  tsr_mpi_pending_send(tsr_mpi.requests, bulk,
                       (struct tsr_mpi_pending){.done = on_bulk_sent, .arg = slot, .what = "bulk", .rank = slot->peer->rank,
                                                .bytes = bytes, .tag = TSR_MPI_TAG_BULK + slot->number});
}

static void send_out_of_line(struct slot *slot) {
  struct tsr_mpi_pending pending = {.done = on_sent, .arg = slot, .what = "a long payload", .rank = slot->peer->rank,
                                    .bytes = slot->message->payload_bytes, .tag = TSR_MPI_TAG_BULK + slot->number};
  slot->parts_n++;
  tsr_mpi_pending_send(tsr_mpi.requests, slot->beside + 1, pending);
}

tessera_status_t tsr_mpi_request(const struct tsr_net_request *request) {
  assert(request->rank >= 0 && request->rank < tsr_mpi.ranks_n && request->payload_bytes <= tsr_net_limits.payload_bytes);
  assert(request->bulk_bytes <= tsr_net_limits.chunk_bytes && request->reply_bytes <= tsr_net_limits.chunk_bytes);
  assert(!request->bulk_bytes || !is_long(request));
  struct slot *slot = take_slot(request);
  if (!slot) return TESSERA_ERR_AGAIN;
  if (is_long(request)) take_long(slot, request->reserved);
  fill_message(slot, request);
  if (request->reply_bytes) post_reply(slot, request->reply, request->reply_bytes);
  else await_ack(slot);
  send_message(slot);
  if (slot->beside) send_out_of_line(slot);
  if (request->bulk_bytes) send_bulk(slot, request->bulk, request->bulk_bytes);
  else tell_local(slot);
  return TESSERA_OK;
}
