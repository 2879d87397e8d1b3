/* The table of mutexes. */
#ifndef TSR_API_ARMCI_MUTEX_H
#define TSR_API_ARMCI_MUTEX_H

void tsr_armci_mutexes_start(void);
void tsr_armci_mutexes_stop(void);

#endif
