/* Put and get of runs: lists of bytes between units. */
#ifndef TSR_VIS_VECTOR_H
#define TSR_VIS_VECTOR_H

#include <tessera.h>

#include "core/address.h"
#include "core/op.h"
#include "vis/runs.h"

/* Both lists have the same number of bytes; offsets are relative to the address. The caller has checked the range.
 * Completion as in rma/rma.h. The lists are consumed before return. TESSERA_ERR_MEMORY: parts may be under way. */
tessera_status_t tsr_put_runs(tsr_addr dest, const tsr_runs *dest_runs, const void *src, const tsr_runs *src_runs,
                              tsr_op *op);
tessera_status_t tsr_get_runs(void *dest, const tsr_runs *dest_runs, tsr_addr src, const tsr_runs *src_runs,
                              tsr_op *op);

/* Add what each of them needs to start without waiting. */
void tsr_put_runs_need(struct tsr_op_need *need, tsr_addr dest, const tsr_runs *dest_runs, const tsr_runs *src_runs);
void tsr_get_runs_need(struct tsr_op_need *need, const tsr_runs *dest_runs, tsr_addr src, const tsr_runs *src_runs);

#endif
