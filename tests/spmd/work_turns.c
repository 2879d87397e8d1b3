/* A thread polls while another thread runs a step, and then sleeps. The step may have looked too early for what the first thread
 * waits for: the other thread wakes the first when the step ends.
 * Units: 1 2
 * Nodes: 1
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <dash/dart/if/dart.h>

#include "base/wait.h"
#include "core/progress.h"
#include "node/heap.h"
#include "p2p/work.h"

#include "check.h"

static _Atomic bool in_step, goal, over;

static bool sleeps(void) { return atomic_load(&tsr_heap_unit(tsr_heap.self)->bell) != 0; }

/* The first step has looked before the goal is reached, and takes until the other thread sleeps. */
static enum tsr_work_result step(struct tsr_work *work) {
  const struct timespec moment = {0, 1000000};
  (void)work;
  if (atomic_load(&goal)) {
    atomic_store(&over, true);
    return TSR_WORK_OVER;
  }
  atomic_store(&in_step, true);
  while (!sleeps()) nanosleep(&moment, NULL);
  return TSR_WORK_RETRY;
}

static void *run_step(void *unused) {
  tsr_progress();
  return unused;
}

static bool is_over(const void *unused) {
  (void)unused;
  return atomic_load(&over);
}

int main(int argc, char **argv) {
  setenv("TESSERA_WATCHDOG", "0", 1); /* whose ticks wake units, too */
  if (dart_init_thread(&argc, &argv, &(dart_thread_support_level_t){0})) return EXIT_FAILURE;
  static struct tsr_work work = {.step = step};
  const struct timespec moment = {0, 1000000};
  pthread_t other;
  tsr_work_add(&work);
  if (pthread_create(&other, NULL, run_step, NULL)) abort();
  while (!atomic_load(&in_step)) nanosleep(&moment, NULL);
  atomic_store(&goal, true);
  tsr_wait(is_over, NULL, (struct tsr_wait_why){TSR_WAIT_MESSAGES, 1, 0});
  pthread_join(other, NULL);
  CHECK_EQ(dart_exit(), DART_OK);
  return check_result();
}
