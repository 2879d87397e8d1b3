/* What all ranks agree on by MPI when a transport starts, over whatever wire. Collective over `comm`. */
#ifndef TSR_NET_MPI_AGREE_H
#define TSR_NET_MPI_AGREE_H

#include <mpi.h>
#include <stdbool.h>

#include <tessera.h>

/* A duplicate on which errors return. */
tessera_status_t tsr_mpi_duplicate_comm(MPI_Comm comm, MPI_Comm *copy);

/* Settles tsr_net_limits. */
tessera_status_t tsr_mpi_agree_on_limits(MPI_Comm comm);

/* Either all ranks start or none does: on another rank's failure TESSERA_ERR_PEER. */
tessera_status_t tsr_mpi_agree_on_status(MPI_Comm comm, tessera_status_t status);

/* Whether all ranks gave the same value. */
tessera_status_t tsr_mpi_agree_on_value(MPI_Comm comm, int value, bool *same);

/* Starts or tests the barrier of tsr_wire.barrier. */
bool tsr_mpi_test_barrier(MPI_Comm comm);

#endif
