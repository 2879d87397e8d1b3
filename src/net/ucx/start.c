#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "base/status.h"
#include "net/mpi/agree.h"
#include "net/ucx/endpoint.h"
#include "net/ucx/library.h"
#include "net/ucx/messages.h"
#include "net/ucx/ucx.h"

static bool barrier(void) { return tsr_mpi_test_barrier(tsr_ucx_worker.comm); }

static int event_fd(void) { return tsr_ucx_worker.event_fd; }

static void stop(void) {
  tsr_ucx_worker_end();
  tsr_ucx_messages_free();
}

static const struct tsr_wire ucx_wire = {.name = "ucx",
                                         .send_request = tsr_ucx_send_request,
                                         .answered = tsr_ucx_release_request,
                                         .abandon = tsr_ucx_release_request,
                                         .send_acks = tsr_ucx_send_acks,
                                         .send = tsr_ucx_send,
                                         .receive = tsr_ucx_receive,
                                         .poll = tsr_ucx_poll,
                                         .moves = tsr_ucx_moves,
                                         .arm = tsr_ucx_arm,
                                         .event_fd = event_fd,
                                         .barrier = barrier,
                                         .stop_traffic = tsr_ucx_messages_stop,
                                         .stop = stop};

/* A connection to each rank takes a descriptor here and there, and UCX does not recover where a rank has none left. One rank
 * reports for all: hosts have the same limits as a rule. */
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

tessera_status_t tsr_net_ucx_start(MPI_Comm comm, const struct tsr_net_node *node) {
  tessera_status_t status = tsr_mpi_duplicate_comm(comm, &tsr_ucx_worker.comm);
  if (!status) status = tsr_mpi_agree_on_status(tsr_ucx_worker.comm, make_worker(comm));
  if (!status) status = tsr_mpi_agree_on_status(tsr_ucx_worker.comm, tsr_ucx_addresses_share(tsr_wire_ranks_n, node));
  if (status) tsr_wire_end(&ucx_wire);
  else tsr_wire_use(&ucx_wire);
  return status;
}

void tsr_net_ucx_leave(void) { tsr_ucx_worker.comm = MPI_COMM_NULL; }
