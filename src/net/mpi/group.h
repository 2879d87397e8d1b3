/* Groups of ranks, and MPI's own collectives among them. */
#ifndef TSR_NET_MPI_GROUP_H
#define TSR_NET_MPI_GROUP_H

#include "net/mpi/wire.h"

/* Waits inside MPI, so not under the lock: another rank that makes two groups at once would wait with this one for ever, each
 * for the other's lock. Where two threads can be here at once, MPI allows them. */
tessera_status_t tsr_mpi_group_create(int tag, const int ranks[], int n, struct tsr_net_group **group);
/* Under the lock. */
void tsr_mpi_group_free(struct tsr_net_group *group);
bool tsr_mpi_group_combines(tsr_type type, tsr_arith op);
void tsr_mpi_group_start(struct tsr_net_group *group, const struct tsr_net_collective *what);

#endif
