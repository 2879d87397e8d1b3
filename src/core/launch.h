/* The process in the job: MPI, the communicator of the units, and the end of both.
 *
 * The job of all processes lasts from its first start to MPI_Finalize, however often the runtime starts and ends. A
 * job on a part of them ends with the runtime, and another one may follow. */
#ifndef TSR_CORE_LAUNCH_H
#define TSR_CORE_LAUNCH_H

#include <mpi.h>
#include <stdbool.h>

#include <tessera.h>

#include "base/status.h"

struct tsr_launch {
  int *argc; /* for MPI; may be NULL */
  char ***argv;
  const MPI_Comm *comm; /* the processes of the job, in the order of their ranks; NULL: all processes */
  const char *call;     /* the call of the program that passed `comm` */
};

/* Makes the process a part of the job, unless it is one already: starts MPI unless the program did, forms the nodes,
 * starts the transport and the monitor. The runtime is down. Collective over the job. TESSERA_ERR_ARG: `comm` is no
 * communicator; TESSERA_ERR_STATE: MPI was finalised; TESSERA_ERR_UNSUPPORTED: the process cannot leave the job of all
 * processes; _NET, _MEMORY, _SYSTEM: as logged. */
tessera_status_t tsr_launch(const struct tsr_launch *how) TSR_MUST_USE;

/* Whether `how` names the job of this process. Logs TESSERA_ERR_ARG: `how` names no communicator; TESSERA_ERR_STATE: it
 * is another job. */
tessera_status_t tsr_launch_is_same(const struct tsr_launch *how);

/* Ends a job on a part of the processes; otherwise does nothing. The runtime is down. Collective over the job. */
void tsr_launch_end_part(void);

/* The units, in the order of their numbers. MPI_COMM_NULL without a job; MPI_COMM_WORLD itself for the job of all
 * processes on one node. Messages of the library are on duplicates. */
MPI_Comm tsr_launch_comm(void);

/* The rank in MPI_COMM_WORLD of the job's first process. Any thread. */
int32_t tsr_launch_first(void);

/* Whether the process had several threads when Tessera started MPI: those of the program, or of a library or a tool that it
 * loads. False if the program started MPI, whose own threads nothing tells from these. */
bool tsr_launch_found_threads(void);

/* Whether MPI lets the calling thread call it: below MPI_THREAD_SERIALIZED only the thread that started MPI may. Any
 * thread. */
bool tsr_launch_may_call_mpi(void);

/* Ends MPI, if it runs, before the process ends. The library is down and does not start again. Collective over the
 * job. */
void tsr_launch_end_mpi(void);

/* Ends the whole job with this exit code, as tsr_leave does, and this process as exit() does: exit handlers that the program has
 * registered since the start run, and may call the library, but not its collectives. */
_Noreturn void tsr_launch_exit(int code);
bool tsr_launch_leaves(void); /* whether it was called: the end of the interfaces then waits for nothing */

/* Called before the job is aborted: from now on the end of the process makes no MPI call. Any thread. */
void tsr_launch_abandon(void);

#endif
