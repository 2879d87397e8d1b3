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
#include "core/place.h"

enum {
  BEATS_N = 4,         /* in TESSERA_NODE_TIMEOUT */
  CONNECT_MS = 1000,   /* for each address, */
  ANSWER_MS = 10000,   /* and for node 0's answer: its monitor may start late on a busy host */
  VERDICT_MS = 500,
  STRANGERS_MAX = 4    /* connections that have not yet said who they are */
};

/* What travels. */
enum kind { HELLO = 1, BEAT, RESERVE /* to node 0: a unit died */, VERDICT /* from it: who was first */, BYE };
struct note {
  uint64_t token;
  int32_t kind;
  int32_t node;   /* who says it */
  int32_t victim; /* a unit, or -1 - node */
  char host[108];
};

struct link {
  int fd;         /* -1: none */
  int32_t node;   /* -1: has not said hello */
  int silent_n;   /* ticks since it last said something */
  size_t got;     /* bytes of the next note */
  struct note note;
  char host[108];
};

static struct {
  int events, listener, timer;
  uint64_t token;
  struct link *all;
  int all_n;
  bool is_decided;
} links = {.events = -1, .listener = -1, .timer = -1};

static const struct tsr_link_event nothing = {.kind = TSR_LINK_NOTHING};

static bool is_centre(void) { return tsr_place.node == 0; }

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

static bool watch(int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)(uint32_t)fd << 32 | TSR_LINK_EPOLL_MARK};
  return epoll_ctl(links.events, EPOLL_CTL_ADD, fd, &event) == 0;
}

static struct link *open_link(int fd) {
  for (int i = 0; i < links.all_n; i++) {
    struct link *link = &links.all[i];
    if (link->fd >= 0) continue;
    *link = (struct link){.fd = fd, .node = -1};
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (watch(fd)) return link;
    link->fd = -1;
  }
  close(fd);
  return NULL;
}

static void close_link(struct link *link) {
  close(link->fd);
  link->fd = -1;
}

/* A link whose buffer is full has been silent for long: what it loses does not matter. */
static void say(const struct link *link, enum kind kind, int32_t victim) {
  struct note note = {.token = links.token, .kind = (int32_t)kind, .node = tsr_place.node, .victim = victim};
  gethostname(note.host, sizeof note.host - 1);
  (void)!send(link->fd, &note, sizeof note, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void say_to_all(enum kind kind, int32_t victim) {
  for (int i = 0; i < links.all_n; i++) {
    if (links.all[i].fd >= 0 && links.all[i].node >= 0) say(&links.all[i], kind, victim);
  }
}

static struct tsr_link_event lose(struct link *link, bool silent) {
  close_link(link);
  if (link->node < 0) return nothing;
  return (struct tsr_link_event){.kind = TSR_LINK_LOST, .node = link->node, .host = link->host, .silent = silent};
}

static struct tsr_link_event news_of(int32_t victim) {
  if (victim >= 0) return (struct tsr_link_event){.kind = TSR_LINK_DEAD, .unit = victim};
  return (struct tsr_link_event){.kind = TSR_LINK_LOST, .node = -1 - victim};
}

/* Node 0: the first claim is the verdict. */
static struct tsr_link_event decide(int32_t victim) {
  if (links.is_decided) return nothing;
  links.is_decided = true;
  say_to_all(VERDICT, victim);
  return news_of(victim);
}

static void greet(struct link *link) {
  link->node = link->note.node;
  memcpy(link->host, link->note.host, sizeof link->host);
  link->host[sizeof link->host - 1] = 0;
  if (is_centre()) say(link, HELLO, 0);
}

static struct tsr_link_event heed(struct link *link) {
  const struct note *note = &link->note;
  link->silent_n = 0;
  if (note->token != links.token || (link->node < 0 && note->kind != HELLO)) {
    close_link(link);
    return nothing;
  }
  switch (note->kind) {
    case HELLO: greet(link); return nothing;
    case RESERVE: return is_centre() ? decide(note->victim) : nothing;
    case VERDICT: return news_of(note->victim);
    case BYE: close_link(link); return nothing;
    default: return nothing;
  }
}

static struct tsr_link_event hear(struct link *link) {
  ssize_t n = recv(link->fd, (char *)&link->note + link->got, sizeof link->note - link->got, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return nothing;
  if (n <= 0) return lose(link, false);
  link->got += (size_t)n;
  if (link->got < sizeof link->note) return nothing;
  link->got = 0;
  return heed(link);
}

/* ---- all links ---- */

/* Counts ticks, not time: after a job was stopped and goes on, all nodes have their beats before it is too late. */
static struct tsr_link_event tick(void) {
  uint64_t times;
  if (read(links.timer, &times, sizeof times) < 0) return nothing;
  for (int i = 0; i < links.all_n; i++) {
    struct link *link = &links.all[i];
    if (link->fd < 0) continue;
    if (++link->silent_n >= BEATS_N) {
      struct tsr_link_event news = lose(link, true);
      if (news.kind) return news;
    } else if (link->node >= 0) {
      say(link, BEAT, 0);
    }
  }
  return nothing;
}

struct tsr_link_event tsr_monitor_links_take(int fd) {
  if (fd == links.timer) return tick();
  if (fd == links.listener) {
    int caller = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
    if (caller >= 0) open_link(caller);
    return nothing;
  }
  for (int i = 0; i < links.all_n; i++) {
    if (links.all[i].fd == fd) return hear(&links.all[i]);
  }
  return nothing;
}

static void start_ticks(void) {
  long long ns = (long long)tsr_config.node_timeout_s * 1000000000 / BEATS_N;
  struct timespec step = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
  links.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (links.timer < 0) return;
  timerfd_settime(links.timer, 0, &(struct itimerspec){step, step}, NULL);
  watch(links.timer);
}

static bool is_ready(int fd, short what, int limit_ms) {
  struct pollfd ready = {.fd = fd, .events = what};
  return poll(&ready, 1, limit_ms) == 1;
}

/* -1: nobody answers there. */
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

/* True: node 0 is at the other end. Another program there would not know the token. */
static bool call(uint32_t address, uint32_t port) {
  int fd = call_address(address, port);
  struct link *link = fd >= 0 ? open_link(fd) : NULL;
  if (!link) return false;
  say(link, HELLO, 0);
  while (link->fd >= 0 && link->node < 0 && is_ready(fd, POLLIN, ANSWER_MS)) hear(link);
  if (link->fd >= 0 && link->node < 0) {
    say(link, BYE, 0); /* it may only be slow: this is not the end of this node */
    close_link(link);
  }
  return link->fd >= 0;
}

static void call_centre(const struct tsr_monitor_address *monitor_address) {
  for (uint32_t i = 0; i < monitor_address->addresses_n; i++) {
    if (call(monitor_address->addresses[i], monitor_address->port)) return;
  }
  tsr_info("no connection from monitor to monitor: that the link to the first node is cut will not be noticed");
}

void tsr_monitor_links_start(const struct tsr_monitor_address *monitor_address, int listener, int events) {
  if (monitor_address->addresses_n == 0) return;
  links.events = events;
  links.listener = listener;
  links.token = monitor_address->token;
  links.all_n = is_centre() ? tsr_place.nodes_n - 1 + STRANGERS_MAX : 1;
  links.all = malloc((size_t)links.all_n * sizeof *links.all);
  if (!links.all) links.all_n = 0;
  for (int i = 0; i < links.all_n; i++) links.all[i].fd = -1;
  if (is_centre()) watch(listener);
  else call_centre(monitor_address);
  start_ticks();
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
  if (links.all_n == 0) return unit;
  if (is_centre()) {
    decide(unit);
    return unit;
  }
  if (links.all[0].fd < 0) return unit;
  say(&links.all[0], RESERVE, unit);
  return await_verdict(unit);
}

void tsr_monitor_links_tell_lost(int32_t node) { decide(-1 - node); }

void tsr_monitor_links_end(void) { say_to_all(BYE, 0); }
