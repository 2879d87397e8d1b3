/* Notifications: their counters, from the face's start (collective) to its end. */
#ifndef TSR_FACES_ARMCI_NOTIFY_H
#define TSR_FACES_ARMCI_NOTIFY_H

void tsr_armci_notify_start(void);
void tsr_armci_notify_stop(void);

#endif
