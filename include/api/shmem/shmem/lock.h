/* Locks (OpenSHMEM 1.5, 9.12). A table of functions: see shmem.h.
 *
 * A lock is a symmetric long, 0 at first; all PEs name the same one. PEs get the lock in the order of their
 * requests. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

/* Returns when the caller has acquired the lock. */
SHMEMI_FN(void, set_lock, long *lock)
/* Returns 0 if the caller has acquired the lock, 1 if a PE already holds it. */
SHMEMI_FN(int, test_lock, long *lock)
/* Releases a lock, after it has completed the caller's operations on the default context. */
SHMEMI_FN(void, clear_lock, long *lock)

#endif
