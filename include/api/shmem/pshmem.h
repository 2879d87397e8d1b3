/* For profiling tools: shmem.h declares pshmem_NAME beside each shmem_NAME, which is a weak name of it. Programs that are to be
 * profiled are compiled with SHMEM_PROFILE defined: without inline functions, which call no tool. */
#ifndef TSR_PSHMEM_H
#define TSR_PSHMEM_H

#ifndef SHMEM_PROFILE
#define SHMEM_PROFILE
#endif
#include <shmem.h>

#endif
