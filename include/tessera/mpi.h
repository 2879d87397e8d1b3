/* What a program needs that mixes Tessera with MPI of its own. */
#ifndef TESSERA_MPI_H
#define TESSERA_MPI_H

#include <mpi.h>
#include <tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stores the communicator that holds exactly the units, in the order of their numbers. The library owns it: do not free
 * it. It is valid from initialisation to exit, and traffic on it never meets the library's own. When all units share
 * one node it may be MPI_COMM_WORLD itself: the program's messages on both then meet each other. Any unit, not
 * collective. Use it instead of MPI_COMM_WORLD, which also holds agent processes where there are any.
 * TESSERA_ERR_ARG: comm is NULL. TESSERA_ERR_STATE: not initialised. */
TESSERA_API tessera_status_t tessera_comm(MPI_Comm *comm);

#ifdef __cplusplus
}
#endif
#endif
