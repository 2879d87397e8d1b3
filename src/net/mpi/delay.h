/* Delay injection, for tests: what arrives is put aside and takes effect later, in the order in which it arrived: requests,
 * bulk, replies, acknowledgements, tagged messages; not pieces that go by a window, which MPI itself has put into their place.
 * Under the lock. */
#ifndef TSR_NET_MPI_DELAY_H
#define TSR_NET_MPI_DELAY_H

#include "base/config.h"
#include "net/net.h"

static inline bool tsr_mpi_delay_wanted(void) { return __builtin_expect(tsr_config.wire_delay_us > 0, 0); }

/* Calls `done` with LOCAL when its time has come, from tsr_mpi_delay_poll, which returns how many it called. */
void tsr_mpi_delay(tsr_net_done_fn done, void *arg, size_t bytes);
int tsr_mpi_delay_poll(void);

/* Something is put aside. Without the lock. */
bool tsr_mpi_delay_holds(void);

void tsr_mpi_delay_stop(void); /* forgets all without telling */

#endif
