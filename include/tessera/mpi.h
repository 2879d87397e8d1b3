/* What a program needs that mixes Tessera with MPI of its own. */
#ifndef TESSERA_MPI_H
#define TESSERA_MPI_H

#include <mpi.h>
#include <tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* tessera_init on the processes of `comm`, in the order of their ranks: they are the job, and the others take no part in it. They go
 * on with MPI, or start a job of their own on another communicator. Collective over `comm`, which may be freed afterwards. MPI
 * runs. Other interfaces that start meanwhile start on this job. It ends with the last of them; the process may then start on
 * another communicator, or on all processes. The progress processes of TESSERA_PROGRESS=process:N are taken from `comm`, and do
 * not come back from this call. An abort, or a death, ends the job, and the launcher
 * then ends the other processes, too.
 * TESSERA_ERR_ARG: comm is MPI_COMM_NULL, invalid, an inter-communicator, or holds a progress process of an earlier job. TESSERA_ERR_STATE: called twice without
 * tessera_exit between, another interface has started on other processes, or MPI was finalised. TESSERA_ERR_UNSUPPORTED: the
 * process has been in a job of all processes with TESSERA_NET_RMA=mpi3. TESSERA_ERR_SYSTEM, TESSERA_ERR_NET,
 * TESSERA_ERR_MEMORY: as the log line says. */
TESSERA_API tessera_status_t tessera_init_comm(MPI_Comm comm);

/* Stores the communicator that holds exactly the units, in the order of their numbers. The library owns it: do not free
 * it. It is valid from initialisation to exit, and traffic on it never meets the library's own. When all units share
 * one node it may be MPI_COMM_WORLD itself: the program's messages on both then meet each other. Any unit, not
 * collective. Use it instead of MPI_COMM_WORLD, which also holds progress processes where there are any.
 * TESSERA_ERR_ARG: comm is NULL. TESSERA_ERR_STATE: not initialised. */
TESSERA_API tessera_status_t tessera_comm(MPI_Comm *comm);

#ifdef __cplusplus
}
#endif
#endif
