/* Non-blocking collectives proceed while all units except one compute and make no calls: progress threads take their
 * part, between nodes and on a node with agents; so do messages to the first unit of a node.
 * Units: 2 3 4 7
 */
#include "dart_check.h"

#include <dash/dart/if/dart_ext.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <tessera.h>

enum { N = 40000, ROUNDS_N = 10, TAG = 5 };
static _Atomic long data[N];

/* Nothing orders this read and the library's store before the handle's wait, so the thread sanitizer must not see the read. */
__attribute__((no_sanitize("thread"))) static long peek(const _Atomic long *word) { return atomic_load(word); }

/* Computes until the last element has arrived, then waits for the handle. */
static void compute_until(dart_handle_t *handle, long last) {
  while (peek(&data[N - 1]) != last) continue;
  OK(dart_wait(handle));
  for (long i = 0; i < N; i++) CHECK_EQ(data[i], last - (N - 1 - i));
}

static void count_up_to(long last) {
  for (long i = 0; i < N; i++) atomic_store_explicit(&data[i], last - (N - 1 - i), memory_order_relaxed);
}

/* All units except the last one have started the call, and do no more for it, when this begins. */
static void broadcast(long last) {
  dart_unit_t root = units_n - 1;
  dart_handle_t handle = DART_HANDLE_NULL;
  if (self == root) count_up_to(last);
  if (self == root) barrier();
  OK(dart_ibcast((void *)data, N, DART_TYPE_LONG, DART_TEAM_UNIT_ID(root), DART_TEAM_ALL, &handle));
  if (self != root) barrier();
  if (self != root) compute_until(&handle, last);
  OK(dart_wait(&handle));
}

static void reduction(long last) {
  static _Atomic long sum;
  dart_handle_t handle = DART_HANDLE_NULL;
  sum = 0;
  if (self == units_n - 1) barrier();
  OK(dart_iallreduce(&last, (void *)&sum, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL, &handle));
  if (self != units_n - 1) barrier();
  while (self != units_n - 1 && peek(&sum) != last * units_n) continue;
  OK(dart_wait(&handle));
  CHECK_EQ(sum, last * units_n);
}

static void message(long last) {
  dart_global_unit_t other = {self == 0 ? units_n - 1 : 0};
  dart_handle_t handle = DART_HANDLE_NULL;
  if (self == 0) OK(dart_irecv((void *)data, N, DART_TYPE_LONG, TAG, other, NULL, &handle));
  barrier();
  if (self == 0) {
    compute_until(&handle, last);
  } else if (self == units_n - 1) {
    count_up_to(last);
    OK(dart_send((void *)data, N, DART_TYPE_LONG, TAG, other));
  }
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  const char *progress = getenv("TESSERA_PROGRESS");
  bool agents = progress && !strncmp(progress, "process:", 8);
  bool helps = agents || (tessera_nodes() == 2 && (!progress || strcmp(progress, "none") != 0));
  bool first_is_helped = helps && !agents;
  for (long round = 1; helps && round <= ROUNDS_N; round++) {
    broadcast(round * 2 * N);
    barrier();
    reduction(round);
    barrier();
    if (first_is_helped) message(round * 2 * N + N);
    barrier();
  }
  int result = finish();
  return helps ? result : 77;
}
