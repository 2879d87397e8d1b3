/* The transport: the table of operations over any wire, and the lock around them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/status.h"
#include "base/wait.h"
#include "net/common/acks.h"
#include "net/common/delay.h"
#include "net/common/inbound.h"
#include "net/common/requests.h"
#include "net/common/wire.h"
#include "net/none/none.h"

/* One thread at a time has the transport. Handlers and callbacks run with the lock held, but for long ones, and may start
 * traffic: the owner enters again without taking the lock, and a poll of the owner does nothing. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic pthread_t owner; /* 0: none. Only the owner itself must see its own value */
static _Atomic int waiting_n;   /* threads that wait for the lock to start something */

bool tsr_wire_is_inside(void) { return atomic_load_explicit(&owner, memory_order_relaxed) == pthread_self(); }

/* Returns true if the caller must leave. Threads that poll give up the lock while others wait for it, since a mutex is not fair. */
static bool lock_transport(void) {
  const pthread_t self = pthread_self();
  if (atomic_load_explicit(&owner, memory_order_relaxed) == self) return false;
  if (pthread_mutex_trylock(&lock) != 0) {
    atomic_fetch_add_explicit(&waiting_n, 1, memory_order_relaxed);
    pthread_mutex_lock(&lock);
    atomic_fetch_sub_explicit(&waiting_n, 1, memory_order_relaxed);
  }
  atomic_store_explicit(&owner, self, memory_order_relaxed);
  return true;
}

static void unlock_transport(bool outermost) {
  if (!outermost) return;
  atomic_store_explicit(&owner, 0, memory_order_relaxed);
  pthread_mutex_unlock(&lock);
}

/* Runs without the lock what may copy long data: handlers of requests with a long payload or reply, and `done` of the latter. */
static int run_long_ones(void) {
  int done_n = 0;
  struct tsr_wire_done done;
  for (; tsr_wire_requests_next_done(&done); done_n++) {
    unlock_transport(true);
    done.call(done.arg, TSR_NET_REMOTE, done.reply_bytes);
    lock_transport();
    tsr_wire_requests_called();
  }
  for (struct tsr_wire_inbound *inbound; (inbound = tsr_wire_inbound_next()); done_n++) {
    unlock_transport(true);
    tsr_wire_inbound_run(inbound);
    lock_transport();
    tsr_wire_inbound_ran(inbound);
  }
  return done_n;
}

static int wire_poll(void) {
  if (atomic_load_explicit(&waiting_n, memory_order_relaxed) > 0 || pthread_mutex_trylock(&lock) != 0) return 0;
  atomic_store_explicit(&owner, pthread_self(), memory_order_relaxed);
  tsr_wire_requests_flush();
  int done_n = tsr_wire->poll();
  if (tsr_wire_delay_wanted()) done_n += tsr_wire_delay_poll();
  done_n += run_long_ones();
  tsr_wire_requests_flush(); /* requests carry acknowledgements, so they are sent first */
  tsr_wire_acks_send(done_n ? TSR_WIRE_ACKS_BUSY : TSR_WIRE_ACKS_IDLE);
  if (tsr_wire->window_poll) done_n += tsr_wire->window_poll();
  unlock_transport(true);
  return done_n;
}

/* A long payload takes longer to copy than a system call: other threads have the transport meanwhile. */
static tessera_status_t wire_request(const struct tsr_net_request *request) {
  const bool is_long = tsr_wire_request_is_long(request);
  bool outermost = lock_transport();
  struct tsr_wire_slot *slot = tsr_wire_request_take(request);
  if (slot && is_long) unlock_transport(outermost);
  if (slot) tsr_wire_request_fill(slot, request);
  if (slot && is_long) outermost = lock_transport();
  if (slot) tsr_wire_request_send(slot, request);
  unlock_transport(outermost);
  return slot ? TESSERA_OK : TESSERA_ERR_AGAIN;
}

static bool wire_reserve(int rank, size_t requests_n, size_t long_n) {
  bool outermost = lock_transport();
  bool reserved = tsr_wire_requests_reserve(rank, requests_n, long_n);
  unlock_transport(outermost);
  return reserved;
}

static void wire_unreserve(int rank, size_t requests_n, size_t long_n) {
  bool outermost = lock_transport();
  tsr_wire_requests_unreserve(rank, requests_n, long_n);
  unlock_transport(outermost);
}

/* `done` is called by the next poll, also when the wire has sent the message at once: a callback that starts the next message
 * would otherwise nest one call deeper each time. */
static struct tsr_wire_message tagged_message(const struct tsr_net_message *message) {
  assert(message->rank >= 0 && message->rank < tsr_wire_ranks_n && message->bytes <= tsr_net_limits.chunk_bytes);
  assert(message->tag >= 0 && message->tag <= TSR_NET_TAG_MAX);
  return (struct tsr_wire_message){.kind = TSR_WIRE_TAGGED, .rank = message->rank, .tag = message->tag,
                                   .bytes = message->bytes, .done = message->done, .arg = message->done_arg,
                                   .what = "a tagged message", .synchronous = message->synchronous};
}

static void wire_send(const void *data, const struct tsr_net_message *message) {
  const struct tsr_wire_message tagged = tagged_message(message);
  bool outermost = lock_transport();
  tsr_wire->send(data, &tagged);
  unlock_transport(outermost);
}

static void wire_receive(void *data, const struct tsr_net_message *message) {
  const struct tsr_wire_message tagged = tagged_message(message);
  bool outermost = lock_transport();
  tsr_wire->receive(data, &tagged);
  unlock_transport(outermost);
}

static int wire_pieces_outstanding(void) { return tsr_wire->window_busy ? tsr_wire->window_busy() : 0; }

static int wire_outstanding(int rank) { return tsr_wire_requests_busy(rank) + (rank < 0 ? wire_pieces_outstanding() : 0); }

/* A rank comes to the barrier when all that it has started has been answered, so that after it no message is on its way. */
static bool have_all_quiesced(bool *has_come) {
  wire_poll();
  bool outermost = lock_transport();
  if (!*has_come) *has_come = wire_outstanding(-1) == 0;
  bool over = *has_come && tsr_wire->barrier();
  unlock_transport(outermost);
  return over;
}

static void wire_quiesce(void) {
  enum { BACKOFF_NS = 20000 };
  bool has_come = false;
  while (!have_all_quiesced(&has_come)) tsr_wait_sleep_ns(BACKOFF_NS);
}

/* Ends whatever call of the transport the caller was inside of. */
static void wire_finish(void) {
  lock_transport();
  tsr_net = &tsr_net_none;
  tsr_wire_end(tsr_wire);
  unlock_transport(true);
}

/* A thread that sleeps next has sent all that was held back or collected. Its last poll may have done nothing, since another
 * thread had the lock. */
static bool wire_arm(void) {
  bool outermost = lock_transport();
  tsr_wire_requests_flush();
  tsr_wire_acks_send(TSR_WIRE_ACKS_ALL);
  bool armed = !tsr_wire_delay_holds() && tsr_wire->arm();
  unlock_transport(outermost);
  return armed;
}

static tessera_status_t wire_put(const struct tsr_net_piece *piece) {
  bool outermost = lock_transport();
  tessera_status_t status = tsr_wire->put(piece);
  unlock_transport(outermost);
  return status;
}

static tessera_status_t wire_get(const struct tsr_net_piece *piece) {
  bool outermost = lock_transport();
  tessera_status_t status = tsr_wire->get(piece);
  unlock_transport(outermost);
  return status;
}

static tessera_status_t no_window(const struct tsr_net_piece *piece) {
  return tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-0224 the transport has no one-sided operations on the heap of unit %d; unset "
                  "TESSERA_NET_RMA and TESSERA_UCX_RMA", piece->unit);
}

void tsr_wire_use(const struct tsr_wire *wire) {
  static struct tsr_net_ops ops;
  tsr_wire = wire;
  ops = (struct tsr_net_ops){.name = wire->name, .quiesce = wire_quiesce, .finish = wire_finish, .request = wire_request,
                             .has_room = tsr_wire_requests_have_room, .reserve = wire_reserve, .unreserve = wire_unreserve,
                             .ends_together = wire->ends_together, .has_window = wire->put, .put = wire->put ? wire_put : no_window,
                             .get = wire->get ? wire_get : no_window, .send = wire_send, .receive = wire_receive,
                             .poll = wire_poll, .outstanding = wire_outstanding,
                             .pieces_outstanding = wire_pieces_outstanding, .moves = wire->moves,
                             .event_fd = wire->arm ? wire->event_fd() : -1, .arm = wire_arm};
  tsr_net = &ops;
}
