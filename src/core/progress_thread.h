/* Progress thread: a thread of a unit's process that makes progress while the unit computes. The first unit of a node has one from
 * the start, if progress threads serve its node, since requests of other nodes come at any time; the other units, from the first
 * operation on that needs steps of their own, as non-blocking collectives between nodes do. */
#ifndef TSR_CORE_PROGRESS_THREAD_H
#define TSR_CORE_PROGRESS_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/futex.h"

/* Its other work, for the node. */
struct tsr_progress_thread_task {
  bool (*is_called)(void); /* whether there is work; any thread */
  int (*work)(void);       /* does some work; returns how much was done */
  bool (*busy)(void);      /* work waits that no other thread starts, although the unit makes calls */
};

/* Called once, at the start of the runtime. `bell` is rung when there is work for the task. False: the thread could not start
 * (logged). */
bool tsr_progress_thread_start(tsr_word *bell, const struct tsr_progress_thread_task *task);
void tsr_progress_thread_stop(void); /* stops the unit's progress thread, with or without a task */

/* How many operations need steps of this unit. After one is added, tsr_progress_thread_call starts or wakes a progress thread until
 * none is left, if progress threads or agents serve the node and the MPI's level of threads permits it. Any thread. */
extern _Atomic uint32_t tsr_progress_thread_pending_n;
void tsr_progress_thread_call(void);

#endif
