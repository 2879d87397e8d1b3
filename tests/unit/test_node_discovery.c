/* The units are children of one process. It opens all listeners and makes all hello messages, as if MPI had exchanged them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/node_discovery.h"
#include "node/heap.h"

enum { UNITS_N = 5, SLICE_ORDER = TSR_HEAP_SLICE_ORDER_MIN + 1, SKIPPED = 77 };

/* The view of a unit. */
struct finding {
  int32_t first, index, units_n, connections_n;
  unsigned slice_order;
  int32_t least;
  uint64_t mark; /* the mark that the last unit of the node wrote into its memory */
};
static struct finding *findings; /* shared with the children */

static struct tsr_hello hellos[UNITS_N];
static int listeners[UNITS_N];

static int open_listeners(void **state) {
  (void)state;
  for (int i = 0; i < UNITS_N; i++) {
    hellos[i] = (struct tsr_hello){.host = 7, .slice_order = SLICE_ORDER};
    listeners[i] = tsr_share_open(&hellos[i].credentials, UNITS_N);
    if (listeners[i] < 0) return -1;
  }
  memset(findings, 0, UNITS_N * sizeof *findings);
  return 0;
}

static void close_listeners(int but) {
  for (int i = 0; i < UNITS_N; i++) {
    if (i != but && listeners[i] >= 0) close(listeners[i]);
  }
}

/* Every unit finds the smallest number; the last unit of the node writes a mark, which all read. */
static void find(int self) {
  struct tsr_node_discovery n;
  tsr_node_discover(&n, hellos, UNITS_N, self, listeners[self]);
  if (n.fd < 0) _exit(EXIT_FAILURE);
  uint64_t mark = 1000 + (uint64_t)self;
  if (n.index == n.units_n - 1 && pwrite(n.fd, &mark, sizeof mark, 64) != (ssize_t)sizeof mark) _exit(EXIT_FAILURE);
  int32_t least = tsr_node_discovery_min(&n, (self + 2) % UNITS_N);
  if (pread(n.fd, &mark, sizeof mark, 64) != (ssize_t)sizeof mark) _exit(EXIT_FAILURE);
  findings[self] = (struct finding){n.first, n.index, n.units_n, n.connections_n, n.slice_order, least, mark};
  tsr_node_discovery_close(&n);
  _exit(EXIT_SUCCESS);
}

/* Runs all units; one of them (`odd`, -1: none) first does something. Returns whether it could. */
static bool run_units(int odd, bool (*something)(void)) {
  pid_t units[UNITS_N];
  bool possible = true;
  for (int i = 0; i < UNITS_N; i++) {
    units[i] = fork();
    assert_true(units[i] >= 0);
    if (units[i]) continue;
    close_listeners(i);
    if (i == odd && !something()) {
      close(listeners[i]);
      _exit(SKIPPED);
    }
    find(i);
  }
  close_listeners(-1);
  for (int i = 0; i < UNITS_N; i++) {
    int status;
    assert_int_equal(waitpid(units[i], &status, 0), units[i]);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == SKIPPED) possible = false;
    else assert_int_equal(WEXITSTATUS(status), EXIT_SUCCESS);
  }
  return possible;
}

/* Checks that these units, in this order, are a node. */
static void assert_node(const int members[], int n) {
  int32_t least = UNITS_N;
  for (int i = 0; i < n; i++) {
    int32_t theirs = (members[i] + 2) % UNITS_N;
    if (theirs < least) least = theirs;
  }
  for (int i = 0; i < n; i++) {
    const struct finding *finding = &findings[members[i]];
    assert_int_equal(finding->first, members[0]);
    assert_int_equal(finding->index, i);
    assert_int_equal(finding->units_n, n);
    assert_int_equal(finding->connections_n, i ? 1 : n - 1);
    assert_int_equal(finding->slice_order, SLICE_ORDER);
    assert_int_equal(finding->least, least);
    assert_int_equal(finding->mark, 1000 + members[n - 1]);
  }
}
#define ASSERT_NODE(...) \
  assert_node((int[]){__VA_ARGS__}, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)))

static void one_host_is_one_node(void **state) {
  (void)state;
  assert_true(run_units(-1, NULL));
  ASSERT_NODE(0, 1, 2, 3, 4);
}

static void hosts_may_alternate(void **state) {
  (void)state;
  hellos[1].host = hellos[3].host = 8;
  hellos[4].host = 9;
  assert_true(run_units(-1, NULL));
  ASSERT_NODE(0, 2);
  ASSERT_NODE(1, 3);
  ASSERT_NODE(4);
}

static void the_least_slice_is_everybodys(void **state) {
  (void)state;
  for (int i = 0; i < UNITS_N; i++) hellos[i].slice_order = i == 3 ? SLICE_ORDER : SLICE_ORDER + 5;
  hellos[3].host = 8;
  assert_true(run_units(-1, NULL));
  ASSERT_NODE(0, 1, 2, 4);
  ASSERT_NODE(3);
}

/* As if its socket could not be made. */
static void a_unit_without_listener_is_alone(void **state) {
  (void)state;
  close(listeners[2]);
  listeners[2] = -1;
  hellos[2].credentials = (struct tsr_share_credentials){0};
  assert_true(run_units(-1, NULL));
  ASSERT_NODE(0, 1, 3, 4);
  ASSERT_NODE(2);
}

static void without_the_first_units_listener_all_are_alone(void **state) {
  (void)state;
  close(listeners[0]);
  listeners[0] = -1;
  hellos[0].credentials = (struct tsr_share_credentials){0};
  assert_true(run_units(-1, NULL));
  for (int i = 0; i < UNITS_N; i++) ASSERT_NODE(i);
}

/* It takes another listener for that of the first unit, so it gets memory that it does not expect. */
static bool expect_other_memory(void) { return tsr_share_open(&hellos[0].credentials, 1) >= 0; }

static void a_unit_with_the_wrong_memory_is_alone(void **state) {
  (void)state;
  assert_true(run_units(3, expect_other_memory));
  ASSERT_NODE(0, 1, 2, 4);
  ASSERT_NODE(3);
}

/* Others can connect to its listener, which was made before, but it cannot connect itself: the others must not wait for
 * its answer. */
static bool enter_other_network(void) { return unshare(CLONE_NEWNET) == 0; }

static void a_unit_in_another_network_is_alone(void **state) {
  (void)state;
  if (!run_units(2, enter_other_network)) {
    print_message("skipped: no right to make a network namespace\n");
    skip();
  }
  ASSERT_NODE(0, 1, 3, 4);
  ASSERT_NODE(2);
}

#define NODE_DISCOVERY_TEST(test) cmocka_unit_test_setup(test, open_listeners)

int main(void) {
  findings = mmap(NULL, UNITS_N * sizeof *findings, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (findings == MAP_FAILED) return EXIT_FAILURE;
  const struct CMUnitTest tests[] = {
      NODE_DISCOVERY_TEST(one_host_is_one_node),
      NODE_DISCOVERY_TEST(hosts_may_alternate),
      NODE_DISCOVERY_TEST(the_least_slice_is_everybodys),
      NODE_DISCOVERY_TEST(a_unit_without_listener_is_alone),
      NODE_DISCOVERY_TEST(without_the_first_units_listener_all_are_alone),
      NODE_DISCOVERY_TEST(a_unit_with_the_wrong_memory_is_alone),
      NODE_DISCOVERY_TEST(a_unit_in_another_network_is_alone),
  };
  return cmocka_run_group_tests_name("node_discovery", tests, NULL, NULL);
}
