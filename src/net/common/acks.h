/* Acknowledgements, and short replies, which travel with them. An endpoint collects those of one poll and sends each origin all of
 * them in one message, so that a stream of puts or short gets takes little more than one message for each. Acknowledgements that no
 * thread waits for are delayed: usually a request to that origin carries them. Under the lock. */
#ifndef TSR_NET_COMMON_ACKS_H
#define TSR_NET_COMMON_ACKS_H

#include "net/common/wire.h"

void tsr_wire_acks_stop(void); /* after the wire's stop_traffic and tsr_wire_delay_stop */

/* The endpoint: the request with this slot of this origin has taken effect; its reply has `bytes` <= TSR_WIRE_SHORT_REPLY, and
 * is copied. */
void tsr_wire_ack(int rank, uint16_t slot, bool delayed, const void *reply, size_t bytes);
/* Sends what was collected. Delayed acknowledgements wait for a request that carries them: with _BUSY for many such calls; with
 * _IDLE, if nothing else was to do, for a short time after the first such call; with _ALL not at all. A message of their own would
 * take longer to send than data that is under way takes to arrive. */
enum tsr_wire_acks_when { TSR_WIRE_ACKS_BUSY, TSR_WIRE_ACKS_IDLE, TSR_WIRE_ACKS_ALL };
void tsr_wire_acks_send(enum tsr_wire_acks_when when);

/* What was collected for this origin, if a request to it can carry it: writes up to TSR_WIRE_PIGGYBACKED_MOST bytes, returns
 * their number. */
size_t tsr_wire_acks_piggyback(int rank, void *acks);
/* Processes the acknowledgements that a request has carried at its end. */
void tsr_wire_acks_take_piggybacked(int rank, const void *acks, size_t bytes);

#endif
