/* Who started this process, by the variables that launchers set. A launcher of another MPI than ours starts processes that do
 * not find each other: each takes itself for the whole job. */
#ifndef TSR_NET_MPI_LAUNCHER_H
#define TSR_NET_MPI_LAUNCHER_H

#include <stdint.h>

/* Ends a job of one unit that a launcher meant to be larger, with a message about the launcher and the remedy, unless
 * TESSERA_ALONE=1. `world_n`: processes of MPI_COMM_WORLD. MPI is up and the configuration loaded. */
void tsr_net_mpi_check_launcher(int32_t world_n);

#endif
