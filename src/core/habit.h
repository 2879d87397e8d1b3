/* Habits of a unit beside which a helper thread runs, learned from one long transfer to the next: whether it computes while
 * they go on, rather than to wait or to start the next one at once; and whether the helper takes its core when it looks after
 * them. Threads may lose an observation.
 */
#ifndef TSR_CORE_HABIT_H
#define TSR_CORE_HABIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* When the unit started a long transfer; 0: it has called since. */
extern _Atomic uint64_t tsr_habit_left_ns;
void tsr_habit_leave(void);
void tsr_habit_return_slow(uint64_t left_ns);
static inline void tsr_habit_return(void) {
  uint64_t left_ns = atomic_load_explicit(&tsr_habit_left_ns, memory_order_relaxed);
  if (__builtin_expect(left_ns != 0, 0)) tsr_habit_return_slow(left_ns);
}

bool tsr_habit_computes(void); /* asked by the unit */
bool tsr_habit_crowded(void);

/* The helper asks: has the unit started a transfer in the last so many nanoseconds, as one that computes meanwhile, and left
 * a core free? Then the next one comes before the helper could be asleep and awake again. */
bool tsr_habit_goes_on(uint64_t ns);

/* The helper is about to rest: it will want a core again. */
void tsr_habit_count_rest(void);

#endif
