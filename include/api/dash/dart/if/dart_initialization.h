/* Start and end of the DART runtime. */
#ifndef TESSERA_DART_INITIALIZATION_H
#define TESSERA_DART_INITIALIZATION_H

#include <stdbool.h>

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the runtime. MPI is started unless the program did so, and then kept until the process ends; the pair
 * dart_init, dart_exit may be repeated any number of times.
 * Who: every unit of the job. Owner: argc and argv stay the caller's, and may be NULL. Return: the runtime is up on
 * every unit. Threads: one. Cost: collective.
 * Errors: DART_ERR_OTHER: already initialised (call dart_exit first), MPI was finalised, or the start failed. */
TESSERA_DART_API dart_ret_t dart_init(int *argc, char ***argv) DART_NOTHROW;

/* As dart_init, and lets several threads call at once; stores the level that is provided: DART_THREAD_MULTIPLE, or
 * DART_THREAD_SINGLE, which is no error.
 * The level is that of DART's functions alone. On one node they use no MPI, and all threads may call them whatever
 * MPI's level is; with several nodes DART_THREAD_MULTIPLE takes MPI_THREAD_MULTIPLE. A program that calls MPI itself keeps
 * to MPI's own level, which MPI_Query_thread tells: DART asks for MPI_THREAD_MULTIPLE when it starts MPI, and does not
 * raise what the program has started with less. Calls of MPI, at any level, are dart_init, dart_init_thread, dart_exit,
 * and those that dart_mpi.h names.
 * Errors: as dart_init; DART_ERR_INVAL: `provided` is NULL. */
TESSERA_DART_API dart_ret_t dart_init_thread(int *argc, char ***argv,
                                             dart_thread_support_level_t *provided) DART_NOTHROW;

/* Ends the runtime. Outstanding operations are completed. What the program still has through DART, teams, segments,
 * registrations, locks and memory, is gone, also where another interface of the library stays up, which keeps its own;
 * types and groups, which are local, stay. Of messages that were not received each unit that had some warns once, with their
 * number and whose the first was.
 * A program that never calls it: when all units return from main, call exit(0) or MPI_Finalize, and no handle is incomplete, the
 * library calls dart_exit in their place, one unit warns, and the job ends with 0. Otherwise the job ends with an error. A unit
 * waits for the others so for at most TESSERA_EXIT_TIMEOUT seconds, and not while one waits for it in a collective call.
 * Who: every unit of the job. Return: every unit has called it. MPI goes on when the program had started it. Threads:
 * one, the last. Cost: collective. Errors: the common ones only. */
TESSERA_DART_API dart_ret_t dart_exit(void) DART_NOTHROW;

/* Returns whether the caller is between dart_init and dart_exit.
 * Who: any unit, any time. Errors: none. Threads: any. Cost: inline. */
TESSERA_DART_API bool dart_initialized(void) DART_NOTHROW;

/* Ends the whole job at once with this exit code, without clean-up, after one message; does not return.
 * Who: any unit, any time. Errors: none. Threads: any. Cost: the job.
 * Contract: an aborted job never reports success; code 0 becomes DART_EXIT_ABORT. */
TESSERA_DART_API void dart_abort(int code) DART_NOTHROW __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
