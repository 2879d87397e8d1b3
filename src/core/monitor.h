/* Monitors: they notice that a unit has died, report it once, and end the job.
 *
 * A monitor process per node, which the node's first unit forks, sleeps on a connection to every unit (no MPI, no
 * memory but the node's). It is a process, because launchers answer the death of one rank by killing all others at
 * once: in a session of its own it lives long enough to report the first death. (Under a resource manager it stays in
 * the process group of the first unit, by which the job may be ended and accounted for.) It ends with the last unit.
 *
 * The monitor keeps the time for the watchdog: it counts ticks in the node's memory, and wakes units that sleep after each.
 *
 * If the monitor is killed, the job goes on, and the first unit forks a new one. The kernel marks the death in the
 * node's memory (a robust futex). The first unit reads the mark when it makes progress, for which it wakes by itself after
 * TESSERA_WATCHDOG seconds, or its progress thread does; other units that read it wake the first one. Until then the first
 * unit's open listener tells the other nodes that units of this node live (core/monitor_links). A monitor that is forked
 * late shares the private memory of the first unit, copy on write. */
#ifndef TSR_CORE_MONITOR_H
#define TSR_CORE_MONITOR_H

#include <stdatomic.h>

#include "core/monitor_links.h"
#include "core/node_discovery.h"
#include "core/place.h"

/* Called by every unit when its node's memory is mapped and filled in, before the process has handlers or threads of ours:
 * the monitor watches the unit until tsr_monitor_stop or the unit's end, unless the unit is alone in the job. The first unit
 * forks the monitor, and keeps the connections and `listener` for the next one; other units keep their connection. `own`,
 * `listener` and `parent`: for the links between the monitors. */
void tsr_monitor_start(struct tsr_node_discovery *node, const struct tsr_monitor_address *own, int listener,
                       const struct tsr_monitor_address *parent);

/* The unit leaves the job: its monitor no longer watches it. */
void tsr_monitor_stop(void);

/* The unit is about to ask the launcher to end the job. If units of a node are still there after 10 s, its monitor kills them, on
 * all nodes whose monitors have links. */
void tsr_monitor_abort(void);

/* If the monitor ends the job: prints the statistics of this unit, and waits to be ended. An abort of this unit
 * could make the launcher drop the report of the monitor. If the monitor was killed: replaces it. */
__attribute__((cold)) void tsr_monitor_attend(void);

/* Called wherever progress is made. */
static inline void tsr_monitor_check(void) {
  if (__builtin_expect(atomic_load_explicit(&tsr_heap.memory->monitor, memory_order_relaxed) >= TSR_MONITOR_KILLED, 0))
    tsr_monitor_attend();
}

#endif
