#include "core/proxied.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/copy.h"
#include "base/slab.h"
#include "base/status.h"
#include "core/place.h"
#include "core/post.h"
#include "core/runtime.h"
#include "core/sync.h"

/* In the origin's heap: the request, then payload, bulk, and room for the answer, each from a cache line on. Between
 * sending and `done` it belongs to the unit that serves it. */
struct proxied {
  _Atomic uint32_t done; /* stored last by the owner, which does not touch the block afterwards */
  int32_t origin;
  uint32_t handler;
  uint64_t args[TSR_NET_ARGS_N];
  uint64_t payload_bytes, bulk_bytes, reply_bytes; /* the last: room for the answer, then its size */
  TSR_ALIGNED_LINE char data[];
};

/* In the ring. */
struct reference {
  uint64_t off;
  uint32_t local;
};

/* What the origin keeps of one that is under way. */
struct pending {
  struct pending *next;
  struct proxied *proxied;
  uint64_t off;
  size_t bytes; /* of the block */
  void *reply;
  tsr_net_done_fn done;
  void *done_arg;
};

/* Limits on the requests under way and on the heap that they hold. One request may always be under way, whatever its size. */
enum { PROXIED_MAX = 64, HELD_BYTES_MAX = 32 << 20 };
static struct {
  pthread_mutex_t lock;
  struct pending *first;
  size_t held_bytes;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};
static tsr_slab pendings = TSR_SLAB(sizeof(struct pending));
_Atomic int tsr_proxied_n;

static size_t round_lines(size_t bytes) { return tsr_round_up(bytes, TSR_CACHE_LINE); }
static char *bulk_of(struct proxied *proxied) { return proxied->data + round_lines(proxied->payload_bytes); }
static char *answer_of(struct proxied *proxied) { return bulk_of(proxied) + round_lines(proxied->bulk_bytes); }

/* The answer's room serves as the handler's scratch memory, too. */
static size_t block_bytes(const struct tsr_net_request *request) {
  return sizeof(struct proxied) + round_lines(request->payload_bytes) + round_lines(request->bulk_bytes) + request->reply_bytes;
}

bool tsr_proxied_has_room(uint32_t local, size_t n, size_t bytes) {
  if (n > PROXIED_MAX) return false;
  size_t with_heads = bytes + n * (sizeof(struct proxied) + (size_t)2 * TSR_CACHE_LINE);
  pthread_mutex_lock(&own.lock);
  size_t under_way_n = (size_t)atomic_load_explicit(&tsr_proxied_n, memory_order_relaxed);
  bool room = under_way_n + n <= PROXIED_MAX && (under_way_n + n == 1 || own.held_bytes + with_heads <= HELD_BYTES_MAX);
  pthread_mutex_unlock(&own.lock);
  uint32_t records_bytes = (uint32_t)(n * TSR_CACHE_LINE);
  return room && tsr_ring_has_room(tsr_post_box_of(local).ring, records_bytes, tsr_heap.self);
}

static bool reserve_room(size_t bytes) {
  pthread_mutex_lock(&own.lock);
  int n = atomic_load_explicit(&tsr_proxied_n, memory_order_relaxed);
  bool room = n == 0 || (n < PROXIED_MAX && own.held_bytes + bytes <= HELD_BYTES_MAX);
  if (room) {
    own.held_bytes += bytes;
    atomic_fetch_add_explicit(&tsr_proxied_n, 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&own.lock);
  return room;
}

static void unreserve_room(size_t bytes) {
  pthread_mutex_lock(&own.lock);
  own.held_bytes -= bytes;
  atomic_fetch_sub_explicit(&tsr_proxied_n, 1, memory_order_relaxed);
  pthread_mutex_unlock(&own.lock);
}

static void write_request(struct proxied *proxied, const struct tsr_net_request *request) {
  atomic_init(&proxied->done, 0);
  proxied->origin = tsr_place.self;
  proxied->handler = request->handler;
  memcpy(proxied->args, request->args, sizeof proxied->args);
  proxied->payload_bytes = request->payload_bytes;
  proxied->bulk_bytes = request->bulk_bytes;
  proxied->reply_bytes = request->reply_bytes;
  if (request->pack) request->pack(proxied->data, request->pack_arg);
  else if (request->payload_bytes) tsr_copy(proxied->data, request->payload, request->payload_bytes);
  if (request->bulk_bytes) tsr_copy(bulk_of(proxied), request->bulk, request->bulk_bytes);
}

tessera_status_t tsr_proxied_send(uint32_t local, const struct tsr_net_request *request) {
  size_t bytes = block_bytes(request);
  if (!reserve_room(bytes)) return TESSERA_ERR_AGAIN;
  tessera_status_t status = TESSERA_ERR_MEMORY;
  struct pending *pending = tsr_slab_take(&pendings);
  if (!pending) {
    tsr_fail(status, "TSR-0355 no private memory for a request to unit %d of this node; " TSR_REMEDY_MEMORY, request->rank);
    goto fail_pending;
  }
  *pending = (struct pending){NULL, NULL, 0, bytes, request->reply, request->done, request->done_arg};
  status = tsr_heap_alloc(bytes, TSR_HEAP_INTERNAL, &pending->off);
  if (status) goto fail_block;
  pending->proxied = tsr_heap_at(tsr_heap.self, pending->off);
  write_request(pending->proxied, request);
  if (request->done && request->bulk_bytes) request->done(request->done_arg, TSR_NET_LOCAL, 0);
  struct reference reference = {pending->off, tsr_heap.self};
  struct tsr_post out;
  pthread_mutex_lock(&own.lock);
  pending->next = own.first;
  own.first = pending;
  pthread_mutex_unlock(&own.lock);
  tsr_post_open(&out, local, TSR_RECORD_PROXIED, sizeof reference);
  memcpy(out.record.payload, &reference, sizeof reference);
  tsr_post_send(&out); /* the owner may have answered before this returns */
  return TESSERA_OK;

fail_block:
  tsr_slab_give(&pendings, pending);
fail_pending:
  unreserve_room(bytes);
  return status;
}

/* Takes the answered requests off the list. It waits for the lock: a thread that gave up instead could sleep, although the holder
 * of the lock has just missed an answer. */
static struct pending *take_answered(void) {
  struct pending *answered = NULL;
  pthread_mutex_lock(&own.lock);
  for (struct pending **link = &own.first; *link;) {
    struct pending *pending = *link;
    /* Partner: the store in serve_request(). */
    if (!atomic_load_explicit(&pending->proxied->done, memory_order_acquire)) {
      link = &pending->next;
      continue;
    }
    *link = pending->next;
    pending->next = answered;
    answered = pending;
  }
  pthread_mutex_unlock(&own.lock);
  return answered;
}

int tsr_proxied_collect(void) {
  int done = 0;
  for (struct pending *pending = take_answered(); pending; done++) {
    struct pending *next = pending->next;
    size_t reply_bytes = pending->proxied->reply_bytes;
    if (reply_bytes) tsr_copy(pending->reply, answer_of(pending->proxied), reply_bytes);
    tsr_heap_free(pending->off, TSR_HEAP_INTERNAL);
    unreserve_room(pending->bytes);
    if (pending->done) pending->done(pending->done_arg, TSR_NET_REMOTE, reply_bytes);
    tsr_slab_give(&pendings, pending);
    pending = next;
  }
  return done;
}

/* On the owner. A bad reference is a foreign or damaged message. */
static void serve_request(const struct tsr_ring_record *record) {
  struct reference reference;
  tsr_sync_serve();
  memcpy(&reference, record->payload, sizeof reference);
  bool good = reference.local < tsr_heap.units_n && reference.off < tsr_heap_slice_bytes();
  struct proxied *proxied = good ? tsr_heap_at(reference.local, reference.off) : NULL;
  if (!proxied || proxied->handler >= TSR_NET_HANDLERS_MAX || !tsr_net_handlers[proxied->handler])
    tsr_abort(1, "TSR-0356 a request of a unit of this node names no handler; all units must run the same build of Tessera");
  char *answer = answer_of(proxied);
  struct tsr_net_in in = {proxied->origin, proxied->args, proxied->data, proxied->payload_bytes, proxied->bulk_bytes,
                          proxied->reply_bytes};
  struct tsr_net_out out = {.scratch = answer, .scratch_bytes = proxied->reply_bytes};
  tsr_net_handlers[proxied->handler](&in, &out);
  if (in.bulk_bytes) {
    tsr_copy(out.bulk, bulk_of(proxied), in.bulk_bytes);
    if (out.on_bulk) out.on_bulk(out.on_bulk_arg);
  }
  if (out.reply_bytes > in.reply_bytes)
    tsr_abort(1, "TSR-0357 handler %u answers %zu bytes to unit %d, which has room for %zu; all units must run the same build of "
              "Tessera",
              proxied->handler, out.reply_bytes, proxied->origin, in.reply_bytes);
  if (out.reply_bytes && out.reply != answer) tsr_copy(answer, out.reply, out.reply_bytes);
  proxied->reply_bytes = out.reply_bytes;
  tsr_sync_served();
  atomic_store_explicit(&proxied->done, 1, memory_order_release); /* partner: the load in take_answered() */
  tsr_bell_ring(&tsr_heap_unit(reference.local)->bell);
}

__attribute__((constructor)) static void register_owner(void) { tsr_progress_register(TSR_RECORD_PROXIED, serve_request); }
void tsr_proxied_stop(void) { tsr_slab_drop(&pendings); }
