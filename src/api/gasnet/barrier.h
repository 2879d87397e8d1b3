#ifndef TSR_API_GASNET_BARRIER_H
#define TSR_API_GASNET_BARRIER_H

/* Collective over the job. The runtime destroys the barrier's team with the interface. */
void tsr_gex_barrier_start(void);

#endif
