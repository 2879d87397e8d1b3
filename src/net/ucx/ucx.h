/* The wire over UCX: requests and acknowledgements are active messages, all other messages are tagged messages, and there is a
 * descriptor to sleep on. MPI starts the processes and exchanges their addresses. */
#ifndef TSR_NET_UCX_UCX_H
#define TSR_NET_UCX_UCX_H

#include <mpi.h>

#include "net/net.h"

struct tsr_ucx_options {
  bool rma;         /* puts and gets by hardware, if a probe finds that they need no target */
  bool is_optional; /* if this wire cannot start, another one takes over: no error. Equal on all ranks */
};
/* As tsr_net_mpi_start. TESSERA_ERR_UNSUPPORTED: UCX is missing or too old. */
tessera_status_t tsr_net_ucx_start(MPI_Comm comm, const struct tsr_net_node *node, struct tsr_ucx_options options);

/* The longest message that it sends without an agreement with its receiver; 0: not known, since the user has set another limit. */
size_t tsr_net_ucx_at_once_bytes(void);

/* Lets the transport put and get by UCX's one-sided operations, by TESSERA_UCX_RMA, if all ranks can and no transfer needs its
 * target. Collective over all ranks. TESSERA_ERR_UNSUPPORTED: TESSERA_UCX_RMA=on, and it is not so. */
tessera_status_t tsr_net_ucx_rma_start(const struct tsr_net_heap *heap);

/* As tsr_net_mpi_leave_comms: the other ranks do not end with this one. */
void tsr_net_ucx_leave(void);

/* For the formulas of net.h: bytes of the tables, without what UCX has itself. */
size_t tsr_net_ucx_tables_bytes(int ranks_n);
size_t tsr_net_ucx_node_bytes(int ranks_n, int processes_n);

#endif
