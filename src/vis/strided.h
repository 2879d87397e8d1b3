/* Put and get of layouts between units. */
#ifndef TSR_VIS_STRIDED_H
#define TSR_VIS_STRIDED_H

#include <tessera.h>

#include "core/address.h"
#include "core/op.h"
#include "vis/layout.h"

/* Both layouts have the same number of bytes; their elements may differ. Offsets are relative to the address. The
 * caller has checked the range. Completion as in rma/rma.h. The layouts are consumed before return. */
tessera_status_t tsr_put_layout(tsr_addr dest, const tsr_layout *dest_layout, const void *src,
                                const tsr_layout *src_layout, tsr_op *op);
tessera_status_t tsr_get_layout(void *dest, const tsr_layout *dest_layout, tsr_addr src,
                                const tsr_layout *src_layout, tsr_op *op);

/* Adds the resources that the put or get needs to start without waiting. */
void tsr_layout_need(struct tsr_op_need *need, bool puts, tsr_addr remote_addr, const tsr_layout *theirs,
                     const tsr_layout *ours);

#endif
