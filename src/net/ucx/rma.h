/* Puts and gets by UCX's one-sided operations, where hardware performs them without the target: see net/ucx/probe. Under the
 * transport's lock. */
#ifndef TSR_NET_UCX_RMA_H
#define TSR_NET_UCX_RMA_H

#include "net/common/wire.h"
#include "net/ucx/ucx.h"

/* Registers the own heap, without making its pages present. `heap->address` NULL: this process has none. False: it cannot be
 * registered so; `*why` says why. Later, after all ranks have registered, puts and gets may start. */
bool tsr_ucx_rma_register(const struct tsr_net_heap *heap, const char **why);

tessera_status_t tsr_ucx_rma_put(const struct tsr_net_piece *piece);
tessera_status_t tsr_ucx_rma_get(const struct tsr_net_piece *piece);

/* Hands over what has completed, and flushes. After tsr_ucx_poll. Returns the number of events. */
int tsr_ucx_rma_poll(void);
bool tsr_ucx_rma_has_work(void); /* whether the next poll has something to do; no descriptor reports that */

/* Pieces whose last event has not come. Any thread, without the lock. */
int tsr_ucx_rma_busy(void);
bool tsr_ucx_rma_awaits(int rank); /* whether a key from it, or a flush of puts to it, is outstanding */

void tsr_ucx_rma_stop(void); /* before the worker's end; also when nothing is registered */

#endif
