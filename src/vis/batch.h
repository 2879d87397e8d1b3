/* Batches: many short operations on one unit that travel together.
 *
 * What lies on the own node is done at once. Between nodes short puts, gets and accumulates are collected and sent as one
 * request, whatever their shapes: when TESSERA_EAGER_LIMIT bytes have come together, when one of another kind follows (a get
 * after puts, an accumulate of doubles after those of integers), and when the owner says so. Operations of more than half that
 * much, and those on memory outside the heaps, are started by themselves, at once.
 *
 * Order: the collected operations of a batch take effect at their target in the order of the calls: a get sees the puts
 * before it, and of two puts to one place the second remains. Those that are started by themselves, and all other
 * operations, are ordered by completion only.
 *
 * Any number of batches, also to the same unit; each is used by one thread at a time, none from a handler. The caller has
 * checked the ranges; layouts and runs are consumed before return. Until the next tsr_batch_wait the destinations of gets,
 * and the sources of operations started by themselves, stay as they are; other sources may be reused at once.
 *
 * Each operation may return TESSERA_ERR_MEMORY: of what has been collected some may not be sent; wait all the same.
 */
#ifndef TSR_VIS_BATCH_H
#define TSR_VIS_BATCH_H

#include <stddef.h>

#include <tessera.h>

#include "base/arith.h"
#include "core/address.h"
#include "core/op.h"
#include "core/place.h"
#include "rma/rma.h"
#include "vis/layout.h"
#include "vis/iov.h"

enum { TSR_BATCH_PUTS, TSR_BATCH_GETS, TSR_BATCH_SUMS /* + their tsr_type */ };

/* All private. The caller's memory, which must stay where it is from the first operation until a wait. */
typedef struct tsr_batch {
  tsr_unit unit;
  int kind;             /* of what is collected */
  tsr_handle handle;    /* counts what has been sent since the last wait; 0: nothing */
  tsr_op *op;           /* the handle's */
  char *block;          /* NULL: nothing has been collected since the last wait */
  size_t iov_n, bytes; /* at the target, of all that is collected */
  size_t places_n;      /* here, for gets */
} tsr_batch;

/* Makes an empty batch for operations on `unit`. Costs nothing, and nothing is left behind when it is not used. */
static inline void tsr_batch_open(tsr_batch *batch, tsr_unit unit) {
  *batch = (tsr_batch){.unit = unit};
}

tessera_status_t tsr_batch_put_remote(tsr_batch *batch, tsr_addr dest, const void *src, size_t bytes);
tessera_status_t tsr_batch_get_remote(tsr_batch *batch, void *dest, tsr_addr src, size_t bytes);

/* Add an operation; the address is one of the batch's unit. What is moved is as in rma/rma.h, vis/strided.h, vis/vector.h, what
 * is added as in vis/accumulate.h. */
static inline tessera_status_t tsr_batch_put(tsr_batch *batch, tsr_addr dest, const void *src, size_t bytes) {
  void *remote_addr = tsr_place_pointer(dest);
  if (__builtin_expect(!remote_addr, 0)) return tsr_batch_put_remote(batch, dest, src, bytes);
  tsr_copy(remote_addr, src, bytes);
  return TESSERA_OK;
}
static inline tessera_status_t tsr_batch_get(tsr_batch *batch, void *dest, tsr_addr src, size_t bytes) {
  const void *remote_addr = tsr_place_pointer(src);
  if (__builtin_expect(!remote_addr, 0)) return tsr_batch_get_remote(batch, dest, src, bytes);
  tsr_copy(dest, remote_addr, bytes);
  return TESSERA_OK;
}
tessera_status_t tsr_batch_put_layout(tsr_batch *batch, tsr_addr dest, const tsr_layout *dest_layout, const void *src,
                                      const tsr_layout *src_layout);
tessera_status_t tsr_batch_get_layout(tsr_batch *batch, void *dest, const tsr_layout *dest_layout, tsr_addr src,
                                      const tsr_layout *src_layout);
tessera_status_t tsr_batch_put_iov(tsr_batch *batch, tsr_addr dest, const tsr_iov *dest_iov, const void *src,
                                    const tsr_iov *src_iov);
tessera_status_t tsr_batch_get_iov(tsr_batch *batch, void *dest, const tsr_iov *dest_iov, tsr_addr src,
                                    const tsr_iov *src_iov);
tessera_status_t tsr_batch_acc_layout(tsr_batch *batch, tsr_addr dest, const tsr_layout *dest_layout, const void *src,
                                      const tsr_layout *src_layout, tsr_type type, const void *scale);
tessera_status_t tsr_batch_acc_iov(tsr_batch *batch, tsr_addr dest, const tsr_iov *dest_iov, const void *src,
                                    const tsr_iov *src_iov, tsr_type type, const void *scale);

/* Sends what is collected, without waiting for it. From then on tsr_op_flush of the unit and its like cover it; they know
 * nothing of what is not sent. */
tessera_status_t tsr_batch_flush(tsr_batch *batch);

/* Whether nothing is collected and all that was sent is locally complete: then a wait returns at once. */
static inline bool tsr_batch_done(const tsr_batch *batch) {
  return !batch->iov_n && (!batch->handle || tsr_op_local_done(batch->op));
}

/* Sends what is collected and waits until all operations are locally complete: the data of gets is here, all buffers may be
 * reused. Puts are at the target after tsr_op_flush. The batch is empty again, as after tsr_batch_open, also when an error
 * is returned: used for more, or forgotten. Harmless on an empty one. */
tessera_status_t tsr_batch_wait(tsr_batch *batch);

#endif
