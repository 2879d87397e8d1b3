/* Whether puts and gets need the target: tried at the start, on a peer that makes no progress. */
#ifndef TSR_NET_UCX_PROBE_H
#define TSR_NET_UCX_PROBE_H

#include "net/ucx/ucx.h"

/* All heaps are registered. Collective over all ranks, none of which has another thread in the transport. True: the put and the get
 * of this rank, if it made any, completed while its peer made no progress. */
bool tsr_ucx_probe(const struct tsr_net_heap *heap);

#endif
