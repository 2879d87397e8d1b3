/* Symmetric memory (OpenSHMEM 1.5, 9.3). A table of functions: see shmem.h.
 *
 * All calls are collective over all PEs, with the same arguments.
 *
 * Global and static variables of the program are symmetric, too. So are those of shared libraries that the program is linked with,
 * directly or through other libraries. All PEs must have loaded the same version, that is, one with the same number of bytes and
 * the same build id. Without build ids, they are compared by the layout of their segments, and libraries by name, too. A program
 * may be linked at a fixed address or not, and with the static libraries of Tessera. The following variables are not symmetric:
 * those of libraries in /lib* and /usr/lib*, of libraries that Tessera needs, such as the MPI, and of libraries that dlopen or
 * LD_PRELOAD has loaded; and thread-local variables. A call with the address of such a variable ends the job with a message that
 * says so.
 *
 * The pages of these variables move into the heap during shmem_init, and back during shmem_finalize, where no other thread may
 * change them. If a PE has several threads when shmem_init starts MPI, the variables of all PEs stay where they are, and
 * transfers cost more (TESSERA_SHMEM_DATA=requests). If MPI is up before, the threads of the program cannot be told from MPI's,
 * and the variables move. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

/* Allocate a block that begins at the same offset of every PE's heap; calloc zeroes it. The number of blocks has no limit but
 * memory; the address space of a block is a power of two, at least 64 bytes. The call returns when all PEs have called, and have
 * completed what they had started on the default context.
 *
 * NULL on all PEs: one of them has no room. A message tells how much is left, and which variable to raise (SHMEM_SYMMETRIC_SIZE,
 * TESSERA_HEAP_LIMIT or TESSERA_HEAP_SIZE). NULL for a size of 0, without waiting for the other PEs. */
SHMEMI_FN(void *, malloc, size_t size)
SHMEMI_FN(void *, calloc, size_t count, size_t size)
/* As shmem_malloc, with an address that is a multiple of `alignment`, a power of two; NULL if it is none. Blocks with an alignment
 * of more than 4096 are slower to access, because their transfers are not inlined. */
SHMEMI_FN(void *, align, size_t alignment, size_t size)
/* As shmem_malloc; the hints have no effect. */
SHMEMI_FN(void *, malloc_with_hints, size_t size, long hints)
/* Changes the size of a block, whose address may change, too, also if it becomes smaller. A smaller size always has room. The
 * old block does not count against SHMEM_SYMMETRIC_SIZE, but a larger one needs room beside it. Returns NULL if there is no room:
 * the old block stays as it was. With `size` 0 it frees the old block, and returns NULL. */
SHMEMI_FN(void *, realloc, void *ptr, size_t size)
/* Frees a block, when all PEs have called, and have completed what they had started on the default context. */
SHMEMI_FN(void, free, void *ptr)

#endif
