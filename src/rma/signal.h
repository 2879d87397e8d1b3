/* Signals: change one word of a heap anywhere, and wake the unit whose heap it is. That unit waits for its own word
 * (tsr_wait), nobody polls another's: what hand-overs and notifications are made of.
 */
#ifndef TSR_RMA_SIGNAL_H
#define TSR_RMA_SIGNAL_H

#include <stdint.h>

#include "core/op.h"
#include "core/place.h"

enum tsr_signal { TSR_SIGNAL_STORE, TSR_SIGNAL_ADD };

/* Stores or adds `value`, atomically, to the aligned 64-bit word. Any unit, any thread, not from a handler. Whoever
 * sees the new value also sees what this thread stored before, and what it knows to be remotely complete. On this node
 * it is complete on return; elsewhere it is one request, counted in `op`. TESSERA_ERR_MEMORY: logged, nothing was done.
 */
tessera_status_t tsr_signal(tsr_addr word, enum tsr_signal how, uint64_t value, tsr_op *op);

#endif
