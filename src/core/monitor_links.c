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
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "base/wait.h"
#include "core/place.h"

enum {
  CONNECT_MS = 1000,   /* for each address, */
  ANSWER_MS = 10000,   /* and for the parent's answer: its monitor may start late on a busy host */
  RETURN_MS = 1500,    /* for the peer of a broken link to be there again */
  RETRY_MS = 50,
  VERDICT_MS = 500,
  STRANGERS_MAX = 8    /* connections before their hello message */
};

/* Messages. */
enum kind { HELLO = 1, DEATH = 3 /* upwards: a unit died */, VERDICT /* downwards: the first unit that died */, BYE };
struct note {
  uint64_t token;
  int32_t kind;
  int32_t node;   /* sender */
  int32_t victim; /* a unit, or -1 - node */
  char host[108];
};

struct link {
  int fd;           /* -1: none */
  int32_t node;     /* -1: has not said hello */
  uint64_t due_ns;  /* broken: until then the node's monitor may be there again; 0: not broken */
  size_t got;       /* bytes of the next note */
  struct note note;
  char host[108];
};

static struct {
  int events, listener, timer;
  bool listens;           /* false while there is no descriptor for one more connection */
  uint64_t token, parent_token;
  struct tsr_monitor_address parent;
  struct link up;         /* to the parent */
  struct link *down;      /* to the children, and strangers */
  int down_n;
  bool is_decided;
} links = {.events = -1, .listener = -1, .timer = -1, .up.fd = -1};

static const struct tsr_link_event nothing = {.kind = TSR_LINK_NOTHING};

int32_t tsr_monitor_links_parent(int32_t node) {
  return node == 0 ? -1 : (node - 1) / (int32_t)tsr_config.monitor_degree;
}

static bool is_root(void) { return tsr_place.node == 0; }

static int32_t children_n(void) {
  int64_t first = (int64_t)tsr_place.node * tsr_config.monitor_degree + 1, end = first + tsr_config.monitor_degree;
  if (end > tsr_place.nodes_n) end = tsr_place.nodes_n;
  return end > first ? (int32_t)(end - first) : 0;
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

static bool watch_fd(int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)(uint32_t)fd << 32 | TSR_LINK_EPOLL_MARK};
  return epoll_ctl(links.events, EPOLL_CTL_ADD, fd, &event) == 0;
}

static void set_option(int fd, int level, int option, int value) { setsockopt(fd, level, option, &value, sizeof value); }

/* The kernel asks the other one whether a quiet link is still there, and gives up on it after TESSERA_NODE_TIMEOUT. It answers
 * for monitors that are stopped, too. */
static void keep_alive(int fd) {
  int timeout_s = (int)tsr_config.node_timeout_s, step_s = timeout_s >= 4 ? timeout_s / 4 : 1;
  set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, step_s);
  set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, step_s);
  set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, timeout_s / step_s);
  set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, timeout_s * 1000);
}

static bool begin_line(struct link *link, int fd) {
  *link = (struct link){.fd = fd, .node = -1};
  keep_alive(fd);
  if (watch_fd(fd)) return true;
  close(fd);
  link->fd = -1;
  return false;
}

/* A free entry; else that of the oldest connection without a hello message. */
static struct link *find_place(void) {
  struct link *stranger = NULL;
  for (int i = 0; i < links.down_n; i++) {
    struct link *link = &links.down[i];
    if (link->fd < 0 && !link->due_ns) return link;
    if (link->fd >= 0 && link->node < 0) stranger = link;
  }
  if (stranger) close(stranger->fd);
  return stranger;
}

static void listen_again(void) {
  if (links.listens || links.listener < 0) return;
  links.listens = watch_fd(links.listener);
}

static void close_link(struct link *link) {
  close(link->fd);
  link->fd = -1;
  listen_again();
}

/* If the buffer of a link is full, its peer has not read for long, and the message is not needed. */
static void send_note(const struct link *link, enum kind kind, int32_t victim) {
  uint64_t token = link == &links.up ? links.parent_token : links.token;
  struct note note = {.token = token, .kind = (int32_t)kind, .node = tsr_place.node, .victim = victim};
  gethostname(note.host, sizeof note.host - 1);
  (void)!send(link->fd, &note, sizeof note, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void say_down(enum kind kind, int32_t victim) {
  for (int i = 0; i < links.down_n; i++) {
    if (links.down[i].fd >= 0 && links.down[i].node >= 0) send_note(&links.down[i], kind, victim);
  }
}

static struct tsr_link_event news_of(int32_t victim) {
  if (victim >= 0) return (struct tsr_link_event){.kind = TSR_LINK_DEAD, .unit = victim};
  return (struct tsr_link_event){.kind = TSR_LINK_LOST, .node = -1 - victim};
}

/* The first report that reaches the root becomes the verdict. */
static struct tsr_link_event decide_verdict(int32_t victim) {
  if (links.is_decided) return nothing;
  links.is_decided = true;
  say_down(VERDICT, victim);
  return news_of(victim);
}

static struct tsr_link_event report_death(int32_t victim) {
  if (is_root() || links.up.fd < 0) return decide_verdict(victim);
  send_note(&links.up, DEATH, victim);
  return nothing;
}

/* ---- broken links ---- */

static void set_timer(uint64_t due_ns) {
  struct itimerspec when = {.it_value = {.tv_sec = (time_t)(due_ns / 1000000000), .tv_nsec = (long)(due_ns % 1000000000)}};
  timerfd_settime(links.timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static struct tsr_link_event lost_event(const struct link *link, bool silent) {
  return (struct tsr_link_event){.kind = TSR_LINK_LOST, .node = link->node, .host = link->host, .silent = silent};
}

static bool call_parent(int answer_ms);

/* A new monitor of the parent may be about to start. Deaths on this node are noticed a little later meanwhile. */
static bool find_parent_again(void) {
  uint64_t end = tsr_clock_ns() + RETURN_MS * UINT64_C(1000000);
  while (tsr_clock_ns() < end) {
    if (call_parent(RETURN_MS)) return true;
    tsr_wait_sleep_ns(RETRY_MS * UINT64_C(1000000));
  }
  return false;
}

static bool is_silence(int error) { return error == ETIMEDOUT || error == EHOSTUNREACH || error == ENETUNREACH; }

static struct tsr_link_event break_line(struct link *link, int error) {
  struct link before = *link;
  close_link(link);
  if (before.node < 0) return nothing;
  if (is_silence(error)) return lost_event(link, true);
  if (link == &links.up) {
    if (find_parent_again()) return nothing;
    *link = before;
    link->fd = -1;
    return lost_event(link, false);
  }
  link->due_ns = tsr_clock_ns() + RETURN_MS * UINT64_C(1000000);
  set_timer(link->due_ns);
  return nothing;
}

/* Children that did not come back in time are lost. */
static struct tsr_link_event on_timer(void) {
  uint64_t times, now = tsr_clock_ns(), next = 0;
  struct tsr_link_event news = nothing;
  if (read(links.timer, &times, sizeof times) < 0) return nothing;
  for (int i = 0; i < links.down_n; i++) {
    struct link *link = &links.down[i];
    if (!link->due_ns) continue;
    if (link->due_ns <= now && !news.kind) {
      link->due_ns = 0;
      news = lost_event(link, false);
    } else if (!next || link->due_ns < next) {
      next = link->due_ns;
    }
  }
  if (next) set_timer(next);
  return news;
}

/* ---- what comes ---- */

static void forget_broken(int32_t node) {
  for (int i = 0; i < links.down_n; i++) {
    if (links.down[i].due_ns && links.down[i].node == node) links.down[i].due_ns = 0;
  }
}

static void on_hello(struct link *link) {
  link->node = link->note.node;
  memcpy(link->host, link->note.host, sizeof link->host);
  link->host[sizeof link->host - 1] = 0;
  if (link == &links.up) return;
  forget_broken(link->node);
  send_note(link, HELLO, 0);
}

/* Other programs send wrong tokens. */
static bool is_valid(const struct link *link) {
  uint64_t token = link == &links.up ? links.parent_token : links.token;
  return link->note.token == token && (link->node >= 0 || link->note.kind == HELLO);
}

static struct tsr_link_event on_note(struct link *link) {
  const struct note *note = &link->note;
  if (!is_valid(link)) {
    close_link(link);
    return nothing;
  }
  switch (note->kind) {
    case HELLO: on_hello(link); return nothing;
    case DEATH: return report_death(note->victim);
    case VERDICT: return decide_verdict(note->victim);
    case BYE: close_link(link); return nothing;
    default: return nothing;
  }
}

static struct tsr_link_event receive_note(struct link *link) {
  ssize_t n = recv(link->fd, (char *)&link->note + link->got, sizeof link->note - link->got, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return nothing;
  if (n <= 0) return break_line(link, n < 0 ? errno : 0);
  link->got += (size_t)n;
  if (link->got < sizeof link->note) return nothing;
  link->got = 0;
  return on_note(link);
}

/* Without a descriptor for it, the connection waits, and so does the listener: it would report it again at once, for ever. */
static void take_caller(void) {
  int fd = accept4(links.listener, NULL, NULL, SOCK_CLOEXEC);
  struct link *place = fd >= 0 ? find_place() : NULL;
  if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
    epoll_ctl(links.events, EPOLL_CTL_DEL, links.listener, NULL);
    links.listens = false;
  }
  if (fd < 0) return;
  if (place) begin_line(place, fd);
  else close(fd);
}

struct tsr_link_event tsr_monitor_links_take(int fd) {
  if (fd == links.timer) return on_timer();
  if (fd == links.listener) {
    take_caller();
    return nothing;
  }
  if (fd == links.up.fd) return receive_note(&links.up);
  for (int i = 0; i < links.down_n; i++) {
    if (links.down[i].fd == fd) return receive_note(&links.down[i]);
  }
  return nothing;
}

/* ---- the start ---- */

static bool is_ready(int fd, short what, int limit_ms) {
  struct pollfd ready = {.fd = fd, .events = what};
  return poll(&ready, 1, limit_ms) == 1;
}

/* -1: no answer. */
static int call_address(uint32_t address, uint32_t port) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = address};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error = 0;
  socklen_t bytes = sizeof error;
  if (fd < 0) return -1;
  bool begun = connect(fd, (struct sockaddr *)&place, sizeof place) == 0 || errno == EINPROGRESS;
  if (begun && is_ready(fd, POLLOUT, CONNECT_MS) && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes) == 0 && !error)
    return fd;
  close(fd);
  return -1;
}

/* True: the parent's monitor has answered. Another program there would not know the token. */
static bool await_hello(int limit_ms) {
  struct link *link = &links.up;
  while (link->fd >= 0 && link->node < 0 && is_ready(link->fd, POLLIN, limit_ms)) receive_note(link);
  if (link->fd >= 0 && link->node < 0) {
    send_note(link, BYE, 0); /* it may only be slow: this is not the end of this node */
    close_link(link);
  }
  return link->fd >= 0;
}

static bool call_parent(int answer_ms) {
  for (uint32_t i = 0; i < links.parent.addresses_n; i++) {
    int fd = call_address(links.parent.addresses[i], links.parent.port);
    if (fd < 0 || !begin_line(&links.up, fd)) continue;
    send_note(&links.up, HELLO, 0);
    if (await_hello(answer_ms)) return true;
  }
  return false;
}

void tsr_monitor_links_start(const struct tsr_monitor_address *own, int listener,
                             const struct tsr_monitor_address *parent, int events) {
  if (tsr_config.node_timeout_s == 0 || tsr_place.nodes_n == 1) return;
  links.events = events;
  links.token = own->token;
  links.parent = *parent;
  links.parent_token = parent->token;
  links.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (links.timer >= 0) watch_fd(links.timer);
  int32_t down_n = listener >= 0 && children_n() > 0 ? children_n() + STRANGERS_MAX : 0;
  links.down = calloc((size_t)down_n + 1, sizeof *links.down);
  links.down_n = links.down ? down_n : 0;
  for (int i = 0; i < links.down_n; i++) links.down[i].fd = -1;
  if (links.down_n > 0) {
    links.listener = listener;
    listen_again();
  }
  if (!is_root() && !call_parent(ANSWER_MS))
    tsr_info("no connection from monitor to monitor: that the link to node %d is cut will not be noticed",
             tsr_monitor_links_parent(tsr_place.node));
}

/* Waits for a verdict; what happens on the own node meanwhile does not matter any more. */
static int32_t await_verdict(int32_t unit) {
  uint64_t end = tsr_clock_ns() + VERDICT_MS * UINT64_C(1000000);
  for (uint64_t now = tsr_clock_ns(); now < end; now = tsr_clock_ns()) {
    struct epoll_event event;
    if (epoll_wait(links.events, &event, 1, (int)((end - now) / 1000000) + 1) < 1) continue;
    if ((uint32_t)event.data.u64 != TSR_LINK_EPOLL_MARK) continue;
    struct tsr_link_event news = tsr_monitor_links_take((int)(event.data.u64 >> 32));
    if (news.kind == TSR_LINK_DEAD) return news.unit;
    if (news.kind == TSR_LINK_LOST) return news.host ? unit : -1;
  }
  return unit;
}

int32_t tsr_monitor_links_verdict(int32_t unit) {
  if (report_death(unit).kind || links.up.fd < 0) return unit;
  return await_verdict(unit);
}

/* Those below hear of it here; the others by the root, unless it is the way there that is lost. */
void tsr_monitor_links_tell_lost(int32_t node) {
  if (links.up.fd >= 0) send_note(&links.up, DEATH, -1 - node);
  decide_verdict(-1 - node);
}

void tsr_monitor_links_end(void) {
  if (links.up.fd >= 0) send_note(&links.up, BYE, 0);
  say_down(BYE, 0);
}
