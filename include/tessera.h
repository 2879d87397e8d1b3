/* Tessera: a partitioned-global-address-space runtime.
 *
 * The small native interface that is common to all interfaces: version, status codes, start and end, and who
 * and where the caller is. Teams and collectives are in <tessera/coll.h>, two-sided messages in
 * <tessera/message.h>, active messages in <tessera/am.h>, MPI's communicator of the units in <tessera/mpi.h>. Global memory is
 * used through an interface (dart.h and others).
 */
#ifndef TESSERA_H
#define TESSERA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 1
#define TESSERA_VERSION_PATCH 0
#define TESSERA_VERSION_STRING "0.1.0"

#if defined(__GNUC__)
#define TESSERA_API __attribute__((visibility("default")))
#else
#define TESSERA_API
#endif

/* What a call answers, grouped by how much is now broken. */
typedef enum tessera_status {
  TESSERA_OK = 0,

  /* The call was wrong. Nothing was done; correct it and call again. */
  TESSERA_ERR_ARG = 1,         /* a null, negative, overflowing or contradictory argument */
  TESSERA_ERR_RANGE = 2,       /* an address or unit number outside what it refers to */
  TESSERA_ERR_NOT_FOUND = 3,   /* an unknown, freed or stale team, segment or handle */
  TESSERA_ERR_STATE = 4,       /* before initialisation, after exit, or out of order */
  TESSERA_ERR_UNSUPPORTED = 5, /* a combination that the interface excludes */

  /* Something ran out. Nothing was done; free or enlarge it and call again. */
  TESSERA_ERR_MEMORY = 16, /* memory of the node, the control group, or a unit's heap */
  TESSERA_ERR_LIMIT = 17,  /* identifiers or other counted resources */
  TESSERA_ERR_AGAIN = 18,  /* no room at this moment; progress first */

  /* The job itself is damaged. */
  TESSERA_ERR_SYSTEM = 32, /* the operating system refused something that Tessera needs */
  TESSERA_ERR_NET = 33,    /* MPI failed */
  TESSERA_ERR_PEER = 34    /* another unit failed in a collective call, or died */
} tessera_status_t;

/* Returns the version of the library that is linked, "major.minor.patch". Any time, any thread. */
TESSERA_API const char *tessera_version(void);

/* Returns the name of a status ("TESSERA_ERR_RANGE"), a sentence that says what it means, and a sentence
 * that says what to do about it. Static strings; an unknown value gets a text that says so. Any time. */
TESSERA_API const char *tessera_status_name(tessera_status_t status);
TESSERA_API const char *tessera_status_text(tessera_status_t status);
TESSERA_API const char *tessera_status_remedy(tessera_status_t status);

/* Starts the runtime. Collective over the job; argc and argv may be NULL. MPI is started unless the program
 * did so. Several interfaces may be started in one program, in any order; each start needs its own end.
 * TESSERA_ERR_STATE: called twice without tessera_exit between, or after MPI was finalised.
 * TESSERA_ERR_SYSTEM, TESSERA_ERR_NET, TESSERA_ERR_MEMORY: as the log line says. */
TESSERA_API tessera_status_t tessera_init(int *argc, char ***argv);

/* Ends what tessera_init started. Collective over the job; completes after every unit has called it. When all units return from
 * main, call exit(0) or MPI_Finalize without it, and nothing is incomplete, the library ends in their place with a warning;
 * otherwise the job ends with an error. The same holds for the exit function of each interface.
 * TESSERA_ERR_STATE: not initialised. */
TESSERA_API tessera_status_t tessera_exit(void);

/* Returns the caller's number in the world, the number of units, the number of the caller's node and the
 * number of nodes; -1 before any interface is initialised and after the last has ended. Any thread. */
TESSERA_API int32_t tessera_unit(void);
TESSERA_API int32_t tessera_units(void);
TESSERA_API int32_t tessera_node(void);
TESSERA_API int32_t tessera_nodes(void);

#ifdef __cplusplus
}
#endif
#endif
