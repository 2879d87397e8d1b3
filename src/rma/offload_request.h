/* The agent's side of rma/offload.h: transfers for units of its node. */
#ifndef TSR_RMA_OFFLOAD_REQUEST_H
#define TSR_RMA_OFFLOAD_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "node/ring.h"

/* The record in the agent's ring. */
struct tsr_offload_request {
  uint64_t off;    /* in the remote unit's heap */
  uint64_t buffer; /* of the origin: distance from the node's first heap, or an address in the origin's private memory */
  uint64_t bytes;
  uint64_t op;     /* of the origin; returned in the completion */
  int32_t unit;    /* remote */
  uint32_t origin : 30, is_put : 1, is_private : 1;
};

/* For the agent's thread only. Takes a request from the ring. If the memory of the request follows that of the last transfer,
 * and no part of that transfer has started, the request joins the transfer, up to a limit of bytes and requests. */
void tsr_offload_request_take(const struct tsr_ring_record *record);

/* Whether parts of a request are still to be started. */
bool tsr_offload_request_any(void);

/* Advances all requests; returns how much was done. */
int tsr_offload_request_work(void);

#endif
