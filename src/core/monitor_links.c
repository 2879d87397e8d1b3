#include "core/monitor_links.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "core/place.h"

enum {
  CONNECT_MS = 1000,   /* for each address of the parent */
  VERDICT_MS = 500,
  STRANGERS_MAX = 8    /* connections before their hello message */
};

/* Messages. */
enum kind { HELLO = 1, REPORT = 3 /* upwards: what ends the job */, VERDICT /* downwards: the first report */, BYE };
struct cause {
  enum tsr_link_event_kind kind;
  int32_t number; /* of the unit, or of the node that is lost */
};

struct message {
  uint64_t token;
  int32_t kind;
  int32_t node;       /* of the sender */
  uint32_t port;      /* on which that node listens */
  struct cause cause; /* of a report or a verdict */
  char host[104];
};

struct link {
  int fd;                     /* -1: none */
  int32_t node;               /* -1: no hello message yet */
  struct sockaddr_in address; /* where the node listens */
  size_t got;                 /* bytes of the next message */
  struct message message;
  char host[104];
};

static struct {
  int events, listener;
  bool listens;           /* false while there is no descriptor for one more connection */
  bool is_connecting;        /* the connection to the parent is not made yet */
  uint64_t token;
  uint32_t port;
  struct tsr_monitor_address parent;
  uint32_t called_n;      /* how many of the parent's addresses were tried */
  struct link up;         /* to the parent */
  struct link *down;      /* to the children, and strangers */
  int down_n;
  struct cause verdict;   /* kind NOTHING: none yet */
} links = {.events = -1, .listener = -1, .up.fd = -1};

static const struct tsr_link_event nothing = {.kind = TSR_LINK_NOTHING};
static const struct cause no_cause = {TSR_LINK_NOTHING, 0};

int32_t tsr_monitor_links_parent(int32_t node) {
  return node == 0 ? -1 : (node - 1) / (int32_t)tsr_config.monitor_degree;
}

/* ---- the listener ---- */

/* The addresses under which others may reach this host; last the one for virtual nodes. */
static void list_addresses(struct tsr_monitor_address *monitor_address) {
  struct ifaddrs *first = NULL;
  monitor_address->addresses_n = 0;
  if (getifaddrs(&first) != 0) first = NULL;
  for (struct ifaddrs *at = first; at && monitor_address->addresses_n < TSR_LINK_ADDRESSES_MAX - 1; at = at->ifa_next) {
    if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET) continue;
    uint32_t address = ((const struct sockaddr_in *)(const void *)at->ifa_addr)->sin_addr.s_addr;
    if (ntohl(address) >> IN_CLASSA_NSHIFT != IN_LOOPBACKNET)
      monitor_address->addresses[monitor_address->addresses_n++] = address;
  }
  if (first) freeifaddrs(first);
  monitor_address->addresses[monitor_address->addresses_n++] = htonl(INADDR_LOOPBACK);
}

int tsr_monitor_links_open(struct tsr_monitor_address *monitor_address) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
  socklen_t bytes = sizeof place;
  monitor_address->addresses_n = 0;
  if (tsr_config.node_timeout_s == 0) return -1;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  bool listens =
      fd >= 0 && bind(fd, (struct sockaddr *)&place, sizeof place) == 0 && listen(fd, SOMAXCONN) == 0 &&
      getsockname(fd, (struct sockaddr *)&place, &bytes) == 0 &&
      getrandom(&monitor_address->token, sizeof monitor_address->token, 0) == (ssize_t)sizeof monitor_address->token;
  if (!listens) {
    tsr_info("nodes will not watch each other: no place to listen (%s)", strerror(errno));
    if (fd >= 0) close(fd);
    return -1;
  }
  monitor_address->port = ntohs(place.sin_port);
  list_addresses(monitor_address);
  return fd;
}

/* ---- one link ---- */

static bool watch_fd(int fd, int operation, uint32_t what) {
  struct epoll_event event = {.events = what, .data.u64 = (uint64_t)(uint32_t)fd << 32 | TSR_LINK_EPOLL_MARK};
  return epoll_ctl(links.events, operation, fd, &event) == 0;
}

static void set_option(int fd, int level, int option, int value) { setsockopt(fd, level, option, &value, sizeof value); }

/* The kernel asks the peer's kernel whether a quiet link still exists, and gives the link up after TESSERA_NODE_TIMEOUT. The peer's
 * kernel answers for monitors that are stopped, too. */
static void keep_alive(int fd) {
  int timeout_s = (int)tsr_config.node_timeout_s, step_s = timeout_s >= 4 ? timeout_s / 4 : 1;
  set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, step_s);
  set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, step_s);
  set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, timeout_s / step_s);
  set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, timeout_s * 1000);
}

/* A free entry, or that of a connection without a hello message, which is closed. NULL: there is neither. */
static struct link *find_place(void) {
  struct link *stranger = NULL;
  for (int i = 0; i < links.down_n; i++) {
    struct link *link = &links.down[i];
    if (link->fd < 0) return link;
    if (link->node < 0) stranger = link;
  }
  if (stranger) close(stranger->fd), stranger->fd = -1;
  return stranger;
}

static void listen_again(void) {
  if (!links.listens) links.listens = watch_fd(links.listener, EPOLL_CTL_ADD, EPOLLIN);
}

static void close_link(struct link *link) {
  if (link->fd >= 0) close(link->fd);
  link->fd = -1;
  listen_again();
}

/* If the buffer of a link is full, its peer has not read for long, and the message is not needed. */
static void send_message(const struct link *link, enum kind kind, struct cause cause) {
  uint64_t token = link == &links.up ? links.parent.token : links.token;
  struct message message = {.token = token, .kind = (int32_t)kind, .node = tsr_place.node, .port = links.port, .cause = cause};
  gethostname(message.host, sizeof message.host - 1);
  (void)!send(link->fd, &message, sizeof message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void send_down(enum kind kind, struct cause cause) {
  for (int i = 0; i < links.down_n; i++) {
    if (links.down[i].fd >= 0 && links.down[i].node >= 0) send_message(&links.down[i], kind, cause);
  }
}

/* The first report that reaches the root becomes the verdict. */
static struct tsr_link_event decide_verdict(struct cause cause) {
  if (links.verdict.kind) return nothing;
  links.verdict = cause;
  send_down(VERDICT, cause);
  return (struct tsr_link_event){.kind = cause.kind, .unit = cause.number, .node = cause.number};
}

static void await_connection(void);

static struct tsr_link_event report_cause(struct cause cause) {
  if (links.up.fd >= 0 && links.is_connecting) await_connection();
  if (tsr_place.node == 0 || links.up.fd < 0) return decide_verdict(cause);
  send_message(&links.up, REPORT, cause);
  return nothing;
}

/* ---- broken links ---- */

/* Starts to connect to the listener of the node. The result is an event: an error is reported like an error of an existing
 * connection, and over a new connection the parent gets a hello message. False: the attempt fails at once; errno has the reason. */
static bool connect_to_node(struct link *link) {
  bool is_parent = link == &links.up;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return false;
  keep_alive(fd);
  if ((connect(fd, (struct sockaddr *)&link->address, sizeof link->address) == 0 || errno == EINPROGRESS) &&
      watch_fd(fd, EPOLL_CTL_ADD, is_parent ? EPOLLOUT : EPOLLIN)) {
    link->fd = fd;
    link->got = 0;
    if (is_parent) links.is_connecting = true;
    return true;
  }
  int error = errno;
  close(fd);
  errno = error;
  return false;
}

/* Connects to the next of the parent's addresses that accepts. If the program there is not the parent's monitor, it closes the
 * connection or sends a wrong token; then the next address is tried. */
static void connect_to_parent(void) {
  struct link *link = &links.up;
  while (link->fd < 0 && links.called_n < links.parent.addresses_n) {
    link->node = -1;
    link->address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)links.parent.port),
                                         .sin_addr.s_addr = links.parent.addresses[links.called_n++]};
    if (!connect_to_node(link)) continue;
    await_connection();
  }
}

/* The first unit of the node is gone, since nothing listens there, or the node does not respond. */
static bool is_lost(int error) {
  return error == ECONNREFUSED || error == ETIMEDOUT || error == EHOSTUNREACH || error == ENETUNREACH;
}

/* Calls the node again. If it is the parent, that makes a new link. A connection to a child only
 * shows that its node accepts, since the child's new monitor connects by itself. */
static struct tsr_link_event break_link(struct link *link, int error) {
  close_link(link);
  if (link == &links.up && link->node < 0) connect_to_parent();
  if (link->node < 0) return nothing;
  if (!is_lost(error)) error = connect_to_node(link) ? 0 : errno;
  if (!is_lost(error)) return nothing;
  return (struct tsr_link_event){.kind = TSR_LINK_LOST, .node = link->node, .host = link->host, .silent = error != ECONNREFUSED};
}

/* The connection to the parent is made, or fails. */
static struct tsr_link_event finish_connection(void) {
  int error = 0;
  socklen_t bytes = sizeof error;
  getsockopt(links.up.fd, SOL_SOCKET, SO_ERROR, &error, &bytes);
  links.is_connecting = false;
  if (error || !watch_fd(links.up.fd, EPOLL_CTL_MOD, EPOLLIN)) return break_link(&links.up, error);
  send_message(&links.up, HELLO, no_cause);
  return nothing;
}

static void await_connection(void) {
  struct pollfd made = {.fd = links.up.fd, .events = POLLOUT};
  if (poll(&made, 1, CONNECT_MS) == 1) finish_connection();
  else close_link(&links.up);
}

/* ---- what comes ---- */

/* Closes the node's earlier link, or the connection that was made to test the node. */
static void close_others_of(const struct link *link) {
  for (int i = 0; i < links.down_n; i++) {
    if (&links.down[i] != link && links.down[i].node == link->node) close_link(&links.down[i]);
  }
}

static void on_hello(struct link *link) {
  socklen_t bytes = sizeof link->address;
  link->node = link->message.node;
  memcpy(link->host, link->message.host, sizeof link->host);
  link->host[sizeof link->host - 1] = 0;
  if (link == &links.up) return;
  getpeername(link->fd, (struct sockaddr *)&link->address, &bytes);
  link->address.sin_port = htons((uint16_t)link->message.port);
  close_others_of(link);
  send_message(link, HELLO, no_cause);
  if (links.verdict.kind) send_message(link, VERDICT, links.verdict);
}

/* Other programs send wrong tokens. */
static struct tsr_link_event on_message(struct link *link) {
  const struct message *message = &link->message;
  uint64_t token = link == &links.up ? links.parent.token : links.token;
  if (message->token != token || (link->node < 0 && message->kind != HELLO)) return break_link(link, 0);
  switch (message->kind) {
    case HELLO: on_hello(link); return nothing;
    case REPORT: return report_cause(message->cause);
    case VERDICT: return decide_verdict(message->cause);
    case BYE: close_link(link); close_others_of(link); return nothing;
    default: return nothing;
  }
}

static struct tsr_link_event receive_message(struct link *link) {
  ssize_t n = recv(link->fd, (char *)&link->message + link->got, sizeof link->message - link->got, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return nothing;
  if (n <= 0) return break_link(link, n < 0 ? errno : 0);
  link->got += (size_t)n;
  if (link->got < sizeof link->message) return nothing;
  link->got = 0;
  return on_message(link);
}

/* If no descriptor is free, the connection stays in the queue, and the listener leaves the epoll set: otherwise it would report the
 * same connection again at once, for ever. */
static void accept_link(void) {
  int fd = accept4(links.listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
    epoll_ctl(links.events, EPOLL_CTL_DEL, links.listener, NULL);
    links.listens = false;
  }
  if (fd < 0) return;
  struct link *link = find_place();
  keep_alive(fd);
  if (link && watch_fd(fd, EPOLL_CTL_ADD, EPOLLIN)) *link = (struct link){.fd = fd, .node = -1};
  else close(fd);
}

struct tsr_link_event tsr_monitor_links_take(int fd) {
  if (fd == links.listener) accept_link();
  if (fd == links.up.fd) return links.is_connecting ? finish_connection() : receive_message(&links.up);
  for (int i = 0; i < links.down_n; i++) {
    if (links.down[i].fd == fd) return receive_message(&links.down[i]);
  }
  return nothing;
}

/* ---- the start ---- */

void tsr_monitor_links_start(const struct tsr_monitor_address *own, int listener,
                             const struct tsr_monitor_address *parent, int events) {
  int32_t wanted = tsr_monitor_links_parent(tsr_place.node);
  if (listener < 0 || tsr_config.node_timeout_s == 0 || tsr_place.nodes_n == 1) return;
  links.events = events;
  links.token = own->token;
  links.port = own->port;
  links.parent = *parent;
  int64_t first = (int64_t)tsr_place.node * tsr_config.monitor_degree + 1, children_n = tsr_place.nodes_n - first;
  if (children_n > tsr_config.monitor_degree) children_n = tsr_config.monitor_degree;
  links.down_n = STRANGERS_MAX + (children_n > 0 ? (int)children_n : 0);
  links.down = calloc((size_t)links.down_n, sizeof *links.down);
  if (!links.down) links.down_n = 0;
  else links.listener = listener;
  for (int i = 0; i < links.down_n; i++) links.down[i].fd = links.down[i].node = -1;
  listen_again();
  if (wanted >= 0) connect_to_parent();
  if (wanted >= 0 && links.up.fd < 0)
    tsr_info("no connection from monitor to monitor: that the link to node %d is cut will not be noticed", wanted);
}

/* Waits for a verdict; what happens on the own node meanwhile does not matter any more. */
static int32_t await_verdict(int32_t unit) {
  uint64_t end = tsr_clock_ns() + VERDICT_MS * UINT64_C(1000000);
  for (uint64_t now = tsr_clock_ns(); now < end; now = tsr_clock_ns()) {
    struct epoll_event event;
    if (epoll_wait(links.events, &event, 1, (int)((end - now) / 1000000) + 1) < 1) continue;
    if ((uint32_t)event.data.u64 != TSR_LINK_EPOLL_MARK) continue;
    struct tsr_link_event news = tsr_monitor_links_take((int)(event.data.u64 >> 32));
    if (news.kind == TSR_LINK_DEAD || news.kind == TSR_LINK_ABORTED) return news.unit;
    if (news.kind == TSR_LINK_LOST) return news.host ? unit : -1;
  }
  return unit;
}

int32_t tsr_monitor_links_verdict(int32_t unit) {
  if (report_cause((struct cause){TSR_LINK_DEAD, unit}).kind || links.up.fd < 0) return unit;
  return await_verdict(unit);
}

/* The nodes below this one get the verdict from here: this monitor may end before the root's verdict comes. The others get it from
 * the root, unless a lost node is on the way there. */
static void tell_all(struct cause cause) {
  report_cause(cause);
  decide_verdict(cause);
}

void tsr_monitor_links_tell_aborted(int32_t unit) { tell_all((struct cause){TSR_LINK_ABORTED, unit}); }

void tsr_monitor_links_tell_lost(int32_t node) { tell_all((struct cause){TSR_LINK_LOST, node}); }

void tsr_monitor_links_end(void) {
  if (links.up.fd >= 0) send_message(&links.up, BYE, no_cause);
  send_down(BYE, no_cause);
}
