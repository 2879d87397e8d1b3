/* DART: the run-time interface of DASH, version 3.2, on Tessera. This header includes the whole interface but for
 * locality and input/output, which have headers of their own. Memory is in dart_globmem.h, transfers, atomics and
 * collectives in dart_communication.h, locks in dart_synchronization.h.
 *
 * How to read the comments. Each function is described by
 *   Who      calls it: any unit, or every unit of a team (collective).
 *   Sizes    what numbers count: elements of the named type unless it says bytes.
 *   Owner    of each buffer, and until when it must be left alone.
 *   Return   what has happened when the call returns. *Locally complete*: the caller's buffers may be reused, and what
 *            was fetched is there. *Remotely complete*: the target unit sees it.
 *   Errors   each by name, and what to do about it; also one line in the log. Nothing was done. Results are written
 *            on success only, unless it says otherwise.
 *   Threads  who may call at once, provided that dart_init_thread reported DART_THREAD_MULTIPLE.
 *   Cost     in messages; *inline* is a few instructions.
 *   Contract where it comes from, when it is more than the published interface: where upstream's library behaves unlike
 *            its documentation and programs rely on it, this one behaves like upstream and says so here.
 *
 * Common to all functions, and not repeated:
 *   DART_ERR_NOTINIT  before dart_init or after dart_exit: call between them.
 *   DART_ERR_INVAL    for a null, unknown or contradictory argument, and for a team or segment that is unknown, gone,
 *                     or without the caller among its members: correct the argument that the log names.
 *   DART_ERR_NOMEM    for memory that ran out: free some; the log says how much was asked for and how to enlarge it.
 *   DART_ERR_OTHER    for everything else, such as a dead unit or a failing MPI: the log says what.
 * A collective call checks its arguments on each unit alone: all units must pass valid ones, or the others wait.
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

/* The published interface that this is, and when the program was compiled. */
#define DART_VERSION_STR "3.2.0"
#define DART_BUILD_STR (__DATE__ " " __TIME__)

#endif
