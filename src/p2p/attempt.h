/* A send in two calls that never wait, for the steps of works. */
#ifndef TSR_P2P_ATTEMPT_H
#define TSR_P2P_ATTEMPT_H

#include <stdbool.h>

#include "p2p/envelope.h"
#include "p2p/p2p.h"

typedef struct tsr_attempt {
  tsr_outgoing out;             /* done: the data may be reused */
  struct tsr_envelope envelope; /* the caller may set its mark between the two calls */
} tsr_attempt;

/* To another unit, not to itself. Everything else as tsr_p2p_send_start. */
tessera_status_t tsr_attempt_prepare(tsr_attempt *attempt, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                     const void *data, size_t bytes);

/* False: no room now; the caller retries at the next progress. A ring that gets room wakes a sleeping caller. */
bool tsr_attempt_send(tsr_attempt *attempt);

#endif
