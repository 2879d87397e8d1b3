/* Forming nodes: who shares memory in fact, whose heap lies where. Once per process life. */
#ifndef TSR_CORE_JOIN_H
#define TSR_CORE_JOIN_H

#include <mpi.h>

#include <tessera.h>

/* Maps the node's memory, fills in tsr_heap and tsr_place, starts the node's monitor. Collective over `world`, all
 * processes: one exchange on it when all share one node, two otherwise (more when address ranges are taken), since a
 * collective of an MPI that spins costs milliseconds on an oversubscribed node. Of each node's processes the last
 * become agents, where the configuration asks for some; the others are the units, in the order of their ranks. Errors
 * are the same everywhere, and logged where they arose. */
tessera_status_t tsr_join(MPI_Comm world);

#endif
