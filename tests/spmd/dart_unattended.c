/* Non-blocking collectives and messages go on while the first unit of a node computes and calls nothing: its helper thread
 * takes its part.
 * Units: 2
 */
#include "dart_check.h"

#include <dash/dart/if/dart_ext.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <tessera.h>

enum { N = 40000, ROUNDS_N = 10, TAG = 5 };
static _Atomic long data[N];

/* Computes until the last element is there, then takes the handle back. */
static void compute_until(dart_handle_t *handle, long last) {
  while (atomic_load_explicit(&data[N - 1], memory_order_acquire) != last) continue;
  OK(dart_wait(handle));
  for (long i = 0; i < N; i++) CHECK_EQ(data[i], last - (N - 1 - i));
}

static void count_up_to(long last) {
  for (long i = 0; i < N; i++) atomic_store_explicit(&data[i], last - (N - 1 - i), memory_order_relaxed);
}

/* Unit 0 has started its part, and does no more for it, when unit 1 begins. */
static void broadcast(long last) {
  dart_team_unit_t root = {1};
  dart_handle_t handle = DART_HANDLE_NULL;
  if (self == 0) OK(dart_ibcast((void *)data, N, DART_TYPE_LONG, root, DART_TEAM_ALL, &handle));
  barrier();
  if (self == 0) {
    compute_until(&handle, last);
  } else {
    count_up_to(last);
    OK(dart_ibcast((void *)data, N, DART_TYPE_LONG, root, DART_TEAM_ALL, &handle));
    OK(dart_wait(&handle));
  }
}

static void message(long last) {
  dart_global_unit_t other = {1 - self};
  dart_handle_t handle = DART_HANDLE_NULL;
  if (self == 0) OK(dart_irecv((void *)data, N, DART_TYPE_LONG, TAG, other, NULL, &handle));
  barrier();
  if (self == 0) {
    compute_until(&handle, last);
  } else {
    count_up_to(last);
    OK(dart_send((void *)data, N, DART_TYPE_LONG, TAG, other));
  }
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  const char *progress = getenv("TESSERA_PROGRESS");
  bool helps = tessera_nodes() == 2 && (!progress || strcmp(progress, "thread") == 0);
  for (long round = 1; helps && round <= ROUNDS_N; round++) {
    broadcast(round * 2 * N);
    barrier();
    message(round * 2 * N + N);
    barrier();
  }
  int result = finish();
  return helps ? result : 77;
}
