/* Requests at their origin: a bounded table of slots for each target. Under the lock. */
#ifndef TSR_NET_MPI_REQUESTS_H
#define TSR_NET_MPI_REQUESTS_H

#include "net/mpi/wire.h"

bool tsr_mpi_requests_start(int slots_n); /* for each target, made when it is first used; false: no memory */
void tsr_mpi_requests_stop(void);         /* after tsr_mpi_pending_stop */

size_t tsr_mpi_requests_bytes(int ranks_n);      /* private memory before the first request, */
size_t tsr_mpi_requests_peer_bytes(int slots_n); /* and what a target adds, without its messages */

tessera_status_t tsr_mpi_request(const struct tsr_net_request *request);
bool tsr_mpi_requests_have_room(const struct tsr_net_request *request); /* without the lock */
bool tsr_mpi_requests_reserve(int rank, size_t requests_n, size_t long_n);
void tsr_mpi_requests_unreserve(int rank, size_t requests_n, size_t long_n);
void tsr_mpi_request_acked(int rank, uint16_t slot); /* an endpoint has acknowledged the one in this slot */

int tsr_mpi_requests_busy(int rank); /* all when negative; without the lock */

#endif
