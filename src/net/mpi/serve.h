/* The messages that come from any rank: requests, at their target, and acknowledgements, at the origin. Under the lock. */
#ifndef TSR_NET_MPI_SERVE_H
#define TSR_NET_MPI_SERVE_H

#include "net/mpi/comms.h"

bool tsr_mpi_serve_start(void);       /* makes the buffers; false: no memory */
size_t tsr_mpi_serve_buffers_n(void); /* each for one request */
void tsr_mpi_serve_open(void);        /* messages are received from here on */
int tsr_mpi_serve_poll(void);         /* hands over what has arrived; returns how many */
void tsr_mpi_serve_idle(void);        /* after a poll that has found nothing: does what was put off */
void tsr_mpi_serve_stop(void);        /* after tsr_mpi_pending_stop */

#endif
