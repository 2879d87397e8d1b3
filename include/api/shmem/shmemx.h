/* Extensions of OpenSHMEM: there are none. */
#ifndef TSR_SHMEMX_H
#define TSR_SHMEMX_H

#include <shmem.h>

#endif
