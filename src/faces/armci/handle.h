/* What non-blocking handles stand for: operations under way, and operations collected. */
#ifndef TSR_FACES_ARMCI_HANDLE_H
#define TSR_FACES_ARMCI_HANDLE_H

#include "core/op.h"
#include "faces/armci/armci_face.h"
#include "vis/batch.h"

void tsr_armci_handles_start(void);
/* What is left is dropped: nothing of it is under way. */
void tsr_armci_handles_stop(void);

/* The op that counts the operations of a handle on a unit. NULL: no memory, logged. */
tsr_op *tsr_armci_handle_op(armci_hdl_t *handle, tsr_unit unit);

bool tsr_armci_is_aggregate(const armci_hdl_t *handle);

/* The batch of an aggregate handle, for operations on `unit`; given back when one has been added. NULL, and the code to return
 * in *code, logged: the handle is in use for another unit, or no memory. */
tsr_batch *tsr_armci_batch_borrow(const char *call, armci_hdl_t *handle, tsr_unit unit, int *code);
void tsr_armci_batch_return(void);

/* Sends what all aggregate handles have collected for a process, or, when it is negative, for all; then flushes cover it. */
void tsr_armci_batches_flush(int proc);

#endif
