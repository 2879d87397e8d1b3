#include "net/ucx/endpoint.h"

#include <errno.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limit.h"
#include "base/config.h"
#include "base/log.h"
#include "base/status.h"
#include "base/table.h"
#include "base/wait.h"
#include "net/mpi/mpi.h"
#include "net/ucx/addresses.h"
#include "net/ucx/ucx.h"

struct tsr_ucx_worker tsr_ucx_worker = {.comm = MPI_COMM_NULL, .event_fd = -1};

struct endpoint {
  ucp_ep_h endpoint;
  ucs_status_t status; /* as UCX has reported it */
  int rank;
  struct endpoint *next_lost;
  void *closing; /* request */
};

static struct {
  tsr_table endpoints; /* by rank */
  bool may_connect;    /* the addresses of all are known */
  struct endpoint *lost;
} peers;

/* For messages: which transports UCX may use. */
static const char *allowed_transports(void) {
  const char *text = tsr_ucx_setting("UCX_TLS", NULL);
  return text ? text : "all";
}

/* UCX hides a lack of descriptors behind other errors. */
static const char *remedy_for(ucs_status_t status) {
  int next = dup(STDERR_FILENO), error = errno;
  if (next >= 0) close(next);
  else if (error == EMFILE || error == ENFILE) return tsr_limit_remedy(error);
  switch (status) {
    case UCS_ERR_NO_MEMORY: return tsr_limit_remedy(ENOMEM);
    case UCS_ERR_ENDPOINT_TIMEOUT:
    case UCS_ERR_CONNECTION_RESET:
    case UCS_ERR_TIMED_OUT:
    case UCS_ERR_NOT_CONNECTED:
      return "the process or its host is gone, it has no open file left for a connection (raise ulimit -n there), or the link was "
             "down for 16 s (UCX_TCP_KEEPIDLE=inf waits until it is back)";
    default: return "allow a transport between nodes that reports lost peers, such as tcp, in UCX_TLS and UCX_NET_DEVICES, or set "
                    "TESSERA_NET=mpi";
  }
}

static tessera_status_t fail_call(ucs_status_t status, const char *call) {
  if (tsr_ucx_worker.is_optional) {
    tsr_info("%s failed: %s, with UCX_TLS=%.60s; %s", call, tsr_ucx.ucs_status_string(status), allowed_transports(),
             remedy_for(status));
    return TESSERA_ERR_NET;
  }
  return tsr_fail(TESSERA_ERR_NET, "TSR-0237 TESSERA_NET=ucx: %s failed: %s, with UCX_TLS=%.60s; %s", call,
                  tsr_ucx.ucs_status_string(status), allowed_transports(), remedy_for(status));
}

void tsr_ucx_fail(ucs_status_t status, const char *what) {
  tsr_wire_fatal("TSR-0238 %s failed in UCX: %s, with UCX_TLS=%.60s; %s", what, tsr_ucx.ucs_status_string(status),
                 allowed_transports(), remedy_for(status));
}

/* ---- start ---- */

enum { AT_ONCE_BYTES = 128 << 10 };
_Static_assert(AT_ONCE_BYTES + 1 == 131073, "the value of RNDV_THRESH below");
size_t tsr_net_ucx_at_once_bytes(void) { return tsr_ucx_setting("UCX_RNDV_THRESH", NULL) ? 0 : AT_ONCE_BYTES; }

/* Settings of UCX; those that are not `required` give way to the user's.
 * MAX_EAGER_LANES: requests of one origin arrive in order, so they use one lane.
 * ADAPTIVE_PROGRESS: the descriptor must also report the first message of a peer to which this process has no endpoint. Otherwise
 * UCX 1.13 leaves out interfaces without endpoints, until its keepalive 20 s later.
 * RNDV_THRESH: a rendezvous wakes a target that sleeps twice, so it is for long messages.
 * KEEPIDLE (of TCP): the monitors decide when a silent node ends the job (TESSERA_NODE_TIMEOUT). The keepalive would end it when a
 * link is down for 16 s while nothing is sent. MPICH's own connections end by it, without an error that we see, and a job cannot
 * end without them: so it stays on there. */
static ucs_status_t read_config(ucp_config_t **config) {
  static const struct {
    const char *name, *variable, *value;
    bool required;
  } ours[] = {{"MAX_EAGER_LANES", "UCX_MAX_EAGER_LANES", "1", true},
              {"ADAPTIVE_PROGRESS", "UCX_ADAPTIVE_PROGRESS", "n", true},
#ifndef MPICH_VERSION
              {"KEEPIDLE", "UCX_TCP_KEEPIDLE", "inf", false},
#endif
              {"RNDV_THRESH", "UCX_RNDV_THRESH", "131073", false}}; /* AT_ONCE_BYTES + 1 */
  ucs_status_t status = tsr_ucx.ucp_config_read("TESSERA", NULL, config);
  for (size_t i = 0; status == UCS_OK && i < sizeof ours / sizeof ours[0]; i++) {
    if (ours[i].required || !tsr_ucx_setting(ours[i].variable, NULL))
      status = tsr_ucx.ucp_config_modify(*config, ours[i].name, ours[i].value);
  }
  /* Settings of shared memory. Without the first one, it is no transport for our endpoints. Without the second one, UCX takes
   * another kind of memory if this one has no room, and makes all of its pages present. */
  if (status == UCS_OK && tsr_config.ucx_memory == TSR_UCX_MEMORY_TEST) {
    status = tsr_ucx.ucp_config_modify(*config, "MM_ERROR_HANDLING", "y");
    if (status == UCS_OK) status = tsr_ucx.ucp_config_modify(*config, "ALLOC_PRIO", "md:sysv");
  }
  return status;
}

tessera_status_t tsr_ucx_worker_make(int ranks_n) {
  ucp_config_t *config = NULL;
  ucp_params_t context = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS | UCP_PARAM_FIELD_NAME,
                          .features = UCP_FEATURE_AM | UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP |
                                      (tsr_ucx_worker.wants_rma ? UCP_FEATURE_RMA : 0),
                          .estimated_num_eps = (size_t)ranks_n,
                          .name = "tessera"};
  ucp_worker_params_t worker = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE, .thread_mode = UCS_THREAD_MODE_SERIALIZED};
  ucs_status_t status = read_config(&config);
  if (status != UCS_OK) return fail_call(status, "ucp_config_read");
  status = tsr_ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &context, config, &tsr_ucx_worker.context);
  tsr_ucx.ucp_config_release(config);
  if (status != UCS_OK) return fail_call(status, "ucp_init");
  status = tsr_ucx.ucp_worker_create(tsr_ucx_worker.context, &worker, &tsr_ucx_worker.worker);
  if (status != UCS_OK) return fail_call(status, "ucp_worker_create");
  status = tsr_ucx.ucp_worker_get_efd(tsr_ucx_worker.worker, &tsr_ucx_worker.event_fd);
  return status == UCS_OK ? TESSERA_OK : fail_call(status, "ucp_worker_get_efd");
}

tessera_status_t tsr_ucx_addresses_share(int ranks_n, const struct tsr_net_node *node) {
  ucp_address_t *own = NULL;
  size_t bytes = 0;
  peers.endpoints = tsr_table_make((uint32_t)ranks_n, sizeof(struct endpoint));
  tessera_status_t status = TESSERA_OK;
  ucs_status_t got = tsr_ucx.ucp_worker_get_address(tsr_ucx_worker.worker, &own, &bytes);
  if (got != UCS_OK) status = fail_call(got, "ucp_worker_get_address");
  else if (!peers.endpoints.blocks)
    status = tsr_fail(TESSERA_ERR_MEMORY, "TSR-0240 no private memory for endpoints to %d processes; " TSR_REMEDY_MEMORY, ranks_n);
  status = tsr_ucx_addresses_gather(tsr_ucx_worker.comm, node, own, bytes, status);
  if (got == UCS_OK) tsr_ucx.ucp_worker_release_address(tsr_ucx_worker.worker, own);
  peers.may_connect = !status;
  return status;
}

size_t tsr_net_ucx_tables_bytes(int ranks_n) { return tsr_table_bytes((uint32_t)ranks_n, sizeof(struct endpoint), 0); }

size_t tsr_net_ucx_node_bytes(int ranks_n, int processes_n) { return tsr_ucx_addresses_bytes(ranks_n, processes_n); }

/* ---- endpoints ---- */

/* UCX reports that a process cannot be reached. The process may have ended in order: the job fails only if something is awaited
 * from it (tsr_ucx_check_lost), or with the next message to it. */
static void on_error(void *arg, ucp_ep_h ucp, ucs_status_t status) {
  struct endpoint *endpoint = arg;
  (void)ucp;
  if (endpoint->status != UCS_OK) return;
  endpoint->status = status;
  endpoint->next_lost = peers.lost;
  peers.lost = endpoint;
  tsr_ucx_worker.has_lost = true;
  if (!tsr_ucx_worker.is_ending)
    tsr_debug("UCX reports the endpoint to rank %d as lost: %s", endpoint->rank, tsr_ucx.ucs_status_string(status));
}

_Noreturn static void fail_lost(const struct endpoint *endpoint) {
  tsr_wire_fatal("TSR-0243 rank %d cannot be reached any more: UCX reports '%s'; %s", endpoint->rank,
                 tsr_ucx.ucs_status_string(endpoint->status), remedy_for(endpoint->status));
}

void tsr_ucx_check_lost(bool (*is_awaited)(int rank)) {
  for (const struct endpoint *endpoint = peers.lost; endpoint; endpoint = endpoint->next_lost) {
    if (is_awaited(endpoint->rank)) fail_lost(endpoint);
  }
}

static void connect_endpoint(struct endpoint *endpoint, int rank) {
  ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                                          UCP_EP_PARAM_FIELD_ERR_HANDLER,
                            .address = tsr_ucx_address(rank),
                            .err_mode = UCP_ERR_HANDLING_MODE_PEER,
                            .err_handler = {on_error, endpoint}};
  endpoint->rank = rank;
  ucs_status_t status = tsr_ucx.ucp_ep_create(tsr_ucx_worker.worker, &params, &endpoint->endpoint);
  if (status == UCS_OK) return;
  tsr_wire_fatal("TSR-0241 UCX cannot connect to rank %d: %s, with UCX_TLS=%.60s; %s", rank, tsr_ucx.ucs_status_string(status),
                 allowed_transports(), remedy_for(status));
}

ucp_ep_h tsr_ucx_endpoint(int rank) {
  struct endpoint *endpoint = tsr_table_use(&peers.endpoints, (uint32_t)rank);
  if (!endpoint) tsr_wire_fatal("TSR-0242 no private memory for an endpoint to rank %d; " TSR_REMEDY_MEMORY, rank);
  if (!endpoint->endpoint) connect_endpoint(endpoint, rank);
  if (endpoint->status != UCS_OK) fail_lost(endpoint);
  return endpoint->endpoint;
}

/* ---- end ---- */

enum { BACKOFF_NS = 20000, TIMEOUT_S = 10 };

static void progress_or_sleep(void) {
  if (!tsr_ucx.ucp_worker_progress(tsr_ucx_worker.worker)) tsr_wait_sleep_ns(BACKOFF_NS);
}

static void await_until(void *request, uint64_t end_ns) {
  if (!request || UCS_PTR_IS_ERR(request)) return;
  while (tsr_ucx.ucp_request_check_status(request) == UCS_INPROGRESS && tsr_clock_ns() < end_ns) progress_or_sleep();
  tsr_ucx.ucp_request_free(request);
}

static uint64_t in_one_second(void) { return tsr_clock_ns() + UINT64_C(1000000000); }

void tsr_ucx_flush(void) {
  const ucp_request_param_t none = {0};
  await_until(tsr_ucx.ucp_worker_flush_nbx(tsr_ucx_worker.worker, &none), in_one_second());
}

/* MPI has connections of its own, which may be lost although UCX's are not. */
static void check_barrier(int code) {
  if (!tsr_net_mpi_failed(code, "MPI_Ibarrier at the end")) return;
  tsr_wire_fatal("TSR-0255 the processes cannot end together, since MPI failed (the line before says why); if a link was down for "
                 "some time, set UCX_TCP_KEEPIDLE=inf, which MPICH reads, too");
}

/* A barrier in which this process makes progress, since the others may need that for their flush or close. Processes that have
 * left for a job on a part of the processes do not come: then the barrier stays with MPI, and endpoints are closed without their
 * help. */
static void await_peers(void) {
  const uint64_t end_ns = tsr_clock_ns() + TIMEOUT_S * UINT64_C(1000000000);
  MPI_Request barrier;
  int over = 0;
  if (tsr_ucx_worker.comm == MPI_COMM_NULL) return;
  check_barrier(MPI_Ibarrier(tsr_ucx_worker.comm, &barrier));
  for (;;) {
    check_barrier(MPI_Test(&barrier, &over, MPI_STATUS_IGNORE));
    if (over) return;
    if (tsr_clock_ns() > end_ns) break;
    progress_or_sleep();
  }
  tsr_ucx_worker.comm = MPI_COMM_NULL;
}

static void start_close(void *entry, uint32_t rank) {
  struct endpoint *endpoint = entry;
  const bool is_lost = endpoint->status != UCS_OK || tsr_ucx_worker.comm == MPI_COMM_NULL;
  ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = is_lost ? UCP_EP_CLOSE_FLAG_FORCE : 0};
  (void)rank;
  if (endpoint->endpoint) endpoint->closing = tsr_ucx.ucp_ep_close_nbx(endpoint->endpoint, &how);
}

static uint64_t close_end_ns; /* the time for all of them */

static void finish_close(void *entry, uint32_t rank) {
  (void)rank;
  await_until(((struct endpoint *)entry)->closing, close_end_ns);
}

static void close_endpoints(void) {
  tsr_ucx_flush();
  await_peers();
  tsr_table_each(&peers.endpoints, start_close);
  close_end_ns = in_one_second();
  tsr_table_each(&peers.endpoints, finish_close);
  if (tsr_ucx_worker.has_lost) tsr_ucx_worker.comm = MPI_COMM_NULL; /* others have closed by force, and do not come */
  await_peers();
}

void tsr_ucx_worker_end(void) {
  tsr_ucx_worker.is_ending = true;
  if (peers.may_connect) close_endpoints();
  if (tsr_ucx_worker.worker) tsr_ucx.ucp_worker_destroy(tsr_ucx_worker.worker);
  if (tsr_ucx_worker.context) tsr_ucx.ucp_cleanup(tsr_ucx_worker.context);
  if (tsr_ucx_worker.comm != MPI_COMM_NULL) MPI_Comm_free(&tsr_ucx_worker.comm);
  tsr_table_free(&peers.endpoints);
  tsr_ucx_addresses_free();
  peers.may_connect = false;
  peers.lost = NULL;
  tsr_ucx_worker = (struct tsr_ucx_worker){.comm = MPI_COMM_NULL, .event_fd = -1};
}
