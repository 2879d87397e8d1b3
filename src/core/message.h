/* Blocking messages between units, below the collectives: what set-up, agreements and leaders exchange.
 *
 * Mail is small and goes anywhere: to units of the node through their inbound ring, else over the transport; in
 * order per sender, receiver and tag. Blocks pass between units of different nodes only, of any size.
 */
#ifndef TSR_CORE_MESSAGE_H
#define TSR_CORE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "core/unit.h"

enum { TSR_MAIL_BYTES = 48 };

/* Tags of the transport: one per team for its collectives, one for mail, and above those the long messages of p2p. */
enum { TSR_TAG_TEAM = 0 /* + team id, < 32768 */, TSR_TAG_MAIL = 32768, TSR_TAG_P2P /* and above */ };

/* `bytes` <= TSR_MAIL_BYTES. send returns when the buffer may be reused; receive with the data. `tag` is any number
 * that both sides know. Receives of the same sender and tag come in the order sent. */
void tsr_mail_send(tsr_unit to, uint64_t tag, const void *data, size_t bytes);
void tsr_mail_receive(tsr_unit from, uint64_t tag, void *data, size_t bytes);

/* Sends a block to one unit while receiving one from another (both on other nodes); sizes are known on both sides; either may be
 * 0 bytes, which still is a message. A unit number of -1: no message that way. */
struct tsr_block {
  tsr_unit unit;
  void *data;
  size_t bytes;
};
void tsr_block_exchange(int tag, struct tsr_block send, struct tsr_block receive);

void tsr_message_start(void);
void tsr_message_stop(void); /* drops mail that nobody received */

#endif
