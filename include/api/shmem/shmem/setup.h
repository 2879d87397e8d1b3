/* Start, end and queries (OpenSHMEM 1.5, 9.1 and 9.2). A table of functions: see shmem.h. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

/* Starts the library. Collective over all processes; may be called before or after MPI_Init, also if other interfaces are up.
 * MPI is up afterwards; a program that calls MPI_Init also calls MPI_Finalize, after shmem_finalize. May be called again: each
 * call is paired with one of shmem_finalize. */
SHMEMI_FN(void, init, void)
/* As shmem_init. Several threads may use the library at the same time if *provided is SHMEM_THREAD_MULTIPLE.
 * Returns 0, also if *provided is lower than `requested`. */
SHMEMI_FN(int, init_thread, int requested, int *provided)
/* Stores the thread level. */
SHMEMI_FN(void, query_thread, int *provided)
/* Stores 1 between shmem_init and shmem_finalize, else 0. Any time, any thread. */
SHMEMI_FN(void, query_initialized, int *initialized)
/* Completes all operations, and waits for all PEs. The last call ends the library, its teams and contexts. Collective. A program
 * that returns from main without this call ends in the same way, even if only some PEs do so: all PEs wait for each other. A call
 * after the library has ended only prints a warning (TSR-5063). */
SHMEMI_FN(void, finalize, void)
/* Ends all PEs with this exit code; not collective. On the calling PE, the exit handlers that were registered after
 * shmem_init run; they may communicate, but make no collective calls. The exit handlers of the other PEs do not
 * run. */
SHMEMI_FN(__attribute__((noreturn)) void, global_exit, int status)
/* Return the caller's number, and the number of PEs; -1 and 0 while the library is not up. */
SHMEMI_FN(int, my_pe, void)
SHMEMI_FN(int, n_pes, void)
/* Return 1 if transfers reach that PE, or that address on that PE; else 0. */
SHMEMI_FN(int, pe_accessible, int pe)
SHMEMI_FN(int, addr_accessible, const void *addr, int pe)
/* Return the address of that PE's object in this process, for plain loads and stores. NULL: the PE is on another node, or the
 * object is not symmetric, or it is another PE's static variable outside the heap (TESSERA_SHMEM_DATA). */
SHMEMI_FN(void *, ptr, const void *dest, int pe)
SHMEMI_FN(void *, team_ptr, shmem_team_t team, const void *dest, int pe)
/* Stores the version of the specification: SHMEM_MAJOR_VERSION and SHMEM_MINOR_VERSION. */
SHMEMI_FN(void, info_get_version, int *major, int *minor)
/* Stores SHMEM_VENDOR_STRING. `name` has room for SHMEM_MAX_NAME_LEN bytes. */
SHMEMI_FN(void, info_get_name, char *name)
/* For profiling tools: does nothing. */
SHMEMI_FN(void, pcontrol, int level, ...)

#endif
