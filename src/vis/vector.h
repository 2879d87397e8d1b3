/* Put and get of iovecs between units. */
#ifndef TSR_VIS_VECTOR_H
#define TSR_VIS_VECTOR_H

#include <tessera.h>

#include "core/address.h"
#include "core/op.h"
#include "vis/iov.h"

/* Both iovecs have the same number of bytes; offsets are relative to the address. The caller has checked the range.
 * Completion as in rma/rma.h. The iovecs are consumed before return. TESSERA_ERR_MEMORY: part of the transfer may have
 * started. */
tessera_status_t tsr_put_iov(tsr_addr dest, const tsr_iov *dest_iov, const void *src, const tsr_iov *src_iov,
                              tsr_op *op);
tessera_status_t tsr_get_iov(void *dest, const tsr_iov *dest_iov, tsr_addr src, const tsr_iov *src_iov,
                              tsr_op *op);

/* Add the resources that the put or get needs to start without waiting. */
void tsr_put_iov_need(struct tsr_op_need *need, tsr_addr dest, const tsr_iov *dest_iov, const tsr_iov *src_iov);
void tsr_get_iov_need(struct tsr_op_need *need, const tsr_iov *dest_iov, tsr_addr src, const tsr_iov *src_iov);

#endif
