#ifndef TSR_API_GASNET_BARRIER_H
#define TSR_API_GASNET_BARRIER_H

/* Collective over the job; what it makes goes with the interface. */
void tsr_gex_barrier_start(void);

#endif
