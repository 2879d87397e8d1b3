/* The MPI communicators of DART's teams, for programs and libraries that call MPI themselves. Not part of dart.h. */
#ifndef TESSERA_DART_MPI_H
#define TESSERA_DART_MPI_H

#include <mpi.h>

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the communicator that holds exactly the units, in the order of their numbers in DART_TEAM_ALL;
 * MPI_COMM_NULL before the first dart_init. It is the communicator of tessera_comm: use it instead of MPI_COMM_WORLD,
 * which also contains any progress processes. Its traffic never matches the library's own.
 * Who: any unit, not collective. Owner: the library; do not free it. Threads: any. Cost: inline.
 * Contract: from DART's progress branch of 2016, which published it in no header. */
TESSERA_DART_API MPI_Comm dart_get_user_commworld(void) DART_NOTHROW;

/* Stores the communicator of a team's units, in the order of their numbers in the team. For DART_TEAM_ALL it is that
 * of dart_get_user_commworld.
 * Who: every unit of the team. Owner: the library, until the team is destroyed or dart_exit; do not free it. Return:
 * complete. Cost: the first call for a team is collective and makes the communicator; later calls are inline.
 * Threads: one per team. The first call for a team, and the end of that team, call MPI from the calling thread. If
 * MPI was started with less than MPI_THREAD_MULTIPLE, the program orders them with its own calls of MPI as that level
 * requires; with less than MPI_THREAD_SERIALIZED only the thread that started MPI may make the first call.
 * Errors: DART_ERR_INVAL: the team, the pointer, or a thread that may not call MPI; DART_ERR_NOMEM; DART_ERR_OTHER:
 * one of these errors on another unit, or an error of MPI.
 * Contract: an extension by Tessera, not part of the published interface. */
TESSERA_DART_API dart_ret_t dart_team_comm(dart_team_t team, MPI_Comm *comm) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
