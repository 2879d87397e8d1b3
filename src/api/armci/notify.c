/* Notifications. A process has one counter for each sender. Only the sender increases it, only the owner waits. */
#include <stdlib.h>
#include <string.h>

#include "core/bootstrap.h"
#include "core/segment.h"
#include "core/stats.h"
#include "api/armci/address.h"
#include "rma/notify.h"
#include "rma/signal.h"

static tsr_segment *counters; /* by sender */

/* Atomic, since several threads may notify or wait at the same time. */
static struct seen {
  _Atomic int told_n, awaited_n;
} *seen; /* by process */

void tsr_armci_notify_start(void) {
  size_t n = (size_t)tsr_team_world->size;
  seen = calloc(n, sizeof *seen);
  if (!seen || tsr_segment_alloc(tsr_team_world, n * sizeof(uint64_t), &counters))
    tsr_armci_die("TSR-3089 ARMCI_Init: no memory for the notifications of %zu processes; free memory, or use fewer "
                  "processes per node", n);
  counters->api = TSR_API_ARMCI;
  counters->is_internal = true;
  memset(tsr_heap_at(tsr_heap.self, counters->off), 0, n * sizeof(uint64_t));
  tsr_bootstrap_barrier(tsr_team_world); /* no process notifies before the counters are cleared */
}

void tsr_armci_notify_stop(void) {
  free(seen);
  seen = NULL;
}

static tsr_addr counter_of(int owner, int sender) {
  return tsr_segment_address(counters, TSR_MEMBER(owner), (uint64_t)sender * sizeof(uint64_t));
}

int parmci_notify(int proc) {
  int answer = tsr_armci_check_proc("armci_notify", proc);
  if (answer) return answer;
  PARMCI_Fence(proc);
  tessera_status_t status =
      tsr_signal(counter_of(proc, tsr_place.self), TSR_SIGNAL_ADD, 1, tsr_op_implicit(TSR_UNIT(proc)));
  return status ? tsr_armci_code(status) : atomic_fetch_add(&seen[proc].told_n, 1) + 1;
}

int parmci_notify_wait(int proc, int *number) {
  uint64_t begun_ns = tsr_stats_begin();
  int answer = tsr_armci_check_proc("armci_notify_wait", proc);
  if (answer) return answer;
  int next = atomic_fetch_add(&seen[proc].awaited_n, 1) + 1;
  tsr_addr own = counter_of(tsr_place.self, proc);
  const uint64_t *counter = tsr_heap_at(tsr_heap.self, own.off);
  tsr_notify_wait_any(&(struct tsr_notify_goal){counter, (uint64_t)next}, 1);
  if (number) *number = next;
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0);
  return (int)tsr_notify_read(counter);
}

int armci_notify(int proc) __attribute__((weak, alias("parmci_notify")));
int armci_notify_wait(int proc, int *number) __attribute__((weak, alias("parmci_notify_wait")));
