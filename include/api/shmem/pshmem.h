/* For profiling tools: for each shmem_NAME, shmem.h also declares pshmem_NAME. shmem_NAME is a weak symbol for the same
 * function. Programs that are to be profiled are compiled with SHMEM_PROFILE defined. They then have no inline functions,
 * because a tool does not see inlined calls. */
#ifndef TSR_PSHMEM_H
#define TSR_PSHMEM_H

#ifndef SHMEM_PROFILE
#define SHMEM_PROFILE
#endif
#include <shmem.h>

/* Functions whose names also select others by type: a tool defines the functions. */
#undef shmem_swap
#undef shmem_sync
#undef shmem_wait
#undef shmem_wait_until

#endif
