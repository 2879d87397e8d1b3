/* Messages of the wire between nodes over UCX, a case for each: UCX or MPI fails, rank 1 sends what no build of Tessera sends, or
 * there is no private memory; the transport alone, without the runtime. See support/golden.h. */
#include "support/no_memory.h"

#include <mpi.h>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "net/mpi/mpi.h"
#include "net/start.h"
#include "support/golden.h"

#if __has_include(<ucp/api/ucp.h>)
#include "net/ucx/endpoint.h"

/* A library that was built without UCX does not have them. */
#pragma weak tsr_ucx
#pragma weak tsr_ucx_open
#pragma weak tsr_ucx_endpoint
#pragma weak tsr_ucx_worker

enum { H_NOTHING = 26, HEAP_BYTES = 4 << 20, KEY_ID = 4 /* of net/ucx/rma */ };
static int self;
static char *heap;

/* ---- start and end ---- */

static void do_nothing(const struct tsr_net_in *in, struct tsr_net_out *out) { (void)in, (void)out; }

/* Before the transport starts. */
static void prepare(void) {
  int level = 0;
  if (heap) return;
  heap = mmap(NULL, HEAP_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  tsr_config_load(false);
  tsr_log_identity(self, "test");
  tsr_net_register(H_NOTHING, do_nothing);
  if (tsr_ucx_open(true)) exit(77);
}

static bool start_wire(void) { return tsr_net_start(MPI_COMM_WORLD, NULL) == TESSERA_OK; }

static bool start_rma(void) {
  return tsr_net_start_rma(MPI_COMM_WORLD, &(struct tsr_net_heap){.address = heap, .bytes = HEAP_BYTES, .peer = -1}) == TESSERA_OK;
}

static bool start(int *argc, char ***argv) {
  (void)argc, (void)argv;
  prepare();
  return start_wire() && (tsr_config.ucx_rma != TSR_UCX_RMA_ON || start_rma());
}

static void end(void) {
  tsr_net->finish();
  tsr_net_mpi_choose_finalize(MPI_COMM_WORLD, true, false);
  MPI_Finalize();
}

static int unit(void) { return self; }
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

_Noreturn static void poll_for_ever(void) {
  for (;;) tsr_net->poll();
}

/* ---- MPI fails, or memory after one of its calls ---- */

static enum { MPI_WORKS, NO_BARRIER, NO_ADDRESSES, NO_NODES } mpi_fails;

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
  return mpi_fails == NO_BARRIER ? MPI_ERR_OTHER : PMPI_Ibarrier(comm, request);
}

/* The fourth one is about the length of addresses. */
int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static int calls_n;
  int code = PMPI_Allreduce(in, out, n, type, op, comm);
  if (mpi_fails == NO_ADDRESSES && ++calls_n == 4) no_memory_after(0);
  return code;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
  int code = PMPI_Comm_split(comm, color, key, made);
  if (mpi_fails == NO_NODES) no_memory_after(0);
  return code;
}

static bool start_with(int how) {
  prepare();
  mpi_fails = how;
  start_wire();
  return false;
}
static bool start_without_addresses(void) { return start_with(NO_ADDRESSES); }
static bool start_without_nodes(void) { return start_with(NO_NODES); }

static bool finish_without_barrier(void) {
  mpi_fails = NO_BARRIER;
  tsr_net->finish();
  return false;
}

/* ---- UCX fails, or memory after one of its calls ---- */

static ucs_status_t refuse_handler(ucp_worker_h worker, const ucp_am_handler_param_t *how) {
  (void)worker, (void)how;
  return UCS_ERR_UNSUPPORTED;
}

static ucs_status_ptr_t refuse_send(ucp_ep_h endpoint, unsigned id, const void *header, size_t header_bytes, const void *data,
                                    size_t bytes, const ucp_request_param_t *how) {
  (void)endpoint, (void)id, (void)header, (void)header_bytes, (void)data, (void)bytes, (void)how;
  return UCS_STATUS_PTR(UCS_ERR_NO_RESOURCE);
}

static __typeof__(ucp_worker_get_efd) *own_get_efd;
static ucs_status_t get_efd_only(ucp_worker_h worker, int *file) {
  no_memory_once(0);
  return own_get_efd(worker, file);
}

static bool start_without_handlers(void) {
  prepare();
  __typeof__(tsr_ucx.ucp_worker_set_am_recv_handler) own = tsr_ucx.ucp_worker_set_am_recv_handler;
  tsr_ucx.ucp_worker_set_am_recv_handler = refuse_handler;
  bool started = start_wire();
  tsr_ucx.ucp_worker_set_am_recv_handler = own;
  return !started;
}

static bool start_without_endpoints(void) {
  prepare();
  own_get_efd = tsr_ucx.ucp_worker_get_efd;
  tsr_ucx.ucp_worker_get_efd = get_efd_only;
  bool started = start_wire();
  tsr_ucx.ucp_worker_get_efd = own_get_efd;
  return !started;
}

static bool start_in_little_memory(void) {
  static char little[64];
  prepare();
  return tsr_net_start(MPI_COMM_WORLD, &(struct tsr_net_node){.processes_n = 1, .memory = little, .memory_bytes = sizeof little});
}

static void request(void) { tsr_net->request(&(struct tsr_net_request){.rank = 1 - self, .handler = H_NOTHING}); }

static bool request_without_ucx(void) {
  tsr_ucx.ucp_am_send_nbx = refuse_send;
  request();
  return false;
}

/* ---- messages without memory ---- */

static bool send_without(int after) {
  no_memory_after(after);
  tsr_net->send(heap, &(struct tsr_net_message){.rank = 1, .tag = 1, .bytes = 8});
  return false;
}
static bool send_without_transfer(void) { return send_without(0); }
static bool send_without_endpoint(void) { return send_without(1); }

static bool receive_request_without(void) {
  if (self == 1) request();
  else no_memory_after(0);
  poll_for_ever();
}

/* ---- one-sided transfers ---- */

static tessera_status_t put(void) {
  return tsr_net->put(&(struct tsr_net_piece){.unit = 1, .local_addr = heap, .bytes = 8});
}

static bool start_rma_without(int after) {
  prepare();
  start_wire();
  no_memory_after(after);
  start_rma();
  return false;
}
static bool start_rma_without_targets(void) { return start_rma_without(0); }
static bool start_rma_without_key(void) { return start_rma_without(1); }

static bool put_without_piece(void) {
  no_memory_after(0);
  tessera_status_t status = put();
  no_memory_end();
  return status == TESSERA_ERR_MEMORY;
}

static bool put_without_target(void) {
  no_memory_after(1);
  put();
  return false;
}

static bool put_without_key(void) {
  if (self == 0) put();
  if (self == 0) no_memory_after(0);
  poll_for_ever();
}

static bool send_key(int sender) {
  const ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = UCP_AM_SEND_FLAG_EAGER};
  if (self == 1) tsr_ucx.ucp_am_send_nbx(tsr_ucx_endpoint(0), KEY_ID, &sender, sizeof sender, heap, 64, &how);
  poll_for_ever();
}
static bool send_unused_key(void) { return send_key(99); }
static bool send_unwanted_key(void) { return send_key(1); }

#define ALL (GOLDEN_ALL | GOLDEN_OWN)
#define EARLY (GOLDEN_EARLY | GOLDEN_OWN)
static const struct golden_case cases[] = {
    {"0238", request_without_ucx, GOLDEN_OWN},
    {"0239", start_without_addresses, EARLY},
    {"0240", start_without_endpoints, EARLY},
    {"0242", send_without_endpoint, GOLDEN_OWN},
    {"0246", send_without_transfer, GOLDEN_OWN},
    {"0247", receive_request_without, ALL},
    {"0249", start_without_handlers, EARLY},
    {"0255", finish_without_barrier, ALL},
    {"0256", start_in_little_memory, EARLY},
    {"0257", start_without_nodes, EARLY},
    {"0258", send_unused_key, ALL},
    {"0259", send_unwanted_key, ALL},
    {"0260", put_without_key, ALL},
    {"0261", start_rma_without_targets, EARLY},
    {"0262", put_without_piece, GOLDEN_OWN},
    {"0265", start_rma_without_key, EARLY},
    {"0266", put_without_target, GOLDEN_OWN},
};

int main(int argc, char **argv) {
  size_t cases_n = NO_MEMORY_FAILS && tsr_ucx_open ? sizeof cases / sizeof cases[0] : 0;
  return golden_main(argc, argv, &(struct golden_program){cases, cases_n, start, end, unit, barrier});
}

#else
int main(void) { return 0; }
#endif
