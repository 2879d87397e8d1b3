/* Fatal signals: who died of what, and in which heap, and the unit's statistics, printed before the program's own handler or the
 * default action runs. SIGUSR1: what the unit waits for. */
#ifndef TSR_CORE_FAULT_H
#define TSR_CORE_FAULT_H

#include <stdbool.h>

/* Once per process life, after MPI was started. `is_of_mpi`: whether a function is one of the MPI library's. */
void tsr_fault_install(bool (*is_of_mpi)(const void *code));

/* This unit takes the default action of a signal that this file does not catch: the monitor's message names it. Safe in a signal
 * handler. */
void tsr_fault_dies_of(int number);

#endif
