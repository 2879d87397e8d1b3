/* Symmetric memory (OpenSHMEM 1.5, 9.3). A table of functions: see shmem.h.
 *
 * All calls are collective over all PEs, with the same arguments.
 *
 * Symmetric, too, are global and static variables of the program, and of shared libraries that it is linked with, directly or through
 * other libraries, if all PEs have loaded the same version: with the same build id, or without one the same name, and as many bytes. A
 * program may be linked at a fixed address or not, and with the static libraries of Tessera. Not symmetric are variables of libraries
 * in /lib*, in /usr/lib*, and of those that Tessera needs, such as the MPI; of libraries that dlopen or LD_PRELOAD has loaded; and
 * thread-local ones. A call with such an address ends the job with a message that says so. No other thread may change symmetric
 * variables during shmem_init and shmem_finalize, where their pages move. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

/* The block begins at the same offset of every PE's heap. The number of blocks has no limit but memory; a block takes a power of
 * two of address space, at least 64 bytes. The call returns when all PEs have called, and have completed what they had started on
 * the default context.
 *
 * NULL on all PEs: one of them has no room. A message tells how much is left, and which variable to raise (SHMEM_SYMMETRIC_SIZE,
 * TESSERA_HEAP_LIMIT or TESSERA_HEAP_SIZE). NULL for a size of 0, without waiting for the other PEs. */
SHMEMI_FN(void *, malloc, size_t size)
SHMEMI_FN(void *, calloc, size_t count, size_t size)
/* `alignment` is a power of two. Memory of more than 4096 is slower to reach: its transfers leave the inline functions. */
SHMEMI_FN(void *, align, size_t alignment, size_t size)
SHMEMI_FN(void *, malloc_with_hints, size_t size, long hints)
/* NULL: the old block stays as it was. */
SHMEMI_FN(void *, realloc, void *ptr, size_t size)
/* Frees when all PEs have called, and have completed what they had started on the default context. */
SHMEMI_FN(void, free, void *ptr)

#endif
