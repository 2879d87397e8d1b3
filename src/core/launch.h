/* The process in the job: MPI, the communicator of the units, and the end of both.
 *
 * The job of all processes lasts from its first start to MPI_Finalize, however often the runtime starts and ends. A
 * job on a part of them ends with the runtime, and another one may follow. */
#ifndef TSR_CORE_LAUNCH_H
#define TSR_CORE_LAUNCH_H

#include <mpi.h>
#include <stdbool.h>

#include <tessera.h>

struct tsr_launch {
  int *argc; /* for MPI, may be NULL */
  char ***argv;
  const MPI_Comm *comm; /* of the processes that are the job, in the order of their ranks; NULL: all processes */
  const char *call;     /* of the program, that passed `comm` */
};

/* Makes the process a part of that job, unless it is already: starts MPI unless the program did, forms the nodes, starts the
 * transport and the monitor. The runtime is down. Collective over the job. TESSERA_ERR_ARG: `comm` is none; TESSERA_ERR_STATE: MPI
 * was finalised; TESSERA_ERR_UNSUPPORTED: the process cannot leave the job of all processes; _NET, _MEMORY, _SYSTEM: as logged. */
tessera_status_t tsr_launch(const struct tsr_launch *how);

/* TESSERA_ERR_ARG: `how` names no communicator; TESSERA_ERR_STATE: another job than that of the process; both logged. */
tessera_status_t tsr_launch_is_same(const struct tsr_launch *how);

/* The runtime is down: ends the job if it is on a part of the processes. Collective over the job. */
void tsr_launch_end_part(void);

/* The units, in the order of their numbers; MPI_COMM_NULL without a job, MPI_COMM_WORLD itself when it is that of all
 * processes, on one node. Traffic of the library is on duplicates. */
MPI_Comm tsr_launch_comm(void);

/* Whether MPI lets the calling thread call it: below MPI_THREAD_SERIALIZED only the one that started it may. Any thread. */
bool tsr_launch_may_call_mpi(void);

/* Ends MPI before the process ends, if it runs: nothing of the library is up, or will be again. Collective over the job. */
void tsr_launch_end_mpi(void);

/* The job is about to be aborted: the end of the process makes no MPI call from now on. Any thread. */
void tsr_launch_abandon(void);

#endif
