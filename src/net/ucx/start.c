#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "base/status.h"
#include "net/mpi/agree.h"
#include "net/mpi/mpi.h"
#include "net/ucx/endpoint.h"
#include "net/ucx/library.h"
#include "net/ucx/messages.h"
#include "net/ucx/probe.h"
#include "net/ucx/rma.h"
#include "net/ucx/ucx.h"

static bool test_barrier(void) { return tsr_mpi_test_barrier(tsr_ucx_worker.comm); }

static int event_fd(void) { return tsr_ucx_worker.event_fd; }

static void stop_ucx(void) {
  tsr_ucx_rma_stop();
  tsr_ucx_worker_end();
  tsr_ucx_messages_free();
}

#define UCX_WIRE                                                                                                              \
  .name = "ucx", .send_request = tsr_ucx_send_request, .answered = tsr_ucx_release_request,                                   \
  .abandon = tsr_ucx_release_request, .send_acks = tsr_ucx_send_acks, .send = tsr_ucx_send, .receive = tsr_ucx_receive,       \
  .poll = tsr_ucx_poll, .moves = tsr_ucx_moves, .arm = tsr_ucx_arm, .event_fd = event_fd, .barrier = test_barrier,            \
  .stop_traffic = tsr_ucx_messages_stop, .stop = stop_ucx

static const struct tsr_wire ucx_wire = {UCX_WIRE};
static const struct tsr_wire rma_wire = {UCX_WIRE, .put = tsr_ucx_rma_put, .get = tsr_ucx_rma_get,
                                         .window_poll = tsr_ucx_rma_poll, .window_busy = tsr_ucx_rma_busy};

/* A connection takes a descriptor on both sides, and UCX does not recover if a rank has none left. One rank reports for all: hosts
 * usually have the same limits. */
static void raise_descriptor_limit(int ranks_n, bool reports) {
  enum { PROGRAM_N = 64 /* that the program may open */ };
  struct rlimit limit;
  int used_n = dup(tsr_ucx_worker.event_fd);
  if (used_n < 0 || getrlimit(RLIMIT_NOFILE, &limit)) return;
  close(used_n);
  rlim_t needed_n = (rlim_t)used_n + (rlim_t)ranks_n + PROGRAM_N;
  if (limit.rlim_cur >= needed_n) return;
  limit.rlim_cur = limit.rlim_max < needed_n ? limit.rlim_max : needed_n;
  if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == needed_n) return;
  if (reports)
    tsr_warn("TSR-0254 TESSERA_NET=ucx: this process may open %llu files (ulimit -n), and needs up to %llu, one for each of %d "
             "processes among them; raise the limit, or set TESSERA_NET=mpi, if the job fails for lack of them",
             (unsigned long long)limit.rlim_cur, (unsigned long long)needed_n, ranks_n);
}

static tessera_status_t make_worker(MPI_Comm comm) {
  int ranks_n = 0, rank = 0;
  MPI_Comm_size(comm, &ranks_n);
  MPI_Comm_rank(comm, &rank);
  tessera_status_t status = tsr_ucx_open(true);
  if (!status) status = tsr_wire_prepare(ranks_n, rank);
  if (!status) status = tsr_ucx_worker_make(ranks_n);
  if (!status) raise_descriptor_limit(ranks_n, rank == 0);
  if (!status) status = tsr_ucx_messages_open();
  return status;
}

static bool agree_on(bool holds) {
  int all = holds;
  return !tsr_net_mpi_failed(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, tsr_ucx_worker.comm), "MPI_Allreduce") && all;
}

tessera_status_t tsr_net_ucx_start(MPI_Comm comm, const struct tsr_net_node *node, struct tsr_ucx_options options) {
  tsr_ucx_worker.is_optional = options.is_optional;
  tessera_status_t status = tsr_mpi_duplicate_comm(comm, &tsr_ucx_worker.comm);
  if (!status) tsr_ucx_worker.wants_rma = agree_on(options.rma);
  if (!status) status = tsr_mpi_agree_on_status(tsr_ucx_worker.comm, make_worker(comm));
  if (!status) status = tsr_mpi_agree_on_status(tsr_ucx_worker.comm, tsr_ucx_addresses_share(tsr_wire_ranks_n, node));
  if (status) tsr_wire_end(&ucx_wire);
  else tsr_wire_use(&ucx_wire);
  return status;
}

/* Reasons of the own rank are logged; with `auto` by the first rank, as the nodes of a cluster are alike. */
static tessera_status_t fail_rma(const char *why) {
  if (tsr_config.ucx_rma == TSR_UCX_RMA_ON)
    return tsr_fail(TESSERA_ERR_UNSUPPORTED,
                    "TSR-0263 TESSERA_UCX_RMA=on: puts and gets cannot be one-sided here: %s; unset it, or "
                    "allow a transport that can by TESSERA_UCX_TLS, such as rc,self",
                    why);
  if (tsr_wire_rank == 0) tsr_info("puts and gets between nodes are requests: %s", why);
  return TESSERA_OK;
}

tessera_status_t tsr_net_ucx_rma_start(const struct tsr_net_heap *heap) {
  const char *why = "on another rank the heap cannot be registered";
  if (!tsr_ucx_worker.wants_rma) return TESSERA_OK;
  if (!agree_on(tsr_ucx_rma_register(heap, &why)))
    return fail_rma(why ? why : "another process cannot register its heap");
  if (!agree_on(tsr_ucx_probe(heap)))
    return fail_rma("a probe shows that a put or a get waits until a process of the target's node makes progress");
  if (tsr_wire_rank == 0)
    tsr_info("puts and gets between nodes are one-sided operations of UCX: a probe shows that they need no target");
  tsr_wire_use(&rma_wire);
  return TESSERA_OK;
}

void tsr_net_ucx_leave(void) { tsr_ucx_worker.comm = MPI_COMM_NULL; }
