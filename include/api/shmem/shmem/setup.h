/* Start, end and questions (OpenSHMEM 1.5, 9.1 and 9.2). A table of functions: see shmem.h. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

/* Starts the library. Collective over all processes; may be called before or after MPI_Init, and beside the other interfaces. MPI is
 * up afterwards; a program that calls MPI_Init also calls MPI_Finalize, after shmem_finalize. May be called again: each call is
 * paired with one of shmem_finalize. */
SHMEMI_FN(void, init, void)
/* The same; several threads may use the library at once if *provided is SHMEM_THREAD_MULTIPLE. Answers 0, also if *provided is lower than
 * `requested`. */
SHMEMI_FN(int, init_thread, int requested, int *provided)
SHMEMI_FN(void, query_thread, int *provided)
/* Any time, any thread. */
SHMEMI_FN(void, query_initialized, int *initialized)
/* Completes all operations, and waits for all PEs; the last call ends the library, its teams and contexts. Collective. A program
 * that returns from main without it ends in the same way, also if only some PEs do; all wait for each other. One call too many does
 * nothing. */
SHMEMI_FN(void, finalize, void)
/* Ends all PEs with this exit code; not collective. On the calling PE the exit handlers run that were registered after shmem_init; they
 * may communicate, but make no collective calls. Those of the other PEs do not run. */
SHMEMI_FN(__attribute__((noreturn)) void, global_exit, int status)
/* Own number, and how many there are; -1 and 0 while the library is not up. */
SHMEMI_FN(int, my_pe, void)
SHMEMI_FN(int, n_pes, void)
/* 1: transfers reach that PE, or that address there; else 0. */
SHMEMI_FN(int, pe_accessible, int pe)
SHMEMI_FN(int, addr_accessible, const void *addr, int pe)
/* The address of that PE's object in this process: plain loads and stores reach it. NULL: the PE is on another node, or the object
 * is not symmetric. */
SHMEMI_FN(void *, ptr, const void *dest, int pe)
SHMEMI_FN(void *, team_ptr, shmem_team_t team, const void *dest, int pe)
SHMEMI_FN(void, info_get_version, int *major, int *minor)
/* `name` has room for SHMEM_MAX_NAME_LEN bytes. */
SHMEMI_FN(void, info_get_name, char *name)
/* For profiling tools: does nothing. */
SHMEMI_FN(void, pcontrol, int level, ...)

#endif
