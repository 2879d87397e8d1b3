/* Overlap heuristic of a unit that has a progress thread. It learns from long transfers whether the unit computes
 * during them, or waits, or starts the next one at once; and whether the polls of the progress thread preempt the
 * unit. Threads may lose an observation. */
#ifndef TSR_CORE_OVERLAP_H
#define TSR_CORE_OVERLAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Time at which the unit started a long transfer; 0: it has made another call since. */
extern _Atomic uint64_t tsr_overlap_left_ns;
void tsr_overlap_leave(void);
void tsr_overlap_return_slow(uint64_t left_ns);
static inline void tsr_overlap_return(void) {
  uint64_t left_ns = atomic_load_explicit(&tsr_overlap_left_ns, memory_order_relaxed);
  if (__builtin_expect(left_ns != 0, 0)) tsr_overlap_return_slow(left_ns);
}

bool tsr_overlap_computes(void); /* asked by the unit */
bool tsr_overlap_oversubscribed(void);

/* For the progress thread. True: the unit started a transfer less than `ns` ago, computes during transfers, and
 * leaves a core free. Then the next transfer comes before the progress thread could fall asleep and wake up. */
bool tsr_overlap_continues(uint64_t ns);

/* The progress thread is about to sleep; it will need a core again. */
void tsr_overlap_count_sleep(void);

#endif
