/* Start and end of the DART runtime. */
#ifndef TESSERA_DART_INITIALIZATION_H
#define TESSERA_DART_INITIALIZATION_H

#include <stdbool.h>

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the runtime. It starts MPI unless the program has started it, and MPI then stays up until the process ends.
 * The pair dart_init, dart_exit may be repeated any number of times.
 * Who: every unit of the job. Owner: argc and argv stay the caller's, and may be NULL. Return: the runtime is up on
 * every unit. Threads: one. Cost: collective.
 * Errors: DART_ERR_OTHER: already initialised (call dart_exit first), MPI was finalised, or the start failed. */
TESSERA_DART_API dart_ret_t dart_init(int *argc, char ***argv) DART_NOTHROW;

/* As dart_init, and allows several threads to call at the same time. Stores the provided level: DART_THREAD_MULTIPLE
 * or DART_THREAD_SINGLE; the latter is no error.
 * The level applies to DART's functions only. On one node these do not use MPI, and all threads may call them,
 * whatever MPI's level is; on several nodes DART_THREAD_MULTIPLE needs MPI_THREAD_MULTIPLE. A program that calls MPI
 * itself follows MPI's own level, which MPI_Query_thread returns. DART requests MPI_THREAD_MULTIPLE when it starts
 * MPI, and does not raise a lower level with which the program has started MPI. For this rule, dart_init,
 * dart_init_thread, dart_exit, and the functions that dart_mpi.h names count as calls of MPI at any level.
 * Errors: as dart_init; DART_ERR_INVAL: `provided` is NULL. */
TESSERA_DART_API dart_ret_t dart_init_thread(int *argc, char ***argv,
                                             dart_thread_support_level_t *provided) DART_NOTHROW;

/* Ends the runtime, and completes outstanding operations. All teams, segments, registrations, locks and memory that
 * the program made through DART become invalid. Another interface of the library that stays up keeps its own. Types
 * and groups are local and stay valid. A unit with messages that were not received warns once, with their number and
 * the sender of the first.
 * A program may leave dart_exit out: if all units return from main, call exit(0) or MPI_Finalize, and no handle is
 * incomplete, the library calls dart_exit itself, one unit warns, and the job ends with code 0. Otherwise the job
 * ends with an error. For this purpose a unit waits at most TESSERA_EXIT_TIMEOUT seconds for the others, and does not
 * wait at all while another unit waits for it in a collective call.
 * Who: every unit of the job. Return: every unit has called it. MPI stays up if the program has started it. Threads:
 * one, the last. Cost: collective. Errors: the common ones only. */
TESSERA_DART_API dart_ret_t dart_exit(void) DART_NOTHROW;

/* Returns whether the caller is between dart_init and dart_exit.
 * Who: any unit, any time. Errors: none. Threads: any. Cost: inline. */
TESSERA_DART_API bool dart_initialized(void) DART_NOTHROW;

/* Ends the whole job at once with this exit code, without clean-up, after printing one message. Does not return.
 * Who: any unit, any time. Errors: none. Threads: any. Cost: the job.
 * Contract: an aborted job never reports success; code 0 becomes DART_EXIT_ABORT. */
TESSERA_DART_API void dart_abort(int code) DART_NOTHROW __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
