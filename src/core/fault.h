/* Fatal signals: before the program's own handler or the default action runs, a message tells which unit dies of which signal,
 * and in which heap, and the unit's statistics are printed. SIGUSR1: a message tells what the unit waits for. */
#ifndef TSR_CORE_FAULT_H
#define TSR_CORE_FAULT_H

#include <stdbool.h>

/* Once per process life, after MPI was started. `is_of_mpi`: whether a function is one of the MPI library's. */
void tsr_fault_install(bool (*is_of_mpi)(const void *code));

/* Records that this unit dies of a signal that this file does not catch, by its default action: the monitor's message names the
 * signal. Safe in a signal handler. */
void tsr_fault_dies_of(int number);

#endif
