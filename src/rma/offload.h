/* Offload: a progress agent of the node (core/agent.h) makes long non-blocking transfers while the unit computes.
 *
 * The unit puts a request into the agent's ring, which wakes an idle agent. A busy agent takes all requests at its next
 * poll, and joins those whose memory is adjacent into one transfer. Requests are therefore batched while the agent is busy
 * and never delayed. The agent accesses heaps directly, and private memory through the kernel; if the kernel does not
 * permit that, the unit makes such transfers itself. At the end the agent puts a completion into the unit's ring, and the
 * unit completes the operation when it makes progress.
 */
#ifndef TSR_RMA_OFFLOAD_H
#define TSR_RMA_OFFLOAD_H

#include "core/op.h"
#include "core/place.h"

/* The least number of bytes of a transfer that is handed to the agent: to other nodes, and within the node. SIZE_MAX: never. On
 * several nodes local_bytes is not below remote_bytes. */
struct tsr_offload {
  size_t remote_bytes, local_bytes;
};
extern struct tsr_offload tsr_offload;

static inline bool tsr_offload_wants(tsr_unit unit, size_t bytes) {
  return bytes >= tsr_offload.local_bytes || (bytes >= tsr_offload.remote_bytes && !tsr_place_is_local(unit));
}

/* Hand the transfer to the agent, or make it like tsr_put and tsr_get if the agent cannot make it or that does not pay. A
 * transfer that is handed over is counted in `op`: at remote completion the data has arrived and the buffer may be reused. Not
 * from a handler. */
tessera_status_t tsr_offload_put(tsr_addr dest, const void *src, size_t bytes, tsr_op *op);
tessera_status_t tsr_offload_get(void *dest, tsr_addr src, size_t bytes, tsr_op *op);

/* Called when the agent has completed a request of this unit that was counted in `op`. Any thread of the unit's process. */
void tsr_offload_end(uint64_t op);

#endif
