/* What a program's own start and end of MPI become. weak.c gives these the names that programs call. */
#ifndef TSR_NET_MPI_INTERPOSE_H
#define TSR_NET_MPI_INTERPOSE_H

#include <mpi.h>
#include <stdbool.h>

/* Start MPI with MPI_THREAD_MULTIPLE, unless TESSERA_MPI_THREADS=keep: whoever drives our messages while a unit computes
 * calls MPI beside the program. `provided` tells what MPI gives in truth. */
int tsr_mpi_init(int *argc, char ***argv);
int tsr_mpi_init_thread(int *argc, char ***argv, int required, int *provided);

/* Ends MPI, for the program in any case, in truth where that cannot hang; see tsr_net_mpi_leave. */
int tsr_mpi_finalize(void);
int tsr_mpi_finalized(int *flag);

/* Remembers what the program ties to MPI_COMM_SELF, for the end. */
int tsr_mpi_comm_set_attr(MPI_Comm comm, int key, void *value);

/* Of weak.c: who reads it brings the names into a program, even one that links the static library after MPI. */
extern const bool tsr_mpi_names;

#endif
