/* MPICH tells an error that comes with completion, such as a message longer than its receive, to the handler of
 * MPI_COMM_WORLD, on whatever communicator the message came. That handler is the program's, and the default one ends the job
 * with a line that says neither who nor what. So while the transport runs, a handler of ours takes the place of the default:
 * in calls of the transport it returns, and the transport says what is wrong; anywhere else it ends the job, as the default
 * does, with MPI's own text. A program that has set another one keeps it. */
#ifndef TSR_NET_MPI_HANDLER_H
#define TSR_NET_MPI_HANDLER_H

void tsr_mpi_handler_start(void);
void tsr_mpi_handler_stop(void); /* the default again, if ours is still there; also when it was never started */

#endif
