/* The end of an interface that has two-sided messages. */
#ifndef TSR_COLL_END_H
#define TSR_COLL_END_H

#include <tessera.h>

#include "base/status.h"
#include "p2p/p2p.h"

/* Completes the collectives, operations and messages that this unit has started, and ends all communication of the context:
 * receives without a message end with source -1, messages without a receive are lost, with one warning. Collective over the job.
 * TESSERA_OK: no unit uses objects of the interface any more. Otherwise another unit makes a wrong call instead, and the interface
 * stays up. */
tessera_status_t tsr_end_communication(enum tsr_p2p_context context) TSR_MUST_USE;

#endif
