/* The program's start and end of MPI. weak.c gives these functions the names that programs call. */
#ifndef TSR_NET_MPI_INTERPOSE_H
#define TSR_NET_MPI_INTERPOSE_H

#include <mpi.h>
#include <stdbool.h>

/* Start MPI with MPI_THREAD_MULTIPLE, unless TESSERA_MPI_THREADS=keep: a progress thread calls MPI while the program does.
 * `provided`: the level that MPI provides. If Tessera has started MPI before, they only make the program the one that
 * finalises it. */
int tsr_mpi_init(int *argc, char ***argv);
int tsr_mpi_init_thread(int *argc, char ***argv, int required, int *provided);

/* MPI's own, unless tsr_net_mpi_choose_finalize has decided to replace it. */
int tsr_mpi_finalize(void);
int tsr_mpi_finalized(int *flag);

/* MPI's own. Where MPI_Finalize may be replaced, it also remembers the keys of MPI_COMM_SELF. */
int tsr_mpi_comm_set_attr(MPI_Comm comm, int key, void *value);

/* Of weak.c: a reference to it brings the names into a program, even one that links the static library after MPI. */
extern const bool tsr_mpi_names;

#endif
