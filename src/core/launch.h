/* The process's tie to the job: MPI, the communicator of the units, and the end of both. Once per process life. */
#ifndef TSR_CORE_LAUNCH_H
#define TSR_CORE_LAUNCH_H

#include <mpi.h>
#include <stdbool.h>

#include <tessera.h>

/* The first time: starts MPI unless the program did, forms the nodes, starts the transport and the watcher. Collective over
 * the job. TESSERA_ERR_STATE: MPI was finalised; TESSERA_ERR_NET, _MEMORY, _SYSTEM: as logged. */
tessera_status_t tsr_launch(int *argc, char ***argv);

/* The units, in the order of their numbers; MPI_COMM_NULL before the launch, MPI_COMM_WORLD itself when there is one node.
 * Traffic of the library is on duplicates. */
MPI_Comm tsr_launch_comm(void);

/* Whether MPI lets the calling thread call it: below MPI_THREAD_SERIALIZED only the one that started it may. Any thread. */
bool tsr_launch_may_call_mpi(void);

/* Ends MPI before the process ends, if it runs: nothing of the library is up, or will be again. Collective over the job. */
void tsr_launch_end_mpi(void);

/* The job is about to be aborted: the process's end leaves MPI alone from now on. Any thread. */
void tsr_launch_abandon(void);

#endif
