/* The end of a job of GASNet's: any process may end it, at any time. */
#ifndef TSR_API_GASNET_EXIT_H
#define TSR_API_GASNET_EXIT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Collective over the job. From here on a process may end as programs in GASNet do: by gasnet_exit, by exit, by returning
 * from main. */
void tsr_gex_exit_start(void);

/* Another thread ends the process: this one does not get in its way. */
extern atomic_bool tsr_gex_leaving;
_Noreturn void tsr_gex_exit_wait(void);
static inline void tsr_gex_check_leaving(void) {
  if (__builtin_expect(atomic_load_explicit(&tsr_gex_leaving, memory_order_relaxed), 0)) tsr_gex_exit_wait();
}

#endif
