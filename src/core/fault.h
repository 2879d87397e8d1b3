/* Fatal signals: who died of what, and in which heap, and the unit's statistics, printed before the program's own handler or the
 * default action runs. SIGUSR1: what the unit waits for. */
#ifndef TSR_CORE_FAULT_H
#define TSR_CORE_FAULT_H

void tsr_fault_install(void); /* once per process life */

/* This unit takes the default action of a signal that this file does not catch: the monitor's message names it. Safe in a signal
 * handler. */
void tsr_fault_dies_of(int number);

#endif
