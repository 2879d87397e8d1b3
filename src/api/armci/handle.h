/* What non-blocking handles stand for: operations under way, and operations collected. */
#ifndef TSR_API_ARMCI_HANDLE_H
#define TSR_API_ARMCI_HANDLE_H

#include "core/op.h"
#include "api/armci/armci_api.h"
#include "vis/batch.h"

void tsr_armci_handles_start(void);
/* Drops the remaining records. None of their operations is under way. */
void tsr_armci_handles_stop(void);

/* The op that counts the operations of a handle on a unit. This call counts as one operation until tsr_op_end: if another thread
 * waits for all operations, that wait ends the records that have none under way. NULL: no memory, logged.
 *
 * `is_unordered`: the operation is a put or an accumulate of several requests, so a later call could overtake it. A process sees
 * its own operations on a target in order, so waits for this one end when it is complete at the target. */
tsr_op *tsr_armci_handle_begin(armci_hdl_t *handle, tsr_unit unit, bool is_unordered);
/* After the start of such an operation, with or without a handle. */
void tsr_armci_note_unordered(void);

/* What a batch has collected is sent as single requests, which stay in order with all that is no transfer through a window. */
static inline bool tsr_armci_batch_is_unordered(const tsr_batch *batch) { return batch->has_separate || tsr_net->has_window; }

static inline bool tsr_armci_is_aggregate(const armci_hdl_t *handle) { return handle->aggregate & 1; }

/* An aggregate handle whose operations were all on one process of the own node has no operation under way, and needs no record. It
 * holds the process itself: `target` is -1 - process. The bits of `aggregate` above the lowest one hold tsr_armci_waits_n as it was
 * then: the number of waits for more than one handle. Each such wait ends the use of the handle. */
extern _Atomic uint32_t tsr_armci_waits_n;

static inline armci_hdl_t tsr_armci_handle_local(int proc) {
  uint32_t waits_n = atomic_load_explicit(&tsr_armci_waits_n, memory_order_relaxed);
  return (armci_hdl_t){.target = -1 - proc, .aggregate = (int)(waits_n << 1 | 1)};
}

/* For an operation on a process of the own node. The handle may be NULL, plain or aggregate; an aggregate handle is in use for that
 * process afterwards. False: the operation needs tsr_armci_batch_borrow. */
bool tsr_armci_handle_use(armci_hdl_t *handle, int proc);
static inline bool tsr_armci_handle_use_local(armci_hdl_t *handle, int proc) {
  if (!handle || !tsr_armci_is_aggregate(handle)) return true;
  armci_hdl_t local = tsr_armci_handle_local(proc);
  bool same = handle->target == local.target && handle->aggregate == local.aggregate;
  return __builtin_expect(same, 1) || tsr_armci_handle_use(handle, proc);
}

/* Whether an aggregate handle collects for another unit than this one. */
bool tsr_armci_handle_is_elsewhere(const armci_hdl_t *handle, tsr_unit unit);

/* The batch of an aggregate handle, for operations on `unit`. Until it is returned, other threads that want it wait. NULL,
 * and the code to return in *code, logged: the handle is in use for another unit, or no memory. */
tsr_batch *tsr_armci_batch_borrow(const char *call, armci_hdl_t *handle, tsr_unit unit, int *code);
/* The same without a change of the handle: NULL unless it already collects for that unit and for no other one. */
tsr_batch *tsr_armci_batch_borrow_again(const armci_hdl_t *handle, tsr_unit unit);
void tsr_armci_batch_return(tsr_batch *batch);

/* Sends the operations that all aggregate handles have collected for a process; negative: for all processes. A flush then covers
 * these operations. */
void tsr_armci_batches_flush(int proc);

#endif
