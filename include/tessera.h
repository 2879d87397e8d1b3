/* Tessera: a partitioned-global-address-space (PGAS) runtime.
 *
 * This header declares what all interfaces share: version, status codes, start and end, and the numbers of the
 * calling unit and its node. Other native headers: <tessera/memory.h> (global memory, put, get, atomics),
 * <tessera/coll.h> (teams and collectives), <tessera/message.h> (two-sided messages), <tessera/am.h> (active messages),
 * <tessera/request.h> (completion of non-blocking calls), <tessera/mpi.h> (the MPI communicator of the units). */
#ifndef TESSERA_H
#define TESSERA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 2
#define TESSERA_VERSION_PATCH 0
#define TESSERA_VERSION_STRING "0.2.0"

#if defined(__GNUC__)
#define TESSERA_API __attribute__((visibility("default")))
#else
#define TESSERA_API
#endif

/* Status codes that calls return, grouped by how much is broken. */
typedef enum tessera_status {
  TESSERA_OK = 0,

  /* The call was wrong and had no effect. Correct it and call again. */
  TESSERA_ERR_ARG = 1,         /* a null, negative, overflowing or contradictory argument */
  TESSERA_ERR_RANGE = 2,       /* an address or unit number outside the object that it refers to */
  TESSERA_ERR_NOT_FOUND = 3,   /* an unknown, freed or stale team, segment or handle */
  TESSERA_ERR_STATE = 4,       /* called before initialisation, after exit, or out of order */
  TESSERA_ERR_UNSUPPORTED = 5, /* a combination that the interface does not support */

  /* A resource ran out and the call had no effect. Free some of the resource, or enlarge it, and call again. */
  TESSERA_ERR_MEMORY = 16, /* memory of the node, of the control group, or of a unit's heap */
  TESSERA_ERR_LIMIT = 17,  /* identifiers or other counted resources */
  TESSERA_ERR_AGAIN = 18,  /* no room at the moment: make progress and try again */

  /* The job itself is damaged. */
  TESSERA_ERR_SYSTEM = 32, /* the operating system refused a request of Tessera */
  TESSERA_ERR_NET = 33,    /* MPI or UCX failed */
  TESSERA_ERR_PEER = 34    /* another unit failed in a collective call, or died */
} tessera_status_t;

/* Returns the version of the linked library, "major.minor.patch". Any time, any thread. */
TESSERA_API const char *tessera_version(void);

/* Return a status's name ("TESSERA_ERR_RANGE"), a sentence that explains it, and a sentence that names the remedy.
 * The strings are static; an unknown value gets a text that says so. Any time, any thread. */
TESSERA_API const char *tessera_status_name(tessera_status_t status);
TESSERA_API const char *tessera_status_text(tessera_status_t status);
TESSERA_API const char *tessera_status_remedy(tessera_status_t status);

/* Starts the runtime. Collective over the job. argc and argv may be NULL. It starts MPI unless the program has
 * started it. A program may start several interfaces, in any order, and ends each one that it started.
 * TESSERA_ERR_STATE: called twice without tessera_exit in between, or after MPI was finalised.
 * TESSERA_ERR_SYSTEM, TESSERA_ERR_NET, TESSERA_ERR_MEMORY: the log line names the cause. */
TESSERA_API tessera_status_t tessera_init(int *argc, char ***argv);

/* Ends what tessera_init started. Collective over the job; returns when every unit has called it. A program may leave
 * it out: if all units return from main, or call exit(0) or MPI_Finalize, and no operation is incomplete, the library
 * ends itself and prints a warning; otherwise the job ends with an error. The same holds for the exit function of
 * every interface.
 * TESSERA_ERR_STATE: not initialised. TESSERA_ERR_PEER: another unit made another collective call instead of this
 * one, and that call failed. The library is still up, so that all units can call again; receives that were posted
 * may have ended without a message. */
TESSERA_API tessera_status_t tessera_exit(void);

/* Return the caller's number in the world, the number of units, the number of the caller's node, and the number of
 * nodes; -1 before the first interface is initialised and after the last one has ended. Any thread. */
TESSERA_API int32_t tessera_unit(void);
TESSERA_API int32_t tessera_units(void);
TESSERA_API int32_t tessera_node(void);
TESSERA_API int32_t tessera_nodes(void);

/* With `on` 0 the calling unit leaves operations that begin after this call out of its statistics (TESSERA_STATS,
 * TESSERA_STATS_FILE) and its timeline (TESSERA_TRACE). With any other value it includes them again. This applies to the
 * operations of all interfaces, until the runtime ends: the next job of the process includes all operations. Use it to
 * look at one part of a program. Local, any thread; does nothing without these variables. TESSERA_ERR_STATE: not
 * initialised. */
TESSERA_API tessera_status_t tessera_record(int on);

#ifdef __cplusplus
}
#endif
#endif
