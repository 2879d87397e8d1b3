/* Forming nodes: which processes share memory, and where each unit's heap is mapped. Once per job. */
#ifndef TSR_CORE_JOIN_H
#define TSR_CORE_JOIN_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "base/status.h"

/* Maps the node's memory, fills in tsr_heap and tsr_place, starts the node's monitor. Collective over `world`, which is
 * all processes of the job. It takes one exchange on `world` if all share one node, otherwise two, and more if address
 * ranges are in use. (A collective of an MPI that spins costs milliseconds on an oversubscribed node.) The last
 * processes of each node become agents, if the configuration asks for some; the others are the units, in the order of
 * their ranks. All processes return the same error; it is logged where it occurred. */
tessera_status_t tsr_join(MPI_Comm world) TSR_MUST_USE;

/* Private memory that a unit takes during this call, in a job of `units_n` units. */
size_t tsr_join_bytes(int32_t units_n);

#endif
