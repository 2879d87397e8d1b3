/* The transport over two-sided MPI. */
#ifndef TSR_NET_MPI_MPI_H
#define TSR_NET_MPI_MPI_H

#include <mpi.h>
#include <stdbool.h>

#include "net/net.h"

/* Starts the transport on duplicates of `comm`; collective over it. Afterwards tsr_net points here and
 * tsr_net_limits holds what all ranks agreed on. On an error, logged, nothing is left behind. TESSERA_ERR_NET: MPI failed or
 * offers too few tags. TESSERA_ERR_MEMORY. TESSERA_ERR_PEER: another rank failed. */
tessera_status_t tsr_net_mpi_start(MPI_Comm comm); /* by tsr_net_start, which agrees on the limits */

/* For the formula of net.h: bytes of the table of messages under way, and requests that can be received at once. */
size_t tsr_net_mpi_tables_bytes(void);
size_t tsr_net_mpi_receives_n(void);

/* TESSERA_NET_RMA=mpi3: lets the transport put and get by MPI's one-sided operations, on a window over the own heap of
 * each unit; otherwise does nothing. `units`: the units in the order of their numbers. After tsr_net_mpi_start;
 * collective over them. TESSERA_ERR_UNSUPPORTED: not with this MPI, for the reason that is logged; TESSERA_ERR_NET. On
 * an error the transport still runs, and the caller ends it. */
tessera_status_t tsr_net_mpi_window_start(MPI_Comm units, void *heap, size_t bytes);

/* Called before tsr_net->finish if only some of the ranks call that: the communicators stay with MPI, so that late
 * messages of the other ranks match no receive. There is no window. */
void tsr_net_mpi_leave_comms(void);

/* Checks an MPI return code: logs the MPI's own text with the name of the call. True when it is an error. */
bool tsr_net_mpi_failed(int code, const char *call);

/* At the start of a job on several nodes: decides whether MPI_Finalize is replaced, the same on all processes, and logs the
 * decision at level info if `logs`. It is replaced where it may hang (net/mpi/faults.h) on one of them, if the job has all
 * processes and was started by MPICH's mpiexec. Jobs on a part of the processes do not change an earlier decision, since
 * the other processes would not learn of it. Collective over `job`, the job's processes. */
void tsr_net_mpi_choose_finalize(MPI_Comm job, bool has_all, bool logs);

/* Whether Tessera started MPI, and so finalises it. A program that calls MPI_Init afterwards takes this over. */
extern _Atomic bool tsr_net_mpi_is_ours;

/* Whether the program has started MPI with MPI_THREAD_MULTIPLE. Tessera requests that level for itself, too. */
bool tsr_net_mpi_program_has_threads(void);

/* Whether this process can leave the launcher without MPI_Finalize: MPICH's mpiexec started it. */
bool tsr_net_mpi_can_leave(void);
/* Tells the launcher that this process ends in order, after all ranks have called; the process makes no MPI call any more.
 * False: the launcher cannot be told; call MPI_Finalize. */
bool tsr_net_mpi_leave(void);
/* For a thread that may be inside a call of MPI, as in the handler of a signal, where MPICH's MPI_Abort fails and its code is lost:
 * tells the launcher to end the job with this code. False: not inside a poll of the transport, or another launcher; call
 * MPI_Abort. */
bool tsr_net_mpi_abort_inside(int code);

#endif
