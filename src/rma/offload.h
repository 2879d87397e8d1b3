/* Offload: long transfers that nobody waits for at once are handed to an agent of the node, which moves the data while
 * the unit computes.
 *
 * The unit leaves an request in the agent's ring. An agent that has nothing to do is woken by it; one that has finds, when it
 * looks next, all requests that have come meanwhile, and makes one transfer of those that go on where the one before them
 * ends. So consecutive ones are batched while others keep the agent busy, and none is ever held back. The agent reads or writes the unit's memory where it lies: heaps
 * directly, private memory through the kernel; where that is refused such transfers stay with the unit. At the end it
 * tells the unit through its ring, which counts the operation down when it next makes progress.
 */
#ifndef TSR_RMA_OFFLOAD_H
#define TSR_RMA_OFFLOAD_H

#include "core/op.h"
#include "core/place.h"

/* From how many bytes on a transfer is handed over: to other nodes, and within the own, which is no less. SIZE_MAX: never. */
struct tsr_offload {
  size_t remote_bytes, local_bytes;
};
extern struct tsr_offload tsr_offload;

static inline bool tsr_offload_wants(tsr_unit unit, size_t bytes) {
  return bytes >= tsr_offload.local_bytes || (bytes >= tsr_offload.remote_bytes && !tsr_place_is_local(unit));
}

/* By an agent, or like any other where that is not possible or no use. When it was handed over the operation is counted in
 * `op`; the buffer may be reused, and the data is there, at its remote completion. Never from a handler. */
tessera_status_t tsr_offload_put(tsr_addr dest, const void *src, size_t bytes, tsr_op *op);
tessera_status_t tsr_offload_get(void *dest, tsr_addr src, size_t bytes, tsr_op *op);

/* An agent has done what this unit ordered for this op. Any thread of the unit's process. */
void tsr_offload_end(uint64_t op);

#endif
