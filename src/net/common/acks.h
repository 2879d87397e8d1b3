/* Acknowledgements: replies without data. An endpoint collects those of one poll and sends each origin all of its
 * acknowledgements in one message, so that a stream of puts takes little more than one message for each.
 * Acknowledgements that no thread waits for are delayed: usually a request to that origin carries them. Under the
 * lock. */
#ifndef TSR_NET_COMMON_ACKS_H
#define TSR_NET_COMMON_ACKS_H

#include "net/common/wire.h"

void tsr_wire_acks_stop(void); /* after the wire's stop_traffic and tsr_wire_delay_stop */

/* The endpoint: the request with this slot of this origin has taken effect. */
void tsr_wire_ack(int rank, uint16_t slot, bool delayed);
void tsr_wire_acks_send(bool all); /* sends what was collected; unless `all`, without the delayed ones */

/* Acknowledgements for this origin that a request to it carries: writes up to TSR_WIRE_PIGGYBACKED_MAX slots, returns the bytes. */
size_t tsr_wire_acks_piggyback(int rank, void *slots);
void tsr_wire_acks_take_piggybacked(int rank, const void *slots, size_t bytes); /* processes acknowledgements that a
                                                                                * request has carried */

#endif
