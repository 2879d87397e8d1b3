/* The table of operations, and the lock around them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/status.h"
#include "base/wait.h"
#include "net/mpi/acks.h"
#include "net/mpi/delay.h"
#include "net/mpi/inbound.h"
#include "net/mpi/pending.h"
#include "net/mpi/requests.h"
#include "net/mpi/serve.h"
#include "net/mpi/window.h"
#include "net/mpi/wire.h"
#include "net/none/none.h"

/* One thread at a time has the transport. Handlers and callbacks run with the lock held and may start traffic: the owner enters
 * again without taking the lock, and a poll of the owner does nothing. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic pthread_t owner; /* 0: none. Only the owner itself must see its own value */
static _Atomic int waiting_n;   /* threads that wait for the lock to start something */

bool tsr_mpi_is_inside(void) { return atomic_load_explicit(&owner, memory_order_relaxed) == pthread_self(); }

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

static int mpi_poll(void) {
  if (atomic_load_explicit(&waiting_n, memory_order_relaxed) > 0 || pthread_mutex_trylock(&lock) != 0) return 0;
  atomic_store_explicit(&owner, pthread_self(), memory_order_relaxed);
  int done_n = tsr_mpi_pending_poll() + tsr_mpi_acks_poll() + tsr_mpi_serve_poll();
  if (tsr_mpi_delay_wanted()) done_n += tsr_mpi_delay_poll();
  for (struct tsr_mpi_inbound *inbound; (inbound = tsr_mpi_inbound_next()); done_n++) {
    unlock_transport(true);
    tsr_mpi_inbound_run(inbound);
    lock_transport();
    tsr_mpi_inbound_ran(inbound);
  }
  tsr_mpi_acks_send(done_n == 0);
  done_n += tsr_mpi_window_poll();
  unlock_transport(true);
  return done_n;
}

/* A long payload takes longer to copy than a system call: other threads have the transport meanwhile. */
static tessera_status_t mpi_request(const struct tsr_net_request *request) {
  const bool is_long = tsr_mpi_request_is_long(request);
  bool outermost = lock_transport();
  struct tsr_mpi_slot *slot = tsr_mpi_request_take(request);
  if (slot && is_long) unlock_transport(outermost);
  if (slot) tsr_mpi_request_fill(slot, request);
  if (slot && is_long) outermost = lock_transport();
  if (slot) tsr_mpi_request_send(slot, request);
  unlock_transport(outermost);
  return slot ? TESSERA_OK : TESSERA_ERR_AGAIN;
}

static bool mpi_reserve(int rank, size_t requests_n, size_t long_n) {
  bool outermost = lock_transport();
  bool reserved = tsr_mpi_requests_reserve(rank, requests_n, long_n);
  unlock_transport(outermost);
  return reserved;
}

static void mpi_unreserve(int rank, size_t requests_n, size_t long_n) {
  bool outermost = lock_transport();
  tsr_mpi_requests_unreserve(rank, requests_n, long_n);
  unlock_transport(outermost);
}

/* `done` of a tagged message is called by the next poll, also when MPI has sent the message at once: a callback that starts the
 * next message would otherwise nest one call deeper each time. */
static struct tsr_mpi_pending tagged_message(int rank, int tag, size_t bytes, tsr_net_done_fn done, void *arg) {
  assert(rank >= 0 && rank < tsr_mpi.ranks_n && tag >= 0 && tag <= TSR_NET_TAG_MAX && bytes <= tsr_net_limits.chunk_bytes);
  return (struct tsr_mpi_pending){
      .done = done, .arg = arg, .what = "a tagged message", .bytes = bytes, .rank = rank, .tag = tag};
}

static tessera_status_t send_tagged(const void *data, const struct tsr_mpi_pending *message) {
  bool outermost = lock_transport();
  tsr_mpi_pending_send(tsr_mpi.tagged, data, *message);
  unlock_transport(outermost);
  return TESSERA_OK;
}

static tessera_status_t mpi_send(int rank, int tag, const void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  struct tsr_mpi_pending message = tagged_message(rank, tag, bytes, done, arg);
  return send_tagged(data, &message);
}

static tessera_status_t send_synchronous(int rank, int tag, const void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  struct tsr_mpi_pending message = tagged_message(rank, tag, bytes, done, arg);
  message.synchronous = true;
  return send_tagged(data, &message);
}

static tessera_status_t mpi_receive(int rank, int tag, void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  struct tsr_mpi_pending message = tagged_message(rank, tag, bytes, done, arg);
  message.exact = true;
  bool outermost = lock_transport();
  tsr_mpi_pending_receive(tsr_mpi.tagged, data, message);
  unlock_transport(outermost);
  return TESSERA_OK;
}

static int mpi_outstanding(int rank) { return tsr_mpi_requests_busy(rank) + (rank < 0 ? tsr_mpi_window_busy() : 0); }

/* A rank comes to the barrier when all that it has started has been answered, so that after it no message is on its way. */
static bool have_all_settled(MPI_Request *barrier) {
  int over = false;
  mpi_poll();
  bool outermost = lock_transport();
  if (*barrier != MPI_REQUEST_NULL) MPI_Test(barrier, &over, MPI_STATUS_IGNORE);
  else if (mpi_outstanding(-1) == 0) MPI_Ibarrier(tsr_mpi.tagged, barrier);
  unlock_transport(outermost);
  return over;
}

static void mpi_quiesce(void) {
  enum { BACKOFF_NS = 20000 };
  MPI_Request barrier = MPI_REQUEST_NULL;
  while (!have_all_settled(&barrier)) tsr_wait_sleep_ns(BACKOFF_NS);
}

/* Ends whatever call of the transport the caller was inside of. */
static void mpi_finish(void) {
  lock_transport();
  tsr_net = &tsr_net_none;
  tsr_mpi_stop();
  unlock_transport(true);
}

static tessera_status_t mpi_put(const struct tsr_net_piece *piece) {
  bool outermost = lock_transport();
  tessera_status_t status = tsr_mpi_window_put(piece);
  unlock_transport(outermost);
  return status;
}

static tessera_status_t mpi_get(const struct tsr_net_piece *piece) {
  bool outermost = lock_transport();
  tessera_status_t status = tsr_mpi_window_get(piece);
  unlock_transport(outermost);
  return status;
}

static tessera_status_t no_window(const struct tsr_net_piece *piece) {
  return tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-0224 there is no window over the heap of unit %d", piece->unit);
}

#define COMMON_OPS                                                                                                            \
  .name = "mpi", .settle = mpi_quiesce, .finish = mpi_finish, .request = mpi_request, .has_room = tsr_mpi_requests_have_room, \
  .reserve = mpi_reserve, .unreserve = mpi_unreserve, .send = mpi_send, .send_synchronous = send_synchronous,                 \
  .receive = mpi_receive, .poll = mpi_poll, .outstanding = mpi_outstanding, .moves = tsr_mpi_pending_moves

const struct tsr_net_ops tsr_net_mpi = {COMMON_OPS, .put = no_window, .get = no_window};
const struct tsr_net_ops tsr_net_mpi_window = {COMMON_OPS, .has_window = true, .put = mpi_put, .get = mpi_get};
