/* Tagged messages. Under the lock. */
#ifndef TSR_NET_MPI_TAGGED_H
#define TSR_NET_MPI_TAGGED_H

#include "net/mpi/wire.h"

void tsr_mpi_send(int rank, int tag, const void *data, size_t bytes, bool synchronous, tsr_net_done_fn done, void *arg);
void tsr_mpi_receive(int rank, int tag, void *data, size_t bytes, tsr_net_done_fn done, void *arg);

#endif
