/* Delay injection, for tests: arriving requests, bulk, replies, acknowledgements and tagged messages take effect later,
 * in the order in which they arrived. Pieces that go through a window are not delayed: MPI itself puts them into their
 * place. Under the lock. */
#ifndef TSR_NET_COMMON_DELAY_H
#define TSR_NET_COMMON_DELAY_H

#include "base/config.h"
#include "net/net.h"

static inline bool tsr_wire_delay_wanted(void) { return __builtin_expect(tsr_config.wire_delay_us > 0, 0); }

/* Calls `done` with LOCAL when the delay is over, from tsr_wire_delay_poll, which returns the number of calls. */
void tsr_wire_delay(tsr_net_done_fn done, void *arg, size_t bytes);
int tsr_wire_delay_poll(void);

/* Whether anything is delayed. Without the lock. */
bool tsr_wire_delay_holds(void);

void tsr_wire_delay_stop(void); /* drops everything without calling `done` */

#endif
