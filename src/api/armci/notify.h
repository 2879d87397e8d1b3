/* The counters of notifications. _start is collective. */
#ifndef TSR_API_ARMCI_NOTIFY_H
#define TSR_API_ARMCI_NOTIFY_H

void tsr_armci_notify_start(void);
void tsr_armci_notify_stop(void);

#endif
