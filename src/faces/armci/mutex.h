/* Mutexes: their end with the face. */
#ifndef TSR_FACES_ARMCI_MUTEX_H
#define TSR_FACES_ARMCI_MUTEX_H

void tsr_armci_mutexes_start(void);
void tsr_armci_mutexes_stop(void);

#endif
