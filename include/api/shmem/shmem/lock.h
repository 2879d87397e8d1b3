/* Locks (OpenSHMEM 1.5, 9.12). A table of functions: see shmem.h.
 *
 * A lock is a symmetric long, 0 at first; all PEs name the same one. PEs get it in the order in which they ask. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

SHMEMI_FN(void, set_lock, long *lock)
/* 0: the caller has it; 1: another PE does. */
SHMEMI_FN(int, test_lock, long *lock)
/* Completes the caller's operations on the default context first. */
SHMEMI_FN(void, clear_lock, long *lock)

#endif
