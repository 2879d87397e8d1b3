#include "core/progress.h"

#include <stdatomic.h>

#include "base/wait.h"
#include "core/errand.h"
#include "core/place.h"
#include "core/watch.h"
#include "net/net.h"

_Atomic bool tsr_progress_wanted;
static tsr_record_fn owners[TSR_RECORD_KINDS_N];
static int (*further_work)(void);

/* One thread at a time consumes each ring; who comes second leaves it to the first. */
static atomic_flag draining[TSR_RING_CLASSES_N] = {ATOMIC_FLAG_INIT, ATOMIC_FLAG_INIT};

void tsr_progress_register(enum tsr_record_kind kind, tsr_record_fn function) { owners[kind] = function; }
void tsr_progress_register_work(int (*work)(void)) { further_work = work; }

static int drain(enum tsr_ring_class which) {
  tsr_ring *ring = tsr_memory_ring(tsr_heap.memory, tsr_heap.self, which);
  int done = 0;
  struct tsr_ring_record record;
  /* Looks again after it has let go: who came second in the meantime has left its record to us. */
  while (!tsr_ring_is_empty(ring) && !atomic_flag_test_and_set(&draining[which])) {
    while (tsr_ring_peek(ring, &record)) {
      owners[record.kind](&record);
      tsr_ring_release(ring, &record);
      done++;
    }
    atomic_flag_clear(&draining[which]);
  }
  return done;
}

int tsr_progress(void) {
  tsr_watch_check();
  int done = drain(TSR_RING_REPLIES) + drain(TSR_RING_REQUESTS) + tsr_errand_poll();
  if (tsr_place.nodes_n > 1) done += tsr_net->poll();
  if (further_work) done += further_work();
  return done;
}

void tsr_progress_pause(void) {
  if (!tsr_progress()) tsr_wait_yield();
}

void tsr_progress_poke(void) {
  if (atomic_load_explicit(&tsr_progress_wanted, memory_order_relaxed)) tsr_progress();
}

void tsr_progress_attend(void) { atomic_store_explicit(&tsr_progress_wanted, true, memory_order_relaxed); }

void tsr_progress_start(void) {
  struct tsr_node_unit *unit = tsr_heap_unit(tsr_heap.self);
  int cores_n = tsr_topology_count(&tsr_heap.memory->cpus);
  tsr_wait_install(&(struct tsr_wait_env){.bell = &unit->bell,
                                          .awake_n = &tsr_heap.memory->awake_n,
                                          .note = &unit->why,
                                          .cores_n = cores_n,
                                          .crowded = (int)tsr_heap.units_n > cores_n,
                                          .polls_net = tsr_place.nodes_n > 1,
                                          .poll = tsr_progress});
  if (tsr_place.nodes_n > 1) tsr_progress_attend();
}

void tsr_progress_stop(void) {
  tsr_wait_install(NULL);
  atomic_store_explicit(&tsr_progress_wanted, false, memory_order_relaxed);
}
