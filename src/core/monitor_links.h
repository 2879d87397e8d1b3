/* Monitor links: TCP connections between the monitors of different nodes, so that a node learns of a death, or of
 * silence, on another one. They form a tree: node k has a link to node (k - 1) / TESSERA_MONITOR_DEGREE, and node 0
 * is the root. Reports go up, and the root decides which unit died first, or has aborted the job: its verdict goes down. The
 * kernels detect a dead link (TCP keepalive), whatever the processes do.
 *
 * A link that breaks does not end the job: the monitor may have been killed alone (core/monitor). The monitor on the other
 * end connects to that node again. The first unit of the node holds the listener open as long as it lives, so the kernel
 * accepts the connection also while that unit computes, and a new monitor answers it. Only a refused connection, or no answer
 * of the kernel for TESSERA_NODE_TIMEOUT, says that the node is lost. IPv4, no MPI.
 */
#ifndef TSR_CORE_MONITOR_LINKS_H
#define TSR_CORE_MONITOR_LINKS_H

#include <stdbool.h>
#include <stdint.h>

/* The addresses of a node's monitor; it may have none. */
enum { TSR_LINK_ADDRESSES_MAX = 8 };
struct tsr_monitor_address {
  uint64_t token; /* random; processes of the job know it */
  uint32_t addresses[TSR_LINK_ADDRESSES_MAX], addresses_n; /* network byte order */
  uint32_t port;
};

/* The first unit of each node, before its monitor is made. Returns the descriptor for it; -1: there is no listener. */
int tsr_monitor_links_open(struct tsr_monitor_address *monitor_address);

/* An event of a link. */
enum tsr_link_event_kind { TSR_LINK_NOTHING, TSR_LINK_DEAD, TSR_LINK_ABORTED, TSR_LINK_LOST };
struct tsr_link_event {
  enum tsr_link_event_kind kind;
  int32_t unit;     /* DEAD, ABORTED: by the verdict */
  int32_t node;     /* LOST: by this node itself, or by the verdict */
  const char *host; /* LOST, detected by this node: the name of the host; NULL: another node has reported it */
  bool silent;      /* LOST: it does not respond; else its monitor and its units are gone */
};

/* The parent of a node in the tree; -1: the node is the root. */
int32_t tsr_monitor_links_parent(int32_t node);

/* The rest is the monitor's. `own` and `listener`: from tsr_monitor_links_open. `parent`: the listener of that node.
 * Events are added to the epoll set `events`, marked as TSR_LINK_EPOLL_MARK in the lower half of their data, with the
 * descriptor in the upper half. */
#define TSR_LINK_EPOLL_MARK UINT32_MAX
void tsr_monitor_links_start(const struct tsr_monitor_address *own, int listener,
                             const struct tsr_monitor_address *parent, int events);

struct tsr_link_event tsr_monitor_links_take(int fd);

/* A unit of this node died: asks for the verdict, and waits for it a moment. Returns the unit that died first or has aborted the
 * job, or `unit` without an answer; negative: a node is lost, which another monitor reports. */
int32_t tsr_monitor_links_verdict(int32_t unit);

/* Tells the others that this unit, of this node, has asked the launcher to end the job, unless there is a verdict. */
void tsr_monitor_links_tell_aborted(int32_t unit);

/* Tells the others that this node is lost. */
void tsr_monitor_links_tell_lost(int32_t node);

/* All units of the node have ended in order. */
void tsr_monitor_links_end(void);

#endif
