/* The links between monitors: a tree, whose links break and come back, and a listener that does not spin when
 * descriptors run out. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/config.h"
#include "core/monitor_links.h"
#include "core/place.h"

static struct tsr_monitor_address monitor, their_monitor; /* of node 0, and of node 1 */
static int listener = -1, their_listener = -1, events = -1;

static int start_root(void **state) {
  (void)state;
  tsr_config_load(false);
  tsr_place.node = 0;
  tsr_place.nodes_n = 3;
  listener = tsr_monitor_links_open(&monitor);
  their_listener = tsr_monitor_links_open(&their_monitor);
  if (listener < 0 || their_listener < 0) return 0;
  events = epoll_create1(EPOLL_CLOEXEC);
  tsr_monitor_links_start(&monitor, listener, &(struct tsr_monitor_address){.addresses_n = 0}, events);
  return events < 0;
}

/* The next event. Returns the descriptor that it belongs to; -1: there is none at once. */
static int next_event(int limit_ms) {
  struct epoll_event event;
  int n;
  while ((n = epoll_wait(events, &event, 1, limit_ms)) < 0 && errno == EINTR) continue;
  return n == 1 ? (int)(event.data.u64 >> 32) : -1;
}

static struct tsr_link_event take_one(void) { return tsr_monitor_links_take(next_event(-1)); }

/* A monitor of node 1: sends its hello message, and dies when it is told to. */
static pid_t start_child(int *die) {
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    close(pipes[1]);
    tsr_place.node = 1;
    tsr_monitor_links_start(&their_monitor, their_listener, &monitor, epoll_create1(EPOLL_CLOEXEC));
    while (read(pipes[0], &byte, 1) > 0) continue;
    _exit(0);
  }
  close(pipes[0]);
  *die = pipes[1];
  return child;
}

static void parents_make_a_tree(void **state) {
  (void)state;
  tsr_config.monitor_degree = 3;
  assert_int_equal(tsr_monitor_links_parent(0), -1);
  for (int32_t node = 1; node < 4; node++) assert_int_equal(tsr_monitor_links_parent(node), 0);
  for (int32_t node = 4; node < 7; node++) assert_int_equal(tsr_monitor_links_parent(node), 1);
  assert_int_equal(tsr_monitor_links_parent(39), 12);
  tsr_config.monitor_degree = 1;
  assert_int_equal(tsr_monitor_links_parent(39), 38);
  tsr_config.monitor_degree = 32;
}

static void kill_child(pid_t child, int die) {
  close(die);
  waitpid(child, NULL, 0);
}

/* While a unit of its node lives (here: this process), a lost monitor is not reported, and a new one may connect.
 * Without both, the node is lost. */
static void a_node_is_asked_before_it_is_lost(void **state) {
  (void)state;
  if (listener < 0 || their_listener < 0) skip();
  int die;
  pid_t child = start_child(&die);
  assert_int_equal(take_one().kind, TSR_LINK_NOTHING); /* the connection */
  assert_int_equal(take_one().kind, TSR_LINK_NOTHING); /* hello */
  kill_child(child, die);
  assert_int_equal(take_one().kind, TSR_LINK_NOTHING); /* the break */
  assert_int_equal(next_event(2000), -1);
  child = start_child(&die);
  assert_int_equal(take_one().kind, TSR_LINK_NOTHING);
  assert_int_equal(take_one().kind, TSR_LINK_NOTHING);
  kill_child(child, die);
  assert_int_equal(take_one().kind, TSR_LINK_NOTHING);
  close(their_listener);
  struct tsr_link_event news = take_one();
  if (!news.kind) news = take_one(); /* a probe whose connection was accepted is repeated */
  assert_int_equal(news.kind, TSR_LINK_LOST);
  assert_int_equal(news.node, 1);
  assert_false(news.silent);
}

/* A monitor of node 1, which starts when it is told to. Its exit code is 0 if the verdict is that unit 5 has aborted. */
static pid_t prepare_child(int *start) {
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  pid_t child = fork();
  if (child == 0) {
    struct tsr_link_event news = {.kind = TSR_LINK_NOTHING};
    struct tsr_monitor_address own;
    char byte;
    close(pipes[1]);
    while (read(pipes[0], &byte, 1) > 0) continue;
    events = epoll_create1(EPOLL_CLOEXEC);
    tsr_place.node = 1;
    tsr_monitor_links_start(&own, tsr_monitor_links_open(&own), &monitor, events);
    while (!news.kind) news = take_one();
    _exit(news.kind != TSR_LINK_ABORTED || news.unit != 5);
  }
  close(pipes[0]);
  *start = pipes[1];
  return child;
}

/* A monitor that connects after the verdict gets it, too. */
static void a_late_child_gets_the_verdict(void **state) {
  (void)state;
  if (listener < 0) skip();
  int code = -1, start;
  pid_t child = prepare_child(&start);
  tsr_monitor_links_tell_aborted(5);
  close(start);
  while (waitpid(child, &code, WNOHANG) == 0) { /* its connection and its hello message, perhaps behind strangers that leave */
    int fd = next_event(10);
    if (fd >= 0) assert_int_equal(tsr_monitor_links_take(fd).kind, TSR_LINK_NOTHING);
  }
  assert_int_equal(code, 0);
}

static int call(void) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)monitor.port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(connect(fd, (struct sockaddr *)&place, sizeof place), 0);
  return fd;
}

/* A connection that cannot be accepted for want of a descriptor is not reported again and again, but accepted when
 * there is one. */
static void no_descriptor_disarms_the_listener(void **state) {
  (void)state;
  if (listener < 0) skip();
  struct rlimit before, none;
  int one = call();
  assert_int_equal(take_one().kind, TSR_LINK_NOTHING);
  int two = call();
  int lowest = dup(0);
  close(lowest);
  getrlimit(RLIMIT_NOFILE, &before);
  none = (struct rlimit){(rlim_t)lowest, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
  assert_int_equal(next_event(-1), listener);
  tsr_monitor_links_take(listener);
  assert_int_equal(next_event(0), -1);
  close(one); /* the stranger leaves: its descriptor is free again */
  int fd = next_event(-1);
  assert_int_not_equal(fd, listener);
  tsr_monitor_links_take(fd);
  assert_int_equal(next_event(-1), listener);
  tsr_monitor_links_take(listener);
  assert_int_equal(next_event(0), -1);
  setrlimit(RLIMIT_NOFILE, &before);
  close(two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(parents_make_a_tree),
    cmocka_unit_test(a_node_is_asked_before_it_is_lost),
    cmocka_unit_test(no_descriptor_disarms_the_listener),
    cmocka_unit_test(a_late_child_gets_the_verdict), /* the last: there is one verdict */
  };
  signal(SIGPIPE, SIG_IGN);
  return cmocka_run_group_tests_name("monitor_links", tests, start_root, NULL);
}
