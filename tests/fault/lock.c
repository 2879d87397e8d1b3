/* A unit is killed while others wait for a lock. `holder`: the last unit, which holds it; `waiter`: the last unit,
 * which waits for it like the others. */
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <dash/dart/if/dart.h>

#include "core/place.h"
#include "core/progress.h"

static int32_t holder;

/* The other units of this node sleep in the wait for the lock, and the monitor knows all processes. */
static bool others_wait(void) {
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) {
    const struct tsr_node_unit *unit = tsr_heap_unit(local);
    bool waits = unit->unit == holder || unit->why.kind == TSR_WAIT_LOCK;
    if (!waits || unit->pid <= 0) return false;
  }
  return true;
}

int main(int argc, char **argv) {
  dart_lock_t lock;
  if (argc < 2 || dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  int32_t last = tsr_place.units_n - 1;
  holder = strcmp(argv[1], "holder") == 0 ? last : 0;
  if (dart_team_lock_init(DART_TEAM_ALL, &lock) != DART_OK) return EXIT_FAILURE;
  if (tsr_place.self == holder) dart_lock_acquire(lock);
  dart_barrier(DART_TEAM_ALL);
  if (tsr_place.self == holder) {
    while (!others_wait()) tsr_progress();
    int32_t victim = tsr_place_local(TSR_UNIT(last));
    if (victim >= 0) kill(tsr_heap_unit((uint32_t)victim)->pid, SIGKILL);
    dart_barrier(DART_TEAM_ALL);
  }
  dart_lock_acquire(lock);
  dart_exit();
  return EXIT_SUCCESS;
}
