/* Overlap heuristic of a unit beside which a progress thread runs, learned from one long transfer to the next: whether
 * it computes while they go on, rather than to wait or to start the next one at once; and whether the progress thread
 * takes its core when it looks after them. Threads may lose an observation.
 */
#ifndef TSR_CORE_OVERLAP_H
#define TSR_CORE_OVERLAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* When the unit started a long transfer; 0: it has called since. */
extern _Atomic uint64_t tsr_overlap_left_ns;
void tsr_overlap_leave(void);
void tsr_overlap_return_slow(uint64_t left_ns);
static inline void tsr_overlap_return(void) {
  uint64_t left_ns = atomic_load_explicit(&tsr_overlap_left_ns, memory_order_relaxed);
  if (__builtin_expect(left_ns != 0, 0)) tsr_overlap_return_slow(left_ns);
}

bool tsr_overlap_computes(void); /* asked by the unit */
bool tsr_overlap_oversubscribed(void);

/* The progress thread asks: has the unit started a transfer in the last so many nanoseconds, as one that computes
 * meanwhile, and left a core free? Then the next one comes before the progress thread could be asleep and awake again.
 * */
bool tsr_overlap_continues(uint64_t ns);

/* The progress thread is about to rest: it will want a core again. */
void tsr_overlap_count_sleep(void);

#endif
