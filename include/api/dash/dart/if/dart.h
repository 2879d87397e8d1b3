/* DART: the run-time interface of DASH, version 3.2, on Tessera. This header includes the whole interface except
 * locality (dart_locality.h), input and output (dart_io.h) and the MPI communicators (dart_mpi.h). Memory is in
 * dart_globmem.h; transfers, atomics, collectives and messages in dart_communication.h; locks in
 * dart_synchronization.h.
 *
 * The comment of each function first says what the function does, and then has these parts:
 *   Who      calls it: any unit, or every unit of a team (collective).
 *   Sizes    what numbers count: elements of the named type, unless the comment says bytes.
 *   Owner    of each buffer, and until when the caller must not touch it.
 *   Return   what has happened when the call returns. *Locally complete*: the caller may reuse its buffers, and
 *            fetched data has arrived. *Remotely complete*: the target unit sees the data.
 *   Errors   each by name, with its cause and remedy. An error is also one line in the log, and the call had no effect.
 *            As in upstream, an output that is a team, group, global pointer, handle, type, operation, lock or unit is then
 *            null or undefined, and a test's result 0. Other results are written on success only, unless the comment says
 *            otherwise.
 *   Threads  which threads may call at the same time, if dart_init_thread reported DART_THREAD_MULTIPLE.
 *   Cost     in messages; *inline* means a few instructions.
 *   Contract additions to the published interface. Where upstream (DASH's own MPI implementation of DART) differs from
 *            its documentation and programs rely on it, this library behaves like upstream, and says so here.
 *
 * These errors are common to all functions and not repeated:
 *   DART_ERR_NOTINIT  the call was before dart_init or after dart_exit: call between them.
 *   DART_ERR_INVAL    a null, unknown or contradictory argument, or a team or segment that is unknown, was destroyed,
 *                     or does not have the caller as a member: correct the argument that the log names.
 *   DART_ERR_NOMEM    memory ran out: free some. The log says how much was requested and how to enlarge it.
 *   DART_ERR_OTHER    any other error, such as a dead unit or a failing MPI: the log names it.
 * If one unit passes wrong arguments to a collective call, the call fails with DART_ERR_OTHER on the units that wait
 * for that unit, or the job ends with a message that names it (see TESSERA_ERR_PEER in <tessera/coll.h>).
 */
#ifndef TESSERA_DART_H
#define TESSERA_DART_H

#include <dash/dart/if/dart_communication.h>
#include <dash/dart/if/dart_config.h>
#include <dash/dart/if/dart_globmem.h>
#include <dash/dart/if/dart_initialization.h>
#include <dash/dart/if/dart_synchronization.h>
#include <dash/dart/if/dart_team_group.h>
#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

/* The version of the published interface, and the time when the program was compiled. */
#define DART_VERSION_STR "3.2.0"
#define DART_BUILD_STR (__DATE__ " " __TIME__)

#endif
