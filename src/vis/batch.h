/* Batches: short operations on one unit that are sent together.
 *
 * Operations within the node complete at once. Between nodes, short puts, gets and accumulates of any shape are
 * collected and sent as one request: when TESSERA_EAGER_LIMIT bytes are collected, when an operation of another kind
 * follows (a get after puts, an accumulate of doubles after one of integers), and when the owner flushes the batch.
 * Operations of more than half that limit, and operations on memory outside the heaps, are started separately, at once.
 *
 * Order: the collected operations of a batch take effect at the target in the order of the calls: a get sees the puts
 * before it, and of two puts to one place the second remains. Operations that are started separately, and all other
 * operations, are ordered by completion only.
 *
 * There may be any number of batches, also to one unit. One thread at a time uses a batch, and no handler does. The
 * caller has checked the ranges. Layouts and iovecs are consumed before return. Until the next tsr_batch_wait the
 * caller leaves the destinations of gets and the sources of separate operations alone; other sources may be reused at
 * once.
 *
 * Each operation may return TESSERA_ERR_MEMORY. Then some of the collected operations may not have been sent; the caller still
 * calls tsr_batch_wait.
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

/* All private. The object does not move from its first operation until a wait. */
typedef struct tsr_batch {
  tsr_unit unit;
  int kind;            /* of the collected operations */
  tsr_handle handle;   /* counts the requests since the last wait; 0: none */
  tsr_op *op;          /* the handle's */
  char *block;         /* NULL: nothing has been collected since the last wait */
  size_t iov_n, bytes; /* collected: entries and bytes at the target */
  size_t places_n;     /* gets: collected local places */
  bool has_separate;   /* an operation was too long to be collected, and was started separately, since the last wait */
} tsr_batch;

/* Makes an empty batch for operations on `unit`. It holds no resources until it is used. */
static inline void tsr_batch_open(tsr_batch *batch, tsr_unit unit) {
  *batch = (tsr_batch){.unit = unit};
}

tessera_status_t tsr_batch_put_remote(tsr_batch *batch, tsr_addr dest, const void *src, size_t bytes);
tessera_status_t tsr_batch_get_remote(tsr_batch *batch, void *dest, tsr_addr src, size_t bytes);

/* Add an operation on an address of the batch's unit. Arguments as in rma/rma.h, vis/strided.h, vis/vector.h and
 * vis/accumulate.h. */
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

/* Sends the collected operations without waiting for them. Flushes of the unit (tsr_op_flush) cover only operations
 * that are sent. */
tessera_status_t tsr_batch_flush(tsr_batch *batch);

/* Whether a wait would return at once: nothing is collected, and all requests are locally complete. */
static inline bool tsr_batch_done(const tsr_batch *batch) {
  return !batch->iov_n && (!batch->handle || tsr_op_local_done(batch->op));
}

/* Sends the collected operations and waits until all operations are locally complete: gets have their data, and all
 * buffers may be reused. Puts are at the target after tsr_op_flush. The batch is empty afterwards, also after an error,
 * and may be used again. A wait for an empty batch returns at once. */
tessera_status_t tsr_batch_wait(tsr_batch *batch);

#endif
