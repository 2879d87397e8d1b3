/* Death: who notices that a unit has died, says so once, and ends the job.
 *
 * A monitor process per node, which the node's first unit leaves behind, sleeps on a connection to every unit (no
 * MPI, no memory but the node's). It is not a thread, since launchers answer the death of one rank by killing all
 * others at once: in a session of its own it lives long enough to say who was first. (Under a resource manager it stays in the
 * process group of the first unit, by which the job may be ended and accounted for.) It ends with the last unit. A keeper
 * process waits for it; when something kills the monitor alone, the keeper makes a new one, and the job goes on.
 */
#ifndef TSR_CORE_MONITOR_H
#define TSR_CORE_MONITOR_H

#include <stdatomic.h>

#include "core/monitor_links.h"
#include "core/node_discovery.h"
#include "core/place.h"

/* Every unit, once its node's memory is mapped and filled in: ties it to a monitor, unless it is alone in
 * the job, until tsr_monitor_stop or its end. Takes the connections over, which the monitor shares with the units from here
 * on. The first unit starts the monitor; before the process has handlers or threads of ours. `own`, `listener`, which stays the
 * caller's, and `parent`: for the links between the monitors. */
void tsr_monitor_start(struct tsr_node_discovery *node, const struct tsr_monitor_address *own, int listener,
                     const struct tsr_monitor_address *parent);

/* The unit leaves the job: its monitor may end without it, and no longer reports what becomes of the unit. */
void tsr_monitor_stop(void);

/* Prints the unit's statistics, and waits for its end. An abort of our own could make the launcher drop what the
 * monitor has just said. */
_Noreturn void tsr_monitor_await_end(void);

/* Stands by when a unit of this node was found dead. Called by everything that makes progress. */
static inline void tsr_monitor_check(void) {
  if (__builtin_expect(atomic_load_explicit(&tsr_heap.memory->doomed, memory_order_relaxed) != 0, 0))
    tsr_monitor_await_end();
}

#endif
