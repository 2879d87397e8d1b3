/* Blocking messages between units, below the collectives: what set-up, agreements and leaders exchange.
 *
 * Mail is small and goes anywhere: to units of the node as a record in their inbound ring, to others as a request; in order per
 * sender, receiver and tag. Blocks pass between units of different nodes only, of any size.
 */
#ifndef TSR_CORE_MESSAGE_H
#define TSR_CORE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "core/unit.h"

enum { TSR_MAIL_BYTES = 48 };

/* Tags of the transport: one per team for its collectives, and above those the long messages of p2p. */
enum { TSR_TAG_TEAM = 0 /* + team id, < 32768 */, TSR_TAG_P2P = 32768 /* and above */ };

/* `bytes` <= TSR_MAIL_BYTES. send returns when the buffer may be reused; receive with the data. `tag` is any number
 * that both sides know. Receives of the same sender and tag come in the order sent. */
void tsr_mail_send(tsr_unit to, uint64_t tag, const void *data, size_t bytes);
void tsr_mail_receive(tsr_unit from, uint64_t tag, void *data, size_t bytes);

/* Blocks that are sent and received side by side, with units on other nodes: any number between begin and end, which waits
 * for all. Sizes are known on both sides; a block of 0 bytes is a message, too. Blocks between two units with one tag meet
 * in the order in which they were started. */
typedef struct tsr_exchange {
  _Atomic int pending_n;
  int tag;
  int32_t who; /* for the watchdog: one of them */
} tsr_exchange;

void tsr_exchange_begin(tsr_exchange *exchange, int tag);
void tsr_exchange_send(tsr_exchange *exchange, tsr_unit to, const void *data, size_t bytes);
void tsr_exchange_receive(tsr_exchange *exchange, tsr_unit from, void *data, size_t bytes);
void tsr_exchange_end(tsr_exchange *exchange);

void tsr_message_start(void);
void tsr_message_stop(void); /* drops mail that nobody received */

#endif
