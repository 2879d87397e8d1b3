/* The table of operations, and the lock around them. */
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
#include "net/mpi/tagged.h"
#include "net/mpi/window.h"
#include "net/mpi/wire.h"
#include "net/none/none.h"

/* One thread at a time is inside. Handlers and callbacks run there and may start traffic, so the owner enters again
 * without taking the lock; poll finds it taken and does nothing, the owner's too. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic pthread_t owner; /* 0: nobody. Only the owner itself needs to see it right */
static _Atomic int waiting_n;   /* threads that want to start something */

bool tsr_mpi_is_inside(void) { return atomic_load_explicit(&owner, memory_order_relaxed) == pthread_self(); }
static void set_owner(pthread_t thread) { atomic_store_explicit(&owner, thread, memory_order_relaxed); }

/* True: leave again. A thread that polls in a loop would keep all others out (a mutex knows no queue), so it steps
 * back while one waits. */
static bool enter(void) {
  if (tsr_mpi_is_inside()) return false;
  if (pthread_mutex_trylock(&lock) != 0) {
    atomic_fetch_add_explicit(&waiting_n, 1, memory_order_relaxed);
    pthread_mutex_lock(&lock);
    atomic_fetch_sub_explicit(&waiting_n, 1, memory_order_relaxed);
  }
  set_owner(pthread_self());
  return true;
}

static void leave(bool outermost) {
  if (!outermost) return;
  set_owner(0);
  pthread_mutex_unlock(&lock);
}

static int poll(void) {
  if (atomic_load_explicit(&waiting_n, memory_order_relaxed) > 0 || pthread_mutex_trylock(&lock) != 0) return 0;
  set_owner(pthread_self());
  int done_n = tsr_mpi_pending_poll() + tsr_mpi_acks_poll() + tsr_mpi_serve_poll();
  if (tsr_mpi_delay_wanted()) done_n += tsr_mpi_delay_poll();
  tsr_mpi_acks_send(done_n == 0);
  done_n += tsr_mpi_window_poll();
  leave(true);
  return done_n;
}

static tessera_status_t request(const struct tsr_net_request *request) {
  bool outermost = enter();
  tessera_status_t status = tsr_mpi_request(request);
  leave(outermost);
  return status;
}

static bool reserve(int rank, size_t requests_n, size_t long_n) {
  bool outermost = enter();
  bool reserved = tsr_mpi_requests_reserve(rank, requests_n, long_n);
  leave(outermost);
  return reserved;
}

static void unreserve(int rank, size_t requests_n, size_t long_n) {
  bool outermost = enter();
  tsr_mpi_requests_unreserve(rank, requests_n, long_n);
  leave(outermost);
}

static tessera_status_t send(int rank, int tag, const void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  bool outermost = enter();
  tsr_mpi_send(rank, tag, data, bytes, false, done, arg);
  leave(outermost);
  return TESSERA_OK;
}

static tessera_status_t send_synchronous(int rank, int tag, const void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  bool outermost = enter();
  tsr_mpi_send(rank, tag, data, bytes, true, done, arg);
  leave(outermost);
  return TESSERA_OK;
}

static tessera_status_t receive(int rank, int tag, void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  bool outermost = enter();
  tsr_mpi_receive(rank, tag, data, bytes, done, arg);
  leave(outermost);
  return TESSERA_OK;
}

static void answer(void *inbound, const void *reply, size_t reply_bytes) {
  bool outermost = enter();
  tsr_mpi_inbound_answer(inbound, reply, reply_bytes);
  if (outermost) tsr_mpi_acks_send(false);
  leave(outermost);
}

static int outstanding(int rank) { return tsr_mpi_requests_busy(rank) + (rank < 0 ? tsr_mpi_window_busy() : 0); }

/* A rank comes to the barrier when all that it has started has been answered, so that after it no message is on its way. */
static bool have_all_settled(MPI_Request *barrier) {
  int over = false;
  poll();
  bool outermost = enter();
  if (*barrier != MPI_REQUEST_NULL) MPI_Test(barrier, &over, MPI_STATUS_IGNORE);
  else if (outstanding(-1) == 0) MPI_Ibarrier(tsr_mpi.tagged, barrier);
  leave(outermost);
  return over;
}

static void settle(void) {
  enum { BACKOFF_NS = 20000 };
  MPI_Request barrier = MPI_REQUEST_NULL;
  while (!have_all_settled(&barrier)) tsr_wait_sleep_ns(BACKOFF_NS);
}

/* Whatever the caller was inside of ends with it. */
static void finish(void) {
  enter();
  tsr_net = &tsr_net_none;
  tsr_mpi_stop();
  leave(true);
}

static tessera_status_t put(const struct tsr_net_piece *piece) {
  bool outermost = enter();
  tessera_status_t status = tsr_mpi_window_put(piece);
  leave(outermost);
  return status;
}

static tessera_status_t get(const struct tsr_net_piece *piece) {
  bool outermost = enter();
  tessera_status_t status = tsr_mpi_window_get(piece);
  leave(outermost);
  return status;
}

static tessera_status_t no_window(const struct tsr_net_piece *piece) {
  return tsr_fail(TESSERA_ERR_UNSUPPORTED, "there is no window over the heap of unit %d", piece->unit);
}

#define COMMON_OPS                                                                                                    \
  .name = "mpi", .settle = settle, .finish = finish, .request = request, .has_room = tsr_mpi_requests_have_room,      \
  .reserve = reserve, .unreserve = unreserve, .send = send, .send_synchronous = send_synchronous, .receive = receive, \
  .poll = poll, .answer = answer, .outstanding = outstanding, .moves = tsr_mpi_pending_moves

const struct tsr_net_ops tsr_net_mpi = {COMMON_OPS, .put = no_window, .get = no_window};
const struct tsr_net_ops tsr_net_mpi_window = {COMMON_OPS, .has_window = true, .put = put, .get = get};
