/* Accumulates of layouts and iovecs: destination += scale * source, or destination ^= source, element by element. */
#ifndef TSR_VIS_ACCUMULATE_H
#define TSR_VIS_ACCUMULATE_H

#include <tessera.h>

#include "base/arith.h"
#include "core/address.h"
#include "core/op.h"
#include "vis/layout.h"
#include "vis/iov.h"

/* Each element is updated atomically with respect to accumulates and to the operations of rma/atomic.h of the same
 * type. The elements are updated one by one, in no particular order. `arith` is TSR_SUM with any type, or TSR_BXOR
 * with an integer type and no scale. Complex scales multiply as complex numbers, integers wrap around. `scale` points to one
 * element of the type, of any alignment; NULL: 1.
 *
 * Both descriptions have the same number of bytes. Elements of the type are contiguous on both sides: every elem_bytes,
 * and the bytes of every entry, are a multiple of the size of the type. Both sides may lie at any address. Elements of the
 * destination may repeat, and each addition counts; elements of the source may repeat, too; the two sides do not
 * overlap. Offsets are relative to the address. The caller has checked the range.
 *
 * If this process can access the destination, the sums are complete on return, and `op` is not used. Otherwise the transfers
 * are counted in `op`: at local completion the source may be reused, at remote completion the sums are at the target. Scale,
 * layouts and iovecs are consumed before return. TESSERA_ERR_MEMORY: part of the transfer may have started. */
tessera_status_t tsr_acc_layout(tsr_addr dest, const tsr_layout *dest_layout, const void *src, const tsr_layout *src_layout,
                                tsr_type type, tsr_arith arith, const void *scale, tsr_op *op);
tessera_status_t tsr_acc_iov(tsr_addr dest, const tsr_iov *dest_iov, const void *src, const tsr_iov *src_iov,
                              tsr_type type, tsr_arith arith, const void *scale, tsr_op *op);

/* Sums for contiguous memory of the caller's node; complete on return. */
void tsr_acc_local(void *dest, const void *src, size_t bytes, tsr_type type, const void *scale);

#endif
