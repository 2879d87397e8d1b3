#include "net/ucx/endpoint.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "base/table.h"
#include "base/wait.h"
#include "net/mpi/mpi.h"
#include "net/ucx/ucx.h"

struct tsr_ucx_worker tsr_ucx_worker = {.comm = MPI_COMM_NULL, .event_fd = -1};

struct endpoint {
  ucp_ep_h endpoint;
  ucs_status_t status; /* as UCX has reported it */
};

static struct {
  tsr_table endpoints; /* by rank */
  char *bytes;         /* of all addresses, one after the other */
  size_t bytes_n;
  int *offsets;        /* by rank */
} peers;

static tessera_status_t refuse(ucs_status_t status, const char *call) {
  return tsr_fail(TESSERA_ERR_NET, "TSR-0237 %s failed: %s; look at UCX_TLS and UCX_NET_DEVICES, or set TESSERA_NET=mpi", call,
                  tsr_ucx.ucs_status_string(status));
}

void tsr_ucx_fail(ucs_status_t status, const char *what) {
  tsr_wire_fatal("TSR-0238 %s failed in UCX: %s", what, tsr_ucx.ucs_status_string(status));
}

/* ---- start ---- */

static bool is_set(const char *name) {
  char own[64];
  snprintf(own, sizeof own, "TESSERA_%s", name);
  return getenv(name) || getenv(own);
}

/* Requests of one origin arrive in order, so they use one lane. The descriptor tells of the first message from a peer, too, to which
 * this process has no endpoint: UCX (1.13) leaves interfaces without endpoints out otherwise, until it looks after its peers 20 s
 * later. Messages up to some size are sent at once, if the user does not say otherwise: a rendezvous wakes a target that sleeps
 * twice. */
static ucs_status_t read_config(ucp_config_t **config) {
  static const char *const ours[][2] = {{"MAX_EAGER_LANES", "1"}, {"ADAPTIVE_PROGRESS", "n"}, {"RNDV_THRESH", "64k"}};
  enum { OURS_N = sizeof ours / sizeof ours[0], REQUIRED_N = 2 };
  ucs_status_t status = tsr_ucx.ucp_config_read("TESSERA", NULL, config);
  for (size_t i = 0; status == UCS_OK && i < OURS_N; i++) {
    char name[48];
    snprintf(name, sizeof name, "UCX_%s", ours[i][0]);
    if (i < REQUIRED_N || !is_set(name)) status = tsr_ucx.ucp_config_modify(*config, ours[i][0], ours[i][1]);
  }
  return status;
}

tessera_status_t tsr_ucx_worker_make(int ranks_n) {
  ucp_config_t *config = NULL;
  ucp_params_t context = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS | UCP_PARAM_FIELD_NAME,
                          .features = UCP_FEATURE_AM | UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP,
                          .estimated_num_eps = (size_t)ranks_n,
                          .name = "tessera"};
  ucp_worker_params_t worker = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE, .thread_mode = UCS_THREAD_MODE_SERIALIZED};
  ucs_status_t status = read_config(&config);
  if (status != UCS_OK) return refuse(status, "ucp_config_read");
  status = tsr_ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &context, config, &tsr_ucx_worker.context);
  tsr_ucx.ucp_config_release(config);
  if (status != UCS_OK) return refuse(status, "ucp_init");
  status = tsr_ucx.ucp_worker_create(tsr_ucx_worker.context, &worker, &tsr_ucx_worker.worker);
  if (status != UCS_OK) return refuse(status, "ucp_worker_create");
  status = tsr_ucx.ucp_worker_get_efd(tsr_ucx_worker.worker, &tsr_ucx_worker.event_fd);
  return status == UCS_OK ? TESSERA_OK : refuse(status, "ucp_worker_get_efd");
}

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory) tsr_wire_fatal("TSR-0239 no private memory for the UCX addresses of all processes (%zu bytes)", bytes);
  return memory;
}

static tessera_status_t gather_addresses(const ucp_address_t *own, int bytes, int ranks_n) {
  int *lengths = allocate((size_t)ranks_n * sizeof *lengths), all_bytes = 0;
  peers.offsets = allocate((size_t)ranks_n * sizeof *peers.offsets);
  int code = MPI_Allgather(&bytes, 1, MPI_INT, lengths, 1, MPI_INT, tsr_ucx_worker.comm);
  for (int rank = 0; rank < ranks_n && code == MPI_SUCCESS; rank++) {
    peers.offsets[rank] = all_bytes;
    all_bytes += lengths[rank];
  }
  peers.bytes_n = (size_t)all_bytes + 1;
  peers.bytes = allocate(peers.bytes_n);
  if (code == MPI_SUCCESS)
    code = MPI_Allgatherv(own, bytes, MPI_BYTE, peers.bytes, lengths, peers.offsets, MPI_BYTE, tsr_ucx_worker.comm);
  free(lengths);
  return tsr_net_mpi_failed(code, "MPI_Allgatherv of the UCX addresses") ? TESSERA_ERR_NET : TESSERA_OK;
}

tessera_status_t tsr_ucx_addresses_share(int ranks_n) {
  ucp_address_t *own = NULL;
  size_t bytes = 0;
  peers.endpoints = tsr_table_make((uint32_t)ranks_n, sizeof(struct endpoint));
  ucs_status_t got = tsr_ucx.ucp_worker_get_address(tsr_ucx_worker.worker, &own, &bytes);
  tessera_status_t status = gather_addresses(own, got == UCS_OK ? (int)bytes : 0, ranks_n);
  if (got == UCS_OK) tsr_ucx.ucp_worker_release_address(tsr_ucx_worker.worker, own);
  if (!status && got != UCS_OK) status = refuse(got, "ucp_worker_get_address");
  if (!status && !peers.endpoints.blocks)
    status = tsr_fail(TESSERA_ERR_MEMORY, "TSR-0240 no private memory for endpoints to %d processes", ranks_n);
  return status;
}

/* An address has 67 bytes with TCP alone, 240 with all transports of a host with InfiniBand. */
size_t tsr_net_ucx_tables_bytes(int ranks_n) {
  enum { ADDRESS_BYTES = 128 };
  size_t addresses = peers.bytes ? peers.bytes_n : (size_t)ranks_n * ADDRESS_BYTES;
  return tsr_table_bytes((uint32_t)ranks_n, sizeof(struct endpoint), 0) + (size_t)ranks_n * sizeof *peers.offsets + addresses;
}

/* ---- endpoints ---- */

/* UCX says that a process is gone. Whether that ends the job is decided by the monitors, or by the next message to it: it may
 * have ended in order. */
static void on_error(void *arg, ucp_ep_h ucp, ucs_status_t status) {
  struct endpoint *endpoint = arg;
  (void)ucp;
  endpoint->status = status;
  if (!tsr_ucx_worker.is_ending) tsr_log_write(TSR_LOG_DEBUG, "UCX reports an endpoint as lost: %s", tsr_ucx.ucs_status_string(status));
}

static void connect_endpoint(struct endpoint *endpoint, int rank) {
  ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                                          UCP_EP_PARAM_FIELD_ERR_HANDLER,
                            .address = (const ucp_address_t *)(peers.bytes + peers.offsets[rank]),
                            .err_mode = UCP_ERR_HANDLING_MODE_PEER,
                            .err_handler = {on_error, endpoint}};
  ucs_status_t status = tsr_ucx.ucp_ep_create(tsr_ucx_worker.worker, &params, &endpoint->endpoint);
  if (status == UCS_OK) return;
  tsr_wire_fatal("TSR-0241 UCX makes no endpoint to rank %d: %s; the limit of open files (ulimit -n) may be too low, or UCX_TLS exclude "
                 "what reaches it", rank, tsr_ucx.ucs_status_string(status));
}

ucp_ep_h tsr_ucx_endpoint(int rank) {
  struct endpoint *endpoint = tsr_table_use(&peers.endpoints, (uint32_t)rank);
  if (!endpoint) tsr_wire_fatal("TSR-0242 no private memory for an endpoint to rank %d", rank);
  if (!endpoint->endpoint) connect_endpoint(endpoint, rank);
  if (endpoint->status != UCS_OK)
    tsr_wire_fatal("TSR-0243 rank %d cannot be reached any more: UCX says '%s'", rank, tsr_ucx.ucs_status_string(endpoint->status));
  return endpoint->endpoint;
}

/* ---- end ---- */

enum { BACKOFF_NS = 20000 };

static void progress_or_sleep(void) {
  if (!tsr_ucx.ucp_worker_progress(tsr_ucx_worker.worker)) tsr_wait_sleep_ns(BACKOFF_NS);
}

void tsr_ucx_await(void *request) {
  enum { MOST_NS = 1000000000 };
  uint64_t end_ns = tsr_clock_ns() + MOST_NS;
  if (!request || UCS_PTR_IS_ERR(request)) return;
  while (tsr_ucx.ucp_request_check_status(request) == UCS_INPROGRESS && tsr_clock_ns() < end_ns) progress_or_sleep();
  tsr_ucx.ucp_request_free(request);
}

/* The others may need our progress for their flush or close. */
static void meet_others(void) {
  MPI_Request barrier;
  int over = 0;
  MPI_Ibarrier(tsr_ucx_worker.comm, &barrier);
  for (MPI_Test(&barrier, &over, MPI_STATUS_IGNORE); !over; MPI_Test(&barrier, &over, MPI_STATUS_IGNORE)) progress_or_sleep();
}

static void close_endpoint(void *entry, uint32_t rank) {
  struct endpoint *endpoint = entry;
  const bool is_lost = endpoint->status != UCS_OK || tsr_ucx_worker.comm == MPI_COMM_NULL;
  ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = is_lost ? UCP_EP_CLOSE_FLAG_FORCE : 0};
  (void)rank;
  if (endpoint->endpoint) tsr_ucx_await(tsr_ucx.ucp_ep_close_nbx(endpoint->endpoint, &how));
}

static void close_endpoints(void) {
  const ucp_request_param_t none = {0};
  const bool together = tsr_ucx_worker.comm != MPI_COMM_NULL;
  if (together) tsr_ucx_await(tsr_ucx.ucp_worker_flush_nbx(tsr_ucx_worker.worker, &none));
  if (together) meet_others();
  tsr_table_each(&peers.endpoints, close_endpoint);
  if (together) meet_others();
}

void tsr_ucx_worker_end(void) {
  tsr_ucx_worker.is_ending = true;
  if (peers.bytes) close_endpoints();
  if (tsr_ucx_worker.worker) tsr_ucx.ucp_worker_destroy(tsr_ucx_worker.worker);
  if (tsr_ucx_worker.context) tsr_ucx.ucp_cleanup(tsr_ucx_worker.context);
  if (tsr_ucx_worker.comm != MPI_COMM_NULL) MPI_Comm_free(&tsr_ucx_worker.comm);
  tsr_table_free(&peers.endpoints);
  free(peers.bytes);
  free(peers.offsets);
  peers.bytes = NULL;
  peers.offsets = NULL;
  tsr_ucx_worker = (struct tsr_ucx_worker){.comm = MPI_COMM_NULL, .event_fd = -1};
}
