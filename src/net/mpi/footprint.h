/* Private memory of the transport by formula, for programs without MPI, too. The configuration has been read. */
#ifndef TSR_NET_MPI_FOOTPRINT_H
#define TSR_NET_MPI_FOOTPRINT_H

#include <stddef.h>

/* Among so many ranks, before it is used: tables, and buffers to receive in. */
size_t tsr_net_mpi_tables_bytes(int ranks_n);
size_t tsr_net_mpi_buffers_bytes(void);

/* At most, for each endpoint that is asked. */
size_t tsr_net_mpi_peer_bytes(void);

#endif
