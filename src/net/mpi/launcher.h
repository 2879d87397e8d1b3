/* The launcher of this process, found by the variables that launchers set. A launcher of another MPI starts
 * processes that do not find each other: each one takes itself for the whole job. */
#ifndef TSR_NET_MPI_LAUNCHER_H
#define TSR_NET_MPI_LAUNCHER_H

#include <stdint.h>

/* Ends a job of one unit if its launcher has started several processes, with a message that names the launcher and
 * the remedy, unless TESSERA_ALONE=1. `world_n`: processes of MPI_COMM_WORLD. MPI is up and the configuration
 * loaded. */
void tsr_net_mpi_check_launcher(int32_t world_n);

#endif
