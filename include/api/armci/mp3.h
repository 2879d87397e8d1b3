/* ARMCI: macros by which the programs that came with ARMCI and Global Arrays call a message-passing library. Here
 * that library is MPI. */
#ifndef TESSERA_MP3_H
#define TESSERA_MP3_H

#include <armci_types.h> /* for mpi.h */

#define MP_INIT(argc, argv) MPI_Init(NULL, NULL) /* some programs pass names that they have not declared */
#define MP_PROCS(n) MPI_Comm_size(MPI_COMM_WORLD, (n))
#define MP_MYID(me) MPI_Comm_rank(MPI_COMM_WORLD, (me))
#define MP_BARRIER() MPI_Barrier(MPI_COMM_WORLD)
#define MP_TIMER MPI_Wtime
#define MP_FINALIZE() MPI_Finalize()
/* Checks one of the calls above, except the timer: a failure ends the job. */
#define MP_ASSERT(call) ((call) == MPI_SUCCESS ? (void)0 : (void)MPI_Abort(MPI_COMM_WORLD, 1))

#define ARMCI_INIT(argc, argv) ARMCI_Init()
#define GA_INIT(argc, argv) GA_Initialize()

#endif
