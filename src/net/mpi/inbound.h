/* Requests that an endpoint has taken: their order, their handlers, bulk and replies. Under the lock. */
#ifndef TSR_NET_MPI_INBOUND_H
#define TSR_NET_MPI_INBOUND_H

#include "net/mpi/wire.h"

bool tsr_mpi_inbound_start(void); /* false: no memory */
void tsr_mpi_inbound_stop(void);  /* after tsr_mpi_pending_stop and tsr_mpi_delay_stop */

size_t tsr_mpi_jobs_bytes(int ranks_n); /* private memory before the first one */

/* Whether one more may be taken. As long as MPI moves enough bulk and replies, the next requests wait inside it. */
bool tsr_mpi_inbound_has_room(void);

/* Takes a valid request; the message is the caller's again afterwards. */
void tsr_mpi_inbound_begin(struct tsr_mpi_header *message, int rank);

void tsr_mpi_inbound_answer(void *inbound, const void *reply, size_t bytes);

#endif
