/* Blocking messages between units, below the collectives: for set-up, the creation of teams, statistics, and leaders of
 * collectives.
 *
 * A control message is small and goes to any unit: to units of the node as a record in their inbound ring, to others as a request.
 * It keeps its order per sender, receiver and tag. Blocks pass between units of different nodes only, and have any
 * size.
 */
#ifndef TSR_CORE_MESSAGE_H
#define TSR_CORE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "core/unit.h"

enum { TSR_CTRL_BYTES = 48 };

/* Tags of the transport: one per team for its collectives; tags above those are for long messages of p2p. */
enum { TSR_TAG_TEAM = 0 /* + team id, < 32768 */, TSR_TAG_P2P = 32768 /* and above */ };

/* `bytes` <= TSR_CTRL_BYTES. `send` returns when the buffer may be reused, `receive` when the data has arrived. `tag`
 * is any number known to both sides. Messages of one sender and tag are received in the order sent. */
void tsr_ctrl_send(tsr_unit to, uint64_t tag, const void *data, size_t bytes);
void tsr_ctrl_receive(tsr_unit from, uint64_t tag, void *data, size_t bytes);

/* Blocks that are sent to and received from units on other nodes at the same time: any number between begin and end,
 * which waits for all. Both sides know the sizes; a block of 0 bytes is a message, too. Blocks between two units with
 * one tag match in the order in which they were started. */
typedef struct tsr_exchange {
  _Atomic int pending_n;
  int tag;
  /* for the watchdog */
  int32_t who;         /* a unit that sends, or, if `receives` is false, receives */
  bool receives, many; /* something; from several units, or to several */
} tsr_exchange;

void tsr_exchange_begin(tsr_exchange *exchange, int tag);
void tsr_exchange_send(tsr_exchange *exchange, tsr_unit to, const void *data, size_t bytes);
void tsr_exchange_receive(tsr_exchange *exchange, tsr_unit from, void *data, size_t bytes);
void tsr_exchange_end(tsr_exchange *exchange);

void tsr_message_start(void);
void tsr_message_stop(void); /* drops control messages that were not received */

#endif
