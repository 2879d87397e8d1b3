#include "core/lines.h"

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
  ANSWER_MS = 10000,   /* and for node 0's answer: its guardian may start late on a busy host */
  VERDICT_MS = 500,
  STRANGERS_MAX = 4    /* connections that have not yet said who they are */
};

/* What travels. */
enum kind { HELLO = 1, BEAT, CLAIM /* to node 0: a unit died */, VERDICT /* from it: who was first */, BYE };
struct note {
  uint64_t token;
  int32_t kind;
  int32_t node;   /* who says it */
  int32_t victim; /* a unit, or -1 - node */
  char host[108];
};

struct line {
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
  struct line *all;
  int all_n;
  bool is_decided;
} lines = {.events = -1, .listener = -1, .timer = -1};

static const struct tsr_lines_news nothing = {.kind = TSR_LINES_NOTHING};

static bool is_centre(void) { return tsr_place.node == 0; }

/* ---- the door ---- */

/* The addresses under which others may reach this host; last the one for pretended nodes. */
static void list_addresses(struct tsr_lines_door *door) {
  struct ifaddrs *first = NULL;
  door->addresses_n = 0;
  if (getifaddrs(&first) != 0) first = NULL;
  for (struct ifaddrs *at = first; at && door->addresses_n < TSR_LINES_ADDRESSES_MAX - 1; at = at->ifa_next) {
    if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET) continue;
    uint32_t address = ((const struct sockaddr_in *)(const void *)at->ifa_addr)->sin_addr.s_addr;
    if (ntohl(address) >> IN_CLASSA_NSHIFT != IN_LOOPBACKNET) door->addresses[door->addresses_n++] = address;
  }
  if (first) freeifaddrs(first);
  door->addresses[door->addresses_n++] = htonl(INADDR_LOOPBACK);
}

int tsr_lines_open(struct tsr_lines_door *door) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
  socklen_t bytes = sizeof place;
  door->addresses_n = 0;
  if (tsr_config.node_timeout_s == 0) return -1;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  bool listens = fd >= 0 && bind(fd, (struct sockaddr *)&place, sizeof place) == 0 && listen(fd, SOMAXCONN) == 0 &&
                 getsockname(fd, (struct sockaddr *)&place, &bytes) == 0 &&
                 getrandom(&door->token, sizeof door->token, 0) == (ssize_t)sizeof door->token;
  if (!listens) {
    tsr_info("nodes will not watch each other: no place to listen (%s)", strerror(errno));
    if (fd >= 0) close(fd);
    return -1;
  }
  door->port = ntohs(place.sin_port);
  list_addresses(door);
  return fd;
}

/* ---- one line ---- */

static bool watch(int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)(uint32_t)fd << 32 | TSR_LINES_EVENT};
  return epoll_ctl(lines.events, EPOLL_CTL_ADD, fd, &event) == 0;
}

static struct line *open_line(int fd) {
  for (int i = 0; i < lines.all_n; i++) {
    struct line *line = &lines.all[i];
    if (line->fd >= 0) continue;
    *line = (struct line){.fd = fd, .node = -1};
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (watch(fd)) return line;
    line->fd = -1;
  }
  close(fd);
  return NULL;
}

static void close_line(struct line *line) {
  close(line->fd);
  line->fd = -1;
}

/* A line whose buffer is full has been silent for long: what it loses does not matter. */
static void say(const struct line *line, enum kind kind, int32_t victim) {
  struct note note = {.token = lines.token, .kind = (int32_t)kind, .node = tsr_place.node, .victim = victim};
  gethostname(note.host, sizeof note.host - 1);
  (void)!send(line->fd, &note, sizeof note, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void say_to_all(enum kind kind, int32_t victim) {
  for (int i = 0; i < lines.all_n; i++) {
    if (lines.all[i].fd >= 0 && lines.all[i].node >= 0) say(&lines.all[i], kind, victim);
  }
}

static struct tsr_lines_news lose(struct line *line, bool silent) {
  close_line(line);
  if (line->node < 0) return nothing;
  return (struct tsr_lines_news){.kind = TSR_LINES_LOST, .node = line->node, .host = line->host, .silent = silent};
}

static struct tsr_lines_news news_of(int32_t victim) {
  if (victim >= 0) return (struct tsr_lines_news){.kind = TSR_LINES_DEAD, .unit = victim};
  return (struct tsr_lines_news){.kind = TSR_LINES_LOST, .node = -1 - victim};
}

/* Node 0: the first claim is the verdict. */
static struct tsr_lines_news decide(int32_t victim) {
  if (lines.is_decided) return nothing;
  lines.is_decided = true;
  say_to_all(VERDICT, victim);
  return news_of(victim);
}

static void greet(struct line *line) {
  line->node = line->note.node;
  memcpy(line->host, line->note.host, sizeof line->host);
  line->host[sizeof line->host - 1] = 0;
  if (is_centre()) say(line, HELLO, 0);
}

static struct tsr_lines_news heed(struct line *line) {
  const struct note *note = &line->note;
  line->silent_n = 0;
  if (note->token != lines.token || (line->node < 0 && note->kind != HELLO)) {
    close_line(line);
    return nothing;
  }
  switch (note->kind) {
    case HELLO: greet(line); return nothing;
    case CLAIM: return is_centre() ? decide(note->victim) : nothing;
    case VERDICT: return news_of(note->victim);
    case BYE: close_line(line); return nothing;
    default: return nothing;
  }
}

static struct tsr_lines_news hear(struct line *line) {
  ssize_t n = recv(line->fd, (char *)&line->note + line->got, sizeof line->note - line->got, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return nothing;
  if (n <= 0) return lose(line, false);
  line->got += (size_t)n;
  if (line->got < sizeof line->note) return nothing;
  line->got = 0;
  return heed(line);
}

/* ---- all lines ---- */

/* Counts ticks, not time: after a job was stopped and goes on, all nodes have their beats before it is too late. */
static struct tsr_lines_news tick(void) {
  uint64_t times;
  if (read(lines.timer, &times, sizeof times) < 0) return nothing;
  for (int i = 0; i < lines.all_n; i++) {
    struct line *line = &lines.all[i];
    if (line->fd < 0) continue;
    if (++line->silent_n >= BEATS_N) {
      struct tsr_lines_news news = lose(line, true);
      if (news.kind) return news;
    } else if (line->node >= 0) {
      say(line, BEAT, 0);
    }
  }
  return nothing;
}

struct tsr_lines_news tsr_lines_take(int fd) {
  if (fd == lines.timer) return tick();
  if (fd == lines.listener) {
    int caller = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
    if (caller >= 0) open_line(caller);
    return nothing;
  }
  for (int i = 0; i < lines.all_n; i++) {
    if (lines.all[i].fd == fd) return hear(&lines.all[i]);
  }
  return nothing;
}

static void start_ticks(void) {
  long long ns = (long long)tsr_config.node_timeout_s * 1000000000 / BEATS_N;
  struct timespec step = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
  lines.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (lines.timer < 0) return;
  timerfd_settime(lines.timer, 0, &(struct itimerspec){step, step}, NULL);
  watch(lines.timer);
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
  struct line *line = fd >= 0 ? open_line(fd) : NULL;
  if (!line) return false;
  say(line, HELLO, 0);
  while (line->fd >= 0 && line->node < 0 && is_ready(fd, POLLIN, ANSWER_MS)) hear(line);
  if (line->fd >= 0 && line->node < 0) {
    say(line, BYE, 0); /* it may only be slow: this is not the end of this node */
    close_line(line);
  }
  return line->fd >= 0;
}

static void call_centre(const struct tsr_lines_door *door) {
  for (uint32_t i = 0; i < door->addresses_n; i++) {
    if (call(door->addresses[i], door->port)) return;
  }
  tsr_info("no connection from guardian to guardian: that the link to the first node is cut will not be noticed");
}

void tsr_lines_start(const struct tsr_lines_door *door, int listener, int events) {
  if (door->addresses_n == 0) return;
  lines.events = events;
  lines.listener = listener;
  lines.token = door->token;
  lines.all_n = is_centre() ? tsr_place.nodes_n - 1 + STRANGERS_MAX : 1;
  lines.all = malloc((size_t)lines.all_n * sizeof *lines.all);
  if (!lines.all) lines.all_n = 0;
  for (int i = 0; i < lines.all_n; i++) lines.all[i].fd = -1;
  if (is_centre()) watch(listener);
  else call_centre(door);
  start_ticks();
}

/* Waits for a verdict; what happens on the own node meanwhile does not matter any more. */
static int32_t await_verdict(int32_t unit) {
  uint64_t end = tsr_clock_ns() + VERDICT_MS * UINT64_C(1000000);
  for (uint64_t now = tsr_clock_ns(); now < end; now = tsr_clock_ns()) {
    struct epoll_event event;
    if (epoll_wait(lines.events, &event, 1, (int)((end - now) / 1000000) + 1) < 1) continue;
    if ((uint32_t)event.data.u64 != TSR_LINES_EVENT) continue;
    struct tsr_lines_news news = tsr_lines_take((int)(event.data.u64 >> 32));
    if (news.kind == TSR_LINES_DEAD) return news.unit;
    if (news.kind == TSR_LINES_LOST) return news.host ? unit : -1;
  }
  return unit;
}

int32_t tsr_lines_settle(int32_t unit) {
  if (lines.all_n == 0) return unit;
  if (is_centre()) {
    decide(unit);
    return unit;
  }
  if (lines.all[0].fd < 0) return unit;
  say(&lines.all[0], CLAIM, unit);
  return await_verdict(unit);
}

void tsr_lines_tell_lost(int32_t node) { decide(-1 - node); }

void tsr_lines_end(void) { say_to_all(BYE, 0); }
