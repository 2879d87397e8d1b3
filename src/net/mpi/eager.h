/* Over TCP an MPI's agreement with the receiver about a long message costs more than the copy that it saves, up to some 100 KiB or
 * 1 MiB (docs/between-nodes.md has figures), and it needs the receiver's attention twice. The MPIs begin with it at 16 or 64 KiB.
 * Where Tessera sees MPI start, and the host has no active device for verbs, it raises that limit, by the environment variable
 * that the MPI reads while it starts. */
#ifndef TSR_NET_MPI_EAGER_H
#define TSR_NET_MPI_EAGER_H

#include <stddef.h>

/* Right before and after MPI starts. The second call restores the environment. One thread. */
void tsr_mpi_eager_raise(void);
void tsr_mpi_eager_restore(void);

/* The longest message that this process's MPI sends at once; 0: not known. */
size_t tsr_mpi_eager_bytes(void);

#endif
