/* Death: who notices that a unit has died, says so once, and ends the job.
 *
 * A guardian process per node, which the node's first unit leaves behind, sleeps on a connection to every unit (no
 * MPI, no memory but the node's). It is not a thread, since launchers answer the death of one rank by killing all
 * others at once: in a session of its own it lives long enough to say who was first. It ends with the last unit.
 */
#ifndef TSR_CORE_WATCH_H
#define TSR_CORE_WATCH_H

#include <stdatomic.h>

#include "core/lines.h"
#include "core/neighbours.h"
#include "core/place.h"

/* Every unit, once its node's memory is mapped and filled in: ties it to a guardian, unless it is alone in
 * the job, until tsr_watch_stop or its end. Takes the connections over, which the guardian shares with the units from here
 * on. The first unit starts the guardian; before the process has handlers or threads of ours. `door` and `listener`, which
 * stays the caller's: for the lines between the guardians. */
void tsr_watch_start(struct tsr_neighbours *node, const struct tsr_lines_door *door, int listener);

/* The unit leaves the job: its guardian may end without it, and no longer reports what becomes of the unit. */
void tsr_watch_stop(void);

/* Prints the unit's statistics, and waits for its end. An abort of our own could make the launcher drop what the guardian has just said. */
_Noreturn void tsr_watch_stand_by(void);

/* Stands by when a unit of this node was found dead. Called by everything that makes progress. */
static inline void tsr_watch_check(void) {
  if (__builtin_expect(atomic_load_explicit(&tsr_heap.memory->doomed, memory_order_relaxed) != 0, 0)) tsr_watch_stand_by();
}

#endif
