/* Put and get. The caller has checked team, segment and range: addresses are good. What the caller's node can reach is
 * copied at once and leaves `op` alone; the rest is started and counted in `op`. On the own node that is memory outside
 * the heaps where the kernel does not copy it for us: its unit does when it calls in.
 */
#ifndef TSR_RMA_RMA_H
#define TSR_RMA_RMA_H

#include <stddef.h>

#include "base/copy.h"
#include "core/op.h"
#include "core/place.h"
#include "rma/offload.h"

tessera_status_t tsr_put_remote(tsr_addr dest, const void *src, size_t bytes, tsr_op *op);
tessera_status_t tsr_get_remote(void *dest, tsr_addr src, size_t bytes, tsr_op *op);

/* Put: the source may be reused at local completion of `op`, the data is at the target at remote completion. */
static inline tessera_status_t tsr_put(tsr_addr dest, const void *src, size_t bytes, tsr_op *op) {
  void *remote_addr = tsr_place_pointer(dest);
  if (__builtin_expect(!remote_addr, 0)) return tsr_put_remote(dest, src, bytes, op);
  tsr_copy(remote_addr, src, bytes);
  return TESSERA_OK;
}
/* Get: the data is here at local completion, which is also remote completion. */
static inline tessera_status_t tsr_get(void *dest, tsr_addr src, size_t bytes, tsr_op *op) {
  const void *remote_addr = tsr_place_pointer(src);
  if (__builtin_expect(!remote_addr, 0)) return tsr_get_remote(dest, src, bytes, op);
  tsr_copy(dest, remote_addr, bytes);
  return TESSERA_OK;
}

/* The same for what the caller does not wait for at once: an agent may do it. */
static inline tessera_status_t tsr_put_nb(tsr_addr dest, const void *src, size_t bytes, tsr_op *op) {
  if (tsr_offload_wants(dest.unit, bytes)) return tsr_offload_put(dest, src, bytes, op);
  return tsr_put(dest, src, bytes, op);
}
static inline tessera_status_t tsr_get_nb(void *dest, tsr_addr src, size_t bytes, tsr_op *op) {
  if (tsr_offload_wants(src.unit, bytes)) return tsr_offload_get(dest, src, bytes, op);
  return tsr_get(dest, src, bytes, op);
}

/* Whether puts and gets there are complete on return: the memory is in reach, or the kernel copies. */
bool tsr_rma_is_at_once(tsr_addr remote_addr);
/* Adds what a put or get of so many bytes there needs to start without waiting; none of the _nb kind needs more. */
void tsr_rma_need(struct tsr_op_need *need, tsr_addr remote_addr, size_t bytes);

/* Locally and remotely complete on return. */
tessera_status_t tsr_put_wait(tsr_addr dest, const void *src, size_t bytes);
tessera_status_t tsr_get_wait(void *dest, tsr_addr src, size_t bytes);

#endif
