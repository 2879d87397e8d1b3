#include "net/start.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/config.h"
#include "base/log.h"
#include "base/status.h"
#include "net/common/inbound.h"
#include "net/common/requests.h"
#include "net/mpi/agree.h"
#include "net/mpi/eager.h"
#include "net/mpi/mpi.h"
#include "net/none/none.h"

#ifdef TESSERA_HAVE_UCX
#include "net/ucx/devices.h"
#include "net/ucx/library.h"
#include "net/ucx/ucx.h"
#endif

/* ---- devices ---- */

/* InfiniBand and RoCE, as the kernel lists them. */
static const char verbs_folder[] = "/sys/class/infiniband";

/* The first line of a file of that port; "?": it cannot be read. */
static void read_port_file(const char *ports, const char *port, const char *name, char *line, size_t bytes) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s/%s", ports, port, name);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(line, (int)bytes, file)) snprintf(line, bytes, "?");
  if (file) fclose(file);
  line[strcspn(line, "\n")] = '\0';
}

static int each_port_of(const char *device, void (*row)(const char *text, void *arg), void *arg) {
  char ports[512], layer[64], rate[64], state[64], text[1024];
  int ports_n = 0;
  snprintf(ports, sizeof ports, "%s/%s/ports", verbs_folder, device);
  DIR *list = opendir(ports);
  for (struct dirent *port; list && (port = readdir(list));) {
    if (port->d_name[0] == '.') continue;
    read_port_file(ports, port->d_name, "link_layer", layer, sizeof layer);
    read_port_file(ports, port->d_name, "rate", rate, sizeof rate);
    read_port_file(ports, port->d_name, "state", state, sizeof state);
    snprintf(text, sizeof text, "%s port %s: %s, %s, %s", device, port->d_name, layer, rate, state);
    row(text, arg);
    ports_n++;
  }
  if (list) closedir(list);
  return ports_n;
}

int tsr_net_each_verbs_port(void (*row)(const char *text, void *arg), void *arg) {
  int ports_n = 0;
  DIR *devices = opendir(verbs_folder);
  for (struct dirent *device; devices && (device = readdir(devices));) {
    if (device->d_name[0] != '.') ports_n += each_port_of(device->d_name, row, arg);
  }
  if (devices) closedir(devices);
  return ports_n;
}

static void note_active(const char *text, void *found) {
  if (strstr(text, "ACTIVE")) *(bool *)found = true;
}

bool tsr_net_has_verbs(void) {
  bool found = false;
  tsr_net_each_verbs_port(note_active, &found);
  return found;
}

/* ---- the choice ---- */

#ifdef TESSERA_HAVE_UCX
static bool wants_rma(void) {
  return tsr_config.ucx_rma == TSR_UCX_RMA_ON || (tsr_config.ucx_rma == TSR_UCX_RMA_AUTO && tsr_net_has_verbs());
}
static tessera_status_t start_ucx(MPI_Comm comm, const struct tsr_net_node *node, bool is_optional) {
  return tsr_net_ucx_start(comm, node, (struct tsr_ucx_options){.rma = wants_rma(), .is_optional = is_optional});
}
static tessera_status_t start_ucx_rma(const struct tsr_net_heap *heap) { return tsr_net_ucx_rma_start(heap); }
static bool can_open_ucx(void) { return tsr_ucx_open(false) == TESSERA_OK; }
static size_t ucx_at_once_bytes(void) { return tsr_net_ucx_at_once_bytes(); }
static size_t ucx_tables_bytes(int ranks_n) { return tsr_net_ucx_tables_bytes(ranks_n); }
static size_t ucx_node_bytes(int ranks_n, int processes_n) { return tsr_net_ucx_node_bytes(ranks_n, processes_n); }
bool tsr_net_describe_ucx(char *text, size_t bytes) { return tsr_ucx_describe(text, bytes); }
void tsr_net_each_ucx_setting(void (*row)(const char *text, void *arg), void *arg) {
  if (can_open_ucx()) tsr_ucx_each_setting(row, arg);
}
bool tsr_net_each_ucx_device(void (*row)(const char *text, void *arg), void *arg) {
  return !can_open_ucx() || tsr_ucx_each_device(row, arg);
}
#else
static tessera_status_t start_ucx(MPI_Comm comm, const struct tsr_net_node *node, bool is_optional) {
  (void)comm, (void)node, (void)is_optional;
  return tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-0234 TESSERA_NET=ucx: this library was built without UCX; build it where "
                  "UCX's headers are (Debian: libucx-dev), or set TESSERA_NET=mpi");
}
static tessera_status_t start_ucx_rma(const struct tsr_net_heap *heap) {
  (void)heap;
  return TESSERA_OK;
}
static bool can_open_ucx(void) { return false; }
static size_t ucx_at_once_bytes(void) { return 0; }
static size_t ucx_tables_bytes(int ranks_n) {
  (void)ranks_n;
  return 0;
}
static size_t ucx_node_bytes(int ranks_n, int processes_n) {
  (void)ranks_n, (void)processes_n;
  return 0;
}
bool tsr_net_describe_ucx(char *text, size_t bytes) {
  snprintf(text, bytes, "this library was built without UCX's headers (Debian: libucx-dev)");
  return false;
}
void tsr_net_each_ucx_setting(void (*row)(const char *text, void *arg), void *arg) { (void)row, (void)arg; }
bool tsr_net_each_ucx_device(void (*row)(const char *text, void *arg), void *arg) {
  (void)row, (void)arg;
  return true;
}
#endif

/* The wire that the ranks have agreed on. */
static enum { UNDECIDED, OVER_MPI, OVER_UCX } decided;

/* Chooses UCX where it can be expected to be better. Over TCP it cannot: MPICH itself uses UCX there. */
bool tsr_net_prefers_ucx(void) {
  if (decided) return decided == OVER_UCX;
  if (tsr_config.net != TSR_NET_AUTO) return tsr_config.net == TSR_NET_UCX;
  return tsr_config.net_rma != TSR_NET_RMA_MPI3 && tsr_net_has_verbs() && can_open_ucx();
}

const char *tsr_net_explain(char *text, size_t bytes) {
  const char *why = tsr_config.net != TSR_NET_AUTO           ? "TESSERA_NET says so"
                    : tsr_config.net_rma == TSR_NET_RMA_MPI3 ? "TESSERA_NET_RMA=mpi3 is MPI's"
                    : !tsr_net_has_verbs()
                        ? "there is no active device for verbs (/sys/class/infiniband), and over TCP UCX is no faster"
                    : can_open_ucx() ? "there is an active device for verbs"
                                     : "UCX cannot be opened";
  snprintf(text, bytes, "%s: %s", tsr_net_prefers_ucx() ? "ucx" : "mpi", why);
  return text;
}

/* MPI can take over only if it was started for several threads: otherwise the progress thread may call UCX, but not MPI. */
static bool may_fall_back(void) { return tsr_config.net == TSR_NET_AUTO && tsr_mpi_has_threads(); }

/* `is_auto`: may_fall_back on all ranks. If UCX fails on one rank, it fails on all ranks. */
static tessera_status_t start_wire(MPI_Comm comm, const struct tsr_net_node *node, bool ucx, bool is_auto) {
  tessera_status_t status = ucx ? start_ucx(comm, node, is_auto) : TESSERA_OK;
  if (status && !is_auto) return status;
  if (status && tsr_mpi_is_first(comm))
    tsr_warn("TSR-0267 there is an active device for verbs, but UCX cannot be used, so messages between nodes go by MPI; "
             "TESSERA_LOG=info prints the reason on the process that failed, and TESSERA_NET=mpi makes no attempt");
  if (ucx && !status) {
    decided = OVER_UCX;
    return TESSERA_OK;
  }
  decided = OVER_MPI;
  return tsr_net_mpi_start(comm);
}

/* The limit of the wire that this rank prefers; if the other wire may take over, the smaller one of both limits. */
static size_t at_once_bytes(bool ucx, bool is_auto) {
  const size_t over_mpi = tsr_mpi_eager_bytes(), over_ucx = ucx ? ucx_at_once_bytes() : over_mpi;
  return ucx && !is_auto ? over_ucx : tsr_min_size(over_mpi, over_ucx);
}

tessera_status_t tsr_net_start(MPI_Comm comm, const struct tsr_net_node *node) {
  const struct tsr_net_node alone = {.processes_n = 1};
  decided = UNDECIDED;
  const bool mpi3 = tsr_config.net_rma == TSR_NET_RMA_MPI3, is_auto = may_fall_back();
  bool ucx = tsr_net_prefers_ucx();
  const int settings[] = {[TSR_MPI_SETTING_WIRE] = ucx, [TSR_MPI_SETTING_IS_AUTO] = is_auto, [TSR_MPI_SETTING_RMA] = mpi3,
                          [TSR_MPI_SETTING_UCX_RMA] = ucx ? tsr_config.ucx_rma : 0};
  bool same[TSR_MPI_SETTINGS_N];
  if (tsr_net != &tsr_net_none) return tsr_fail(TESSERA_ERR_STATE, "TSR-0223 the transport runs already; end it first");
  tessera_status_t status = tsr_mpi_agree_on_settings(comm, settings, at_once_bytes(ucx, is_auto), same);
  if (status) return status;
  const bool all_auto = is_auto && same[TSR_MPI_SETTING_IS_AUTO];
  if (!same[TSR_MPI_SETTING_WIRE] && all_auto) ucx = false; /* some nodes have no device */
  else if (!same[TSR_MPI_SETTING_WIRE])
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0235 the units would use different wires, this one %s; set TESSERA_NET to mpi or ucx, "
                    "and let the launcher hand it to all of them", tsr_net_explain((char[120]){""}, 120));
  if (!same[TSR_MPI_SETTING_RMA])
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0221 TESSERA_NET_RMA differs between the units; let the launcher hand it to all of "
                    "them");
  if (ucx && !same[TSR_MPI_SETTING_UCX_RMA])
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0264 TESSERA_UCX_RMA differs between the units; let the launcher hand it to all of them");
  if (ucx && mpi3)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0236 TESSERA_NET=ucx and TESSERA_NET_RMA=mpi3 exclude each other, since only MPI "
                    "has such windows; unset one of the two");
  return start_wire(comm, node ? node : &alone, ucx, all_auto);
}

tessera_status_t tsr_net_start_rma(MPI_Comm units, const struct tsr_net_heap *heap) {
  if (tsr_net_prefers_ucx()) return start_ucx_rma(heap);
  return heap->address ? tsr_net_mpi_window_start(units, heap->address, heap->bytes) : TESSERA_OK;
}

const char *tsr_net_explain_rma(void) {
  if (!tsr_net_prefers_ucx())
    return tsr_config.net_rma == TSR_NET_RMA_MPI3 ? "by an MPI window: TESSERA_NET_RMA says so" : "requests";
  if (tsr_config.ucx_rma == TSR_UCX_RMA_OFF) return "requests: TESSERA_UCX_RMA=off";
  if (tsr_config.ucx_rma == TSR_UCX_RMA_ON)
    return "one-sided: TESSERA_UCX_RMA=on; a job does not start if its probe needs the target";
  return tsr_net_has_verbs() ? "a probe at the start of a job decides; TESSERA_LOG=info prints its result"
                             : "requests: there is no active device for verbs to do them without the target";
}

void tsr_net_leave(void) {
  tsr_net_mpi_leave_comms();
#ifdef TESSERA_HAVE_UCX
  tsr_net_ucx_leave();
#endif
}

/* ---- memory ---- */

size_t tsr_net_tables_bytes(int ranks_n) {
  size_t of_wire = tsr_net_prefers_ucx() ? ucx_tables_bytes(ranks_n) : tsr_net_mpi_tables_bytes();
  return of_wire + tsr_wire_requests_bytes(ranks_n) + tsr_wire_inbound_bytes(ranks_n);
}

size_t tsr_net_node_bytes(int ranks_n, int processes_n) {
  return tsr_net_prefers_ucx() ? ucx_node_bytes(ranks_n, processes_n) : 0;
}

/* Of one message with requests, with the largest limits that this configuration can lead to. */
static size_t room_for_message(void) {
  return tsr_wire_room_for(tsr_wire_shared_limit(tsr_wire_eager_limit(SIZE_MAX), SIZE_MAX) + TSR_WIRE_PIGGYBACKED_MOST);
}

size_t tsr_net_buffers_bytes(void) { return tsr_net_prefers_ucx() ? 0 : tsr_net_mpi_receives_n() * room_for_message(); }

size_t tsr_net_peer_bytes(void) {
  return tsr_wire_requests_peer_bytes(tsr_config.wire_buffers) + (size_t)tsr_config.wire_buffers * room_for_message();
}
