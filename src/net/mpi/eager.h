/* Over TCP an MPI's agreement with the receiver about a long message costs more than the copy that it saves (docs/mpi-notes.md has
 * figures), and it needs the receiver's attention twice. The MPIs begin with it at 16 or 64 KiB.
 * Where Tessera sees MPI start, and the host has no active device for verbs, it raises that limit, by the environment variable
 * that the MPI reads while it starts. */
#ifndef TSR_NET_MPI_EAGER_H
#define TSR_NET_MPI_EAGER_H

#include <stddef.h>

/* Right before and after MPI starts, with the configuration loaded. The second call restores the environment. */
void tsr_mpi_eager_raise(void);
void tsr_mpi_eager_restore(void);

/* What the MPI was told: the longest message that it sends at once; 0: nothing. */
size_t tsr_mpi_eager_bytes(void);

#endif
