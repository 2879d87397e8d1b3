/* Puts and gets by MPI's own one-sided operations, on a window over the heaps: for fabrics whose MPI moves the data
 * without the target's help. Under the lock, but for the start. */
#ifndef TSR_NET_MPI_WINDOW_H
#define TSR_NET_MPI_WINDOW_H

#include "net/mpi/comms.h"

extern const struct tsr_wire tsr_mpi_window_wire; /* the wire over MPI with these in use */

tessera_status_t tsr_mpi_window_put(const struct tsr_net_piece *piece);
tessera_status_t tsr_mpi_window_get(const struct tsr_net_piece *piece);

/* Makes puts visible at their targets, and calls `done`. After tsr_mpi_pending_poll. Returns the number of calls. */
int tsr_mpi_window_poll(void);

/* Pieces whose last event has not come. Any thread, without the lock. */
int tsr_mpi_window_busy(void);

/* After tsr_mpi_pending_stop; collective when there is a window, else nothing happens. */
void tsr_mpi_window_stop(void);

#endif
