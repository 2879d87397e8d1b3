/* A send in two calls of which neither waits: for steps of works. */
#ifndef TSR_P2P_ATTEMPT_H
#define TSR_P2P_ATTEMPT_H

#include <stdbool.h>

#include "p2p/envelope.h"
#include "p2p/p2p.h"

typedef struct tsr_attempt {
  tsr_outgoing out; /* done: when the data has been taken */
  struct tsr_envelope envelope; /* between the two calls its mark may be set */
} tsr_attempt;

/* To another unit. Everything else as tsr_p2p_send_start. */
tessera_status_t tsr_attempt_prepare(tsr_attempt *attempt, tsr_unit to, enum tsr_p2p_context context, int32_t tag,
                                     const void *data, size_t bytes);

/* False: no room now. The next progress may find some; who sleeps meanwhile is called. */
bool tsr_attempt_send(tsr_attempt *attempt);

#endif
