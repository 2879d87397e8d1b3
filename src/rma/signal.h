/* Signals: change one word of any heap and wake the unit that owns the heap. The owner waits for the word with tsr_wait; no
 * unit polls another unit's memory. Locks and notifications use signals.
 */
#ifndef TSR_RMA_SIGNAL_H
#define TSR_RMA_SIGNAL_H

#include <stdint.h>

#include "core/op.h"
#include "core/place.h"

enum tsr_signal { TSR_SIGNAL_STORE, TSR_SIGNAL_ADD };

/* Stores or adds `value`, atomically, to the aligned 64-bit word. Any unit, any thread, not from a handler. A thread that
 * sees the new value with acquire also sees what this thread stored before, and what this thread knows to be remotely
 * complete. On this node the signal is complete on return; otherwise it is one request, counted in `op`.
 * TESSERA_ERR_MEMORY: logged, nothing was done. */
tessera_status_t tsr_signal(tsr_addr word, enum tsr_signal how, uint64_t value, tsr_op *op);
/* The same for a unit of this node, also from a handler. */
void tsr_signal_local(uint32_t local, uint64_t off, enum tsr_signal how, uint64_t value);

#endif
