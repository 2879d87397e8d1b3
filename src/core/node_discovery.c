#include "core/node_discovery.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "core/runtime.h"
#include "node/heap.h"

/* What the hello messages tell one unit. */
struct view {
  const struct tsr_hello *hellos;
  int32_t units_n, self;
};

static bool is_proposed(const struct view *view, int32_t unit) {
  return view->hellos[unit].host == view->hellos[view->self].host;
}

static void *allocate_table(const struct view *view, size_t entry_bytes) {
  void *entries = malloc((size_t)view->units_n * entry_bytes);
  if (!entries) tsr_abort(EXIT_FAILURE, "TSR-0345 no private memory for a table of %d units; " TSR_REMEDY_MEMORY, view->units_n);
  return entries;
}

static int compare_hosts(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The smallest order that any unit asks for, limited so that the slices of the host with most units fit into the address space. */
static unsigned common_slice_order(const struct view *view) {
  uint64_t *hosts = allocate_table(view, sizeof *hosts);
  for (int32_t i = 0; i < view->units_n; i++) hosts[i] = view->hellos[i].host;
  qsort(hosts, (size_t)view->units_n, sizeof *hosts, compare_hosts);
  uint32_t most = 0, run = 0;
  for (int32_t i = 0; i < view->units_n; i++) {
    run = i > 0 && hosts[i] == hosts[i - 1] ? run + 1 : 1;
    if (run > most) most = run;
  }
  free(hosts);
  unsigned order = tsr_heap_slice_order_max(most);
  for (int32_t i = 0; i < view->units_n; i++) {
    if (view->hellos[i].slice_order < order) order = view->hellos[i].slice_order;
  }
  return order;
}

/* The memory starts with the nonce: a unit that reads it there has the right memory. */
static int make_memory(const struct view *view, uint32_t units_n, unsigned slice_order) {
  uint64_t nonce = view->hellos[view->self].credentials.number;
  int fd = tsr_heap_make(&(struct tsr_heap_shape){units_n, slice_order, (uint32_t)view->units_n});
  if (fd >= 0 && pwrite(fd, &nonce, sizeof nonce, 0) == (ssize_t)sizeof nonce) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

/* What the first unit of a node tells each of the others. */
struct placement {
  int32_t index, units_n;
};

/* The first unit of a proposal hands its memory to the others. Those that confirm it are on the node. A unit that
 * still waits when the first closes its listener gets none. */
static void lead_proposal(struct tsr_node_discovery *n, const struct view *view, int listener) {
  uint32_t proposed_n = 0;
  for (int32_t unit = 0; unit < view->units_n; unit++) proposed_n += is_proposed(view, unit);
  n->fd = make_memory(view, proposed_n, n->slice_order);
  for (int32_t unit = n->first + 1; unit < view->units_n && n->fd >= 0; unit++) {
    int connection = is_proposed(view, unit) ? tsr_share_give(&view->hellos[unit].credentials, n->fd) : -1;
    if (connection >= 0) n->connections[n->connections_n++] = connection;
  }
  int kept_n = 0;
  for (int i = 0; i < n->connections_n; i++) {
    char yes;
    if (tsr_share_receive_data(n->connections[i], &yes, sizeof yes)) n->connections[kept_n++] = n->connections[i];
    else close(n->connections[i]);
  }
  n->connections_n = kept_n;
  if (listener >= 0) close(listener);
  n->units_n = 1 + n->connections_n;
  for (int i = 0; i < n->connections_n; i++)
    tsr_share_send_data(n->connections[i], &(struct placement){1 + i, n->units_n}, sizeof(struct placement));
}

/* False: this unit does not get the memory of the proposal's first unit. */
static bool follow_proposal(struct tsr_node_discovery *n, const struct view *view, int listener) {
  const struct tsr_share_credentials *first = &view->hellos[n->first].credentials;
  int connection = tsr_share_take(listener, &view->hellos[view->self].credentials, first, &n->fd);
  if (connection < 0) return false;
  n->connections[n->connections_n++] = connection;
  char yes = 1;
  struct placement placement;
  uint64_t nonce;
  if (pread(n->fd, &nonce, sizeof nonce, 0) != (ssize_t)sizeof nonce || nonce != first->number) return false;
  if (!tsr_share_send_data(connection, &yes, sizeof yes) || !tsr_share_receive_data(connection, &placement, sizeof placement))
    return false;
  n->index = placement.index;
  n->units_n = placement.units_n;
  return true;
}

static void close_all(struct tsr_node_discovery *n) {
  while (n->connections_n > 0) close(n->connections[--n->connections_n]);
  if (n->fd >= 0) close(n->fd);
  n->fd = -1;
}

void tsr_node_discover(struct tsr_node_discovery *n, const struct tsr_hello hellos[], int32_t units_n, int32_t self,
                         int listener) {
  struct view view = {hellos, units_n, self};
  *n = (struct tsr_node_discovery){.fd = -1, .slice_order = common_slice_order(&view)};
  n->connections = allocate_table(&view, sizeof *n->connections);
  while (!is_proposed(&view, n->first)) n->first++;
  if (n->first == self) lead_proposal(n, &view, listener);
  else if (!follow_proposal(n, &view, listener)) {
    tsr_info("shares no memory with unit %d, although it is on a host of the same name: a node of its own", n->first);
    close_all(n);
    n->first = self;
    n->units_n = 1;
    n->fd = make_memory(&view, 1, n->slice_order);
  }
}

int32_t tsr_node_discovery_min(const struct tsr_node_discovery *n, int32_t mine) {
  int32_t least = mine, theirs = mine;
  bool leads = n->index == 0, is_connected = leads || tsr_share_send_data(n->connections[0], &mine, sizeof mine);
  for (int i = 0; i < n->connections_n && is_connected; i++) {
    is_connected = tsr_share_receive_data(n->connections[i], &theirs, sizeof theirs);
    if (theirs < least) least = theirs;
  }
  if (!is_connected)
    tsr_abort(EXIT_FAILURE, "TSR-0346 a process of this node ended while the nodes formed; see its own messages, and start the "
              "job again");
  for (int i = 0; i < n->connections_n && leads; i++) tsr_share_send_data(n->connections[i], &least, sizeof least);
  return least;
}

void tsr_node_discovery_close(struct tsr_node_discovery *n) {
  close_all(n);
  free(n->connections);
}
