/* Forming nodes: who shares memory in fact, whose heap lies where. Once per process life. */
#ifndef TSR_CORE_JOIN_H
#define TSR_CORE_JOIN_H

#include <mpi.h>

#include <tessera.h>

/* Maps the node's memory and fills in tsr_heap and tsr_place. Collective over `units`, the communicator of all units in the
 * order of their numbers. Errors are the same everywhere, and logged where they arose. */
tessera_status_t tsr_join(MPI_Comm units);

#endif
