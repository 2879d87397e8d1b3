/* Monitors: they notice that a unit has died, report it once, and end the job.
 *
 * A monitor process per node, which the node's first unit leaves behind, sleeps on a connection to every unit (no
 * MPI, no memory but the node's). It is a process, because launchers answer the death of one rank by killing all
 * others at once: in a session of its own it lives long enough to report the first death. (Under a resource manager
 * it stays in the process group of the first unit, by which the job may be ended and accounted for.) It ends with
 * the last unit. A keeper process waits for it: if the monitor alone is killed, the keeper makes a new one, and the
 * job goes on.
 */
#ifndef TSR_CORE_MONITOR_H
#define TSR_CORE_MONITOR_H

#include <stdatomic.h>

#include "core/monitor_links.h"
#include "core/node_discovery.h"
#include "core/place.h"

/* Called by every unit when its node's memory is mapped and filled in: the monitor watches the unit until
 * tsr_monitor_stop or the unit's end, unless the unit is alone in the job. Takes the connections over, which the
 * monitor shares with the units from here on. The first unit starts the monitor; before the process has handlers or
 * threads of ours. `own`, `listener`, which stays the caller's, and `parent`: for the links between the monitors. */
void tsr_monitor_start(struct tsr_node_discovery *node, const struct tsr_monitor_address *own, int listener,
                     const struct tsr_monitor_address *parent);

/* The unit leaves the job: its monitor no longer watches it. */
void tsr_monitor_stop(void);

/* Prints the unit's statistics, and waits to be ended. An abort of this unit could make the launcher drop the
 * report of the monitor. */
_Noreturn void tsr_monitor_await_end(void);

/* Does the same if a unit of this node was found dead. Called wherever progress is made. */
static inline void tsr_monitor_check(void) {
  if (__builtin_expect(atomic_load_explicit(&tsr_heap.memory->doomed, memory_order_relaxed) != 0, 0))
    tsr_monitor_await_end();
}

#endif
