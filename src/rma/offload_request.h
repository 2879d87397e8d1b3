/* Requests: transfers that an agent makes for units of its node. Its side of offload.h. */
#ifndef TSR_RMA_OFFLOAD_REQUEST_H
#define TSR_RMA_OFFLOAD_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "node/ring.h"

/* As it lies in the agent's ring. */
struct tsr_offload_request {
  uint64_t off;    /* in the remote unit's heap */
  uint64_t buffer; /* of the origin: distance from the node's first heap, or where it lies in the origin's memory */
  uint64_t bytes;
  uint64_t op;     /* what the origin is told at the end */
  int32_t unit;    /* remote */
  uint32_t origin : 30, is_put : 1, is_private : 1;
};

/* All for the agent's thread. Takes one from the ring; copies what it keeps. One that goes on where the last one ends, of which
 * nothing has been started, becomes part of that. */
void tsr_offload_request_take(const struct tsr_ring_record *record);

bool tsr_offload_request_any(void);

/* Goes on with all of them; returns how much was done. */
int tsr_offload_request_work(void);

#endif
