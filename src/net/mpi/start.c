#include "base/config.h"
#include "base/status.h"
#include "net/mpi/agree.h"
#include "net/mpi/comms.h"
#include "net/mpi/handler.h"
#include "net/mpi/pending.h"
#include "net/mpi/serve.h"
#include "net/mpi/window.h"

struct tsr_mpi tsr_mpi = {.requests = MPI_COMM_NULL, .tagged = MPI_COMM_NULL};

enum { PENDING_N = 256 /* table of messages under way, before it grows */ };

static tessera_status_t check_tags(void) {
  int *highest = NULL, known = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &highest, &known);
  int needed = TSR_NET_TAG_MAX;
  if (known && *highest >= needed) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_NET, "TSR-0220 this MPI has tags up to %d only, and %d are needed; use another MPI or another of "
                  "its transports", known ? *highest : 0, needed);
}

static tessera_status_t make_tables(MPI_Comm comm) {
  int ranks_n = 0, rank = 0;
  MPI_Comm_size(comm, &ranks_n);
  MPI_Comm_rank(comm, &rank);
  tessera_status_t status = tsr_wire_prepare(ranks_n, rank);
  if (status || (tsr_mpi_pending_start(PENDING_N) && tsr_mpi_serve_start())) return status;
  return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0233 no private memory to receive messages of %zu bytes; lower TESSERA_EAGER_LIMIT",
                  tsr_wire_message_room());
}

size_t tsr_net_mpi_tables_bytes(void) { return tsr_mpi_pending_bytes(PENDING_N); }
size_t tsr_net_mpi_receives_n(void) { return tsr_mpi_serve_buffers_n(); }

static void stop_mpi(void) {
  tsr_mpi_handler_stop();
  tsr_mpi_window_stop();
  tsr_mpi_serve_stop();
  if (tsr_mpi.requests != MPI_COMM_NULL) MPI_Comm_free(&tsr_mpi.requests);
  if (tsr_mpi.tagged != MPI_COMM_NULL) MPI_Comm_free(&tsr_mpi.tagged);
}

void tsr_net_mpi_leave_comms(void) { tsr_mpi.requests = tsr_mpi.tagged = MPI_COMM_NULL; }

/* ---- the wire ---- */

_Static_assert(sizeof(MPI_Request) <= sizeof(tsr_wire_send), "a request of MPI is a number or a pointer");

static tsr_wire_send send_request(int rank, const void *message, size_t bytes) {
  return (tsr_wire_send)tsr_mpi_pending_send_request(rank, message, bytes);
}

static void forget_send(tsr_wire_send send) { tsr_mpi_pending_forget((MPI_Request)send); }

static void abandon_send(tsr_wire_send send) {
  MPI_Request request = (MPI_Request)send;
  MPI_Wait(&request, MPI_STATUS_IGNORE); /* MPI may still send it */
}

static int poll_mpi(void) {
  int done_n = tsr_mpi_pending_poll() + tsr_mpi_serve_poll();
  if (!done_n) tsr_mpi_serve_idle();
  return done_n;
}

static bool test_barrier(void) { return tsr_mpi_test_barrier(tsr_mpi.tagged); }

#define MPI_WIRE                                                                                                                  \
  .name = "mpi", .send_request = send_request, .answered = forget_send, .abandon = abandon_send,                                  \
  .send_acks = tsr_mpi_pending_send_acks, .send = tsr_mpi_pending_send, .receive = tsr_mpi_pending_receive, .poll = poll_mpi,     \
  .moves = tsr_mpi_pending_moves, .barrier = test_barrier, .stop_traffic = tsr_mpi_pending_stop, .stop = stop_mpi

static const struct tsr_wire mpi_wire = {MPI_WIRE};
const struct tsr_wire tsr_mpi_window_wire = {MPI_WIRE, .ends_together = true, .put = tsr_mpi_window_put, .get = tsr_mpi_window_get,
                                             .window_poll = tsr_mpi_window_poll, .window_busy = tsr_mpi_window_busy};

tessera_status_t tsr_net_mpi_start(MPI_Comm comm) {
  tessera_status_t status = check_tags();
  if (!status) status = tsr_mpi_duplicate_comm(comm, &tsr_mpi.requests);
  if (!status) status = tsr_mpi_duplicate_comm(comm, &tsr_mpi.tagged);
  tsr_mpi.window = tsr_config.net_rma == TSR_NET_RMA_MPI3 ? TSR_MPI_WINDOW_WANTED : TSR_MPI_WINDOW_NONE;
  if (!status) status = tsr_mpi_agree_on_status(tsr_mpi.tagged, make_tables(comm));
  if (status) {
    tsr_wire_end(&mpi_wire);
    return status;
  }
  tsr_mpi_handler_start();
  tsr_mpi_serve_open();
  tsr_wire_use(&mpi_wire);
  return TESSERA_OK;
}
