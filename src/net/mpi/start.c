#include "base/bits.h"
#include "base/config.h"
#include "base/status.h"
#include "net/mpi/acks.h"
#include "net/mpi/delay.h"
#include "net/mpi/handler.h"
#include "net/mpi/inbound.h"
#include "net/mpi/long.h"
#include "net/mpi/pending.h"
#include "net/mpi/requests.h"
#include "net/mpi/serve.h"
#include "net/mpi/window.h"
#include "net/none/none.h"

struct tsr_mpi tsr_mpi = {.requests = MPI_COMM_NULL, .tagged = MPI_COMM_NULL};

enum {
  PENDING_N = 256,       /* table of messages under way, before it grows */
  LONG_BYTES = 128 << 10 /* bounds the memory of an endpoint: net.h has the formula */
};

static tessera_status_t check_tags(void) {
  int *highest = NULL, known = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &highest, &known);
  int needed = TSR_NET_TAG_MAX;
  if (known && *highest >= needed) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_NET, "TSR-0220 this MPI has tags up to %d only, and %d are needed; use another MPI or another of "
                  "its transports", known ? *highest : 0, needed);
}

static tessera_status_t duplicate_comm(MPI_Comm comm, MPI_Comm *copy) {
  if (tsr_net_mpi_failed(MPI_Comm_dup(comm, copy), "MPI_Comm_dup") ||
      tsr_net_mpi_failed(MPI_Comm_set_errhandler(*copy, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler"))
    return TESSERA_ERR_NET;
  return TESSERA_OK;
}

/* Ranks may be configured differently, where the environment does not reach them all. The least of each limit is good
 * for all; a window takes all of them. */
static tessera_status_t agree_on_limits(void) {
  long long window = tsr_config.net_rma == TSR_NET_RMA_MPI3;
  long long limits[] = {(long long)tsr_config.eager_limit, (long long)tsr_config.wire_buffer_size, window, -window};
  int code = MPI_Allreduce(MPI_IN_PLACE, limits, 4, MPI_LONG_LONG, MPI_MIN, tsr_mpi.tagged);
  if (tsr_net_mpi_failed(code, "MPI_Allreduce of the limits")) return TESSERA_ERR_NET;
  if (limits[2] != -limits[3])
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0221 TESSERA_NET_RMA differs between the units; let the launcher hand it to all of "
                    "them");
  size_t eager = (size_t)limits[0], chunk = tsr_max_size(tsr_max_size(eager, TSR_NET_PAYLOAD_LEAST), (size_t)limits[1]);
  tsr_net_limits = (struct tsr_net_limits){eager, chunk, .payload_bytes = tsr_max_size(eager, tsr_min_size(chunk, LONG_BYTES))};
  tsr_mpi.window = limits[2] ? TSR_MPI_WINDOW_WANTED : TSR_MPI_WINDOW_NONE;
  return TESSERA_OK;
}

static tessera_status_t make_tables(void) {
  if (tsr_mpi_pending_start(PENDING_N) && tsr_mpi_requests_start(tsr_config.wire_buffers) && tsr_mpi_inbound_start() &&
      tsr_mpi_serve_start())
    return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0222 no private memory for messages of %zu bytes; lower TESSERA_EAGER_LIMIT",
                  tsr_mpi_message_room());
}

/* Either all ranks start or none does. */
static tessera_status_t agree_on_status(tessera_status_t status) {
  int worst = status;
  int code = MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, tsr_mpi.tagged);
  if (tsr_net_mpi_failed(code, "MPI_Allreduce of the status")) return TESSERA_ERR_NET;
  return status || !worst ? status : TESSERA_ERR_PEER;
}

size_t tsr_net_tables_bytes(int ranks_n) {
  return tsr_mpi_pending_bytes(PENDING_N) + tsr_mpi_requests_bytes(ranks_n) + tsr_mpi_inbound_bytes(ranks_n);
}

/* For an eager limit; the smallest message has a header and acknowledgements beside. */
static size_t room_for_eager(size_t eager) {
  return tsr_mpi_room_for(eager + TSR_MPI_PIGGYBACKED_MAX * sizeof(uint16_t));
}

size_t tsr_net_buffers_bytes(void) { return tsr_mpi_serve_buffers_n() * room_for_eager(tsr_config.eager_limit); }
size_t tsr_net_peer_bytes(void) {
  return tsr_mpi_requests_peer_bytes(tsr_config.wire_buffers) + (size_t)tsr_config.wire_buffers * room_for_eager(tsr_config.eager_limit);
}

void tsr_mpi_stop(void) {
  tsr_mpi_pending_stop();
  tsr_mpi_handler_stop();
  tsr_mpi_window_stop();
  tsr_mpi_serve_stop();
  tsr_mpi_delay_stop();
  tsr_mpi_acks_stop();
  tsr_mpi_inbound_stop();
  tsr_mpi_requests_stop();
  tsr_mpi_longs_stop();
  if (tsr_mpi.requests != MPI_COMM_NULL) MPI_Comm_free(&tsr_mpi.requests);
  if (tsr_mpi.tagged != MPI_COMM_NULL) MPI_Comm_free(&tsr_mpi.tagged);
}

void tsr_net_mpi_leave_comms(void) { tsr_mpi.requests = tsr_mpi.tagged = MPI_COMM_NULL; }

tessera_status_t tsr_net_mpi_start(MPI_Comm comm) {
  if (tsr_net != &tsr_net_none) return tsr_fail(TESSERA_ERR_STATE, "TSR-0223 the transport over MPI runs already");
  tessera_status_t status = check_tags();
  if (!status) status = duplicate_comm(comm, &tsr_mpi.requests);
  if (!status) status = duplicate_comm(comm, &tsr_mpi.tagged);
  if (!status) status = agree_on_limits();
  if (status) goto fail;
  MPI_Comm_size(comm, &tsr_mpi.ranks_n);
  status = agree_on_status(make_tables());
  if (status) goto fail;
  tsr_mpi_handler_start();
  tsr_mpi_serve_open();
  tsr_mpi_acks_open();
  tsr_net = &tsr_net_mpi;
  return TESSERA_OK;
fail:
  tsr_mpi_stop();
  return status;
}
