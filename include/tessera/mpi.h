/* For programs that use Tessera and call MPI themselves. */
#ifndef TESSERA_MPI_H
#define TESSERA_MPI_H

#include <mpi.h>
#include <tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As tessera_init, but the job consists of the processes of `comm`, in the order of their ranks. Other processes are
 * not part of the job: they continue with MPI, or start a job of their own on another communicator. Collective over
 * `comm`, which may be freed afterwards. MPI must be running.
 * Other interfaces that start while the job runs join this job. The job ends when the last of them ends; the process
 * may then start on another communicator, or on all processes. The progress processes of TESSERA_PROGRESS=process:N
 * are taken from `comm`; they do not return from this call. If a unit aborts or dies, the job ends, and the launcher
 * then ends the other processes, too.
 * TESSERA_ERR_ARG: comm is MPI_COMM_NULL, invalid, an inter-communicator, or contains a progress process of an
 * earlier job. TESSERA_ERR_STATE: called twice without tessera_exit in between, another interface has started on
 * other processes, or MPI was finalised. TESSERA_ERR_UNSUPPORTED: the process has been in a job of all processes with
 * TESSERA_NET_RMA=mpi3. TESSERA_ERR_SYSTEM, TESSERA_ERR_NET, TESSERA_ERR_MEMORY: the log line names the cause. */
TESSERA_API tessera_status_t tessera_init_comm(MPI_Comm comm);

/* Stores the communicator that holds exactly the units, in the order of their numbers. The library owns it: do not
 * free it. It is valid from initialisation to exit. Its traffic never matches the library's own. If all units share
 * one node, it may be MPI_COMM_WORLD itself; messages that the program sends on both can then match each other. Any
 * unit, not collective. Use it instead of MPI_COMM_WORLD, which also contains any progress processes.
 * TESSERA_ERR_ARG: comm is NULL. TESSERA_ERR_STATE: not initialised. */
TESSERA_API tessera_status_t tessera_comm(MPI_Comm *comm);

#ifdef __cplusplus
}
#endif
#endif
