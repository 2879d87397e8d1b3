/* Requests that an endpoint has taken: their order, their handlers, bulk and replies. Called with the transport's lock held,
 * except where stated. */
#ifndef TSR_NET_MPI_INBOUND_H
#define TSR_NET_MPI_INBOUND_H

#include "net/mpi/wire.h"

bool tsr_mpi_inbound_start(void); /* false: no memory */
void tsr_mpi_inbound_stop(void);  /* after tsr_mpi_pending_stop and tsr_mpi_delay_stop */

size_t tsr_mpi_inbound_bytes(int ranks_n); /* private memory before the first request */

/* Whether one more may be taken. While MPI moves enough bulk and replies, the next requests stay inside MPI. */
bool tsr_mpi_inbound_has_room(void);

/* Takes a valid request. The message may be reused after return. */
void tsr_mpi_inbound_begin(struct tsr_mpi_header *message, int rank);

/* Requests with a long payload or a long reply. Their handlers copy for longer than a system call takes, so they run without
 * the lock: `next` takes one request (NULL: none), `run` runs its handler without the lock, `ran` continues. */
struct tsr_mpi_inbound;
struct tsr_mpi_inbound *tsr_mpi_inbound_next(void);
void tsr_mpi_inbound_run(struct tsr_mpi_inbound *inbound);
void tsr_mpi_inbound_ran(struct tsr_mpi_inbound *inbound);

#endif
