/* The end of a GASNet job: any process may end it at any time. */
#ifndef TSR_API_GASNET_EXIT_H
#define TSR_API_GASNET_EXIT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Collective over the job. Afterwards a process may end by gasnet_exit, by exit, or by returning from main. */
void tsr_gex_exit_start(void);

/* Blocks the calling thread while another one ends the process. */
extern atomic_bool tsr_gex_leaving;
_Noreturn void tsr_gex_exit_wait(void);
static inline void tsr_gex_check_leaving(void) {
  if (__builtin_expect(atomic_load_explicit(&tsr_gex_leaving, memory_order_relaxed), 0)) tsr_gex_exit_wait();
}

#endif
