/* MPICH reports an error at completion, such as a message longer than its receive, to the handler of MPI_COMM_WORLD,
 * whatever the communicator of the message. That handler is the program's, and the default one ends the job with a line
 * that names neither the call nor the message. So while the transport runs, a handler of Tessera replaces the default
 * one: in calls of the transport it returns, and the transport reports the error; in other calls it ends the job, as
 * the default does, with MPI's own text. A handler that the program has set is kept. */
#ifndef TSR_NET_MPI_HANDLER_H
#define TSR_NET_MPI_HANDLER_H

void tsr_mpi_handler_start(void);
void tsr_mpi_handler_stop(void); /* restores the default handler, if Tessera's is still set; also if it was never
                                  * started */

#endif
