/* The addresses of all ranks' workers: one copy for each node, in memory that the processes of the node share. */
#ifndef TSR_NET_UCX_ADDRESSES_H
#define TSR_NET_UCX_ADDRESSES_H

#include <mpi.h>
#include <stddef.h>

#include "net/net.h"

/* Collective over `comm`, with the own address, or with the reason why there is none. The addresses can be read when all ranks
 * know that all have returned OK. TESSERA_ERR_MEMORY: they do not fit into the node's memory; TESSERA_ERR_PEER: another rank has no
 * address. */
tessera_status_t tsr_ucx_addresses_gather(MPI_Comm comm, const struct tsr_net_node *node, const void *own, size_t bytes,
                                          tessera_status_t status);

const void *tsr_ucx_address(int rank);

void tsr_ucx_addresses_free(void);

/* Bytes of the node's memory that the addresses take; before they are gathered, for addresses of a typical length. */
size_t tsr_ucx_addresses_bytes(int ranks_n, int processes_n);

#endif
