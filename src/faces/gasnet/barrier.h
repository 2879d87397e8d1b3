#ifndef TSR_FACES_GASNET_BARRIER_H
#define TSR_FACES_GASNET_BARRIER_H

/* Collective over the job; what it makes goes with the face. */
void tsr_gex_barrier_start(void);

#endif
