/* Death: who notices that a unit has died, says so once, and ends the job.
 *
 * A guardian process per node, which the node's first unit leaves behind, sleeps on a connection to every unit (no MPI, no
 * memory but the node's). It is not a thread, since launchers answer the death of one rank by killing all others at
 * once: in a session of its own it lives long enough to say who was first. It ends with the last unit.
 */
#ifndef TSR_CORE_WATCH_H
#define TSR_CORE_WATCH_H

#include <stdatomic.h>

#include "core/place.h"

/* First unit of a node with several, once its memory is mapped: starts the guardian. Before the process has handlers or threads
 * of ours. */
void tsr_watch_start(void);

/* Every unit, once the first has started the guardian: connects to it, for the rest of its life. */
void tsr_watch_join(void);

/* Waits for its end. An abort of our own could make the launcher drop what the guardian has just said. */
_Noreturn void tsr_watch_stand_by(void);

/* Stands by when a unit of this node was found dead. Called by everything that makes progress. */
static inline void tsr_watch_check(void) {
  if (__builtin_expect(atomic_load_explicit(&tsr_heap.memory->doomed, memory_order_relaxed) != 0, 0)) tsr_watch_stand_by();
}

#endif
