/* What all ranks agree on by MPI when a transport starts, over whatever wire. Collective over `comm`. */
#ifndef TSR_NET_MPI_AGREE_H
#define TSR_NET_MPI_AGREE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include <tessera.h>

/* A duplicate on which errors return. */
tessera_status_t tsr_mpi_duplicate_comm(MPI_Comm comm, MPI_Comm *copy);

/* Either all ranks start or none does: on another rank's failure TESSERA_ERR_PEER. */
tessera_status_t tsr_mpi_agree_on_status(MPI_Comm comm, tessera_status_t status);

/* Adopts the limits of all ranks as tsr_net_limits, and tells of each setting whether all ranks have the same.
 * at_once_bytes: see tsr_wire_propose_limits. */
enum tsr_mpi_setting {
  TSR_MPI_SETTING_WIRE, TSR_MPI_SETTING_IS_AUTO, TSR_MPI_SETTING_RMA, TSR_MPI_SETTING_UCX_RMA, TSR_MPI_SETTINGS_N
};
tessera_status_t tsr_mpi_agree_on_settings(MPI_Comm comm, const int settings[TSR_MPI_SETTINGS_N], size_t at_once_bytes,
                                           bool same[TSR_MPI_SETTINGS_N]);

/* Whether several threads may call MPI. */
bool tsr_mpi_has_threads(void);
/* Whether this is rank 0. */
bool tsr_mpi_is_first(MPI_Comm comm);

/* Starts or tests the barrier of tsr_wire.barrier. */
bool tsr_mpi_test_barrier(MPI_Comm comm);

#endif
