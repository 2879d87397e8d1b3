/* Accumulates of layouts and runs: destination += scale * source, element by element. */
#ifndef TSR_VIS_ACCUMULATE_H
#define TSR_VIS_ACCUMULATE_H

#include <tessera.h>

#include "base/arith.h"
#include "core/address.h"
#include "core/op.h"
#include "vis/layout.h"
#include "vis/iov.h"

/* Each element is updated atomically, not all together, with accumulates and the operations of rma/atomic.h of the same
 * type; the order is open. `type` is any that TSR_SUM is defined for, which all are; complex scales multiply as complex
 * numbers, integers wrap around. `scale` points to one element of the type, of any alignment; NULL: 1.
 *
 * Both descriptions have the same number of bytes; what is contiguous in either is whole elements of the type, so every
 * elem_bytes, and the bytes of every run, are a multiple of its size. Both may lie at any address. Elements of the destination may repeat, each addition counts, and
 * so may those of the source; the two do not overlap. Offsets are relative to the address; the caller has checked the range.
 *
 * What the caller's node can reach is done at once and leaves `op` alone; the rest is started and counted in `op`. At
 * local completion the source may be reused, at remote completion the sums are at the target. Scale, layouts and runs are
 * consumed before return. TESSERA_ERR_MEMORY: parts may be under way. */
tessera_status_t tsr_acc_layout(tsr_addr dest, const tsr_layout *dest_layout, const void *src, const tsr_layout *src_layout,
                                tsr_type type, const void *scale, tsr_op *op);
tessera_status_t tsr_acc_iov(tsr_addr dest, const tsr_iov *dest_iov, const void *src, const tsr_iov *src_iov,
                              tsr_type type, const void *scale, tsr_op *op);

/* The same for one run of bytes on the own node, done on return. */
void tsr_acc_local(void *dest, const void *src, size_t bytes, tsr_type type, const void *scale);

#endif
