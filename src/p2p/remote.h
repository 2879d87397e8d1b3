/* Messages between nodes.
 *
 * A small message travels inside a request to the receiver's own rank, because only the receiver can match it. For a
 * long message the request carries the envelope, with a wire tag, and the first data. The rest follows at once in synchronous
 * messages of the transport with this tag. The transport moves them when the receiver has matched the envelope and posted
 * receives with the tag.
 */
#ifndef TSR_P2P_REMOTE_H
#define TSR_P2P_REMOTE_H

#include "p2p/envelope.h"
#include "p2p/p2p.h"

size_t tsr_p2p_remote_small_bytes(void); /* the limit of small messages; the same on all units */

size_t tsr_p2p_remote_first_bytes(size_t bytes);  /* first bytes of a message, which travel with its envelope */

/* Sends a small message of an interface; its data is consumed on return. Waits for a wire slot. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_p2p_remote_send(tsr_unit to, struct tsr_envelope *envelope, const void *data);

/* Starts a long message; waits for a wire slot. TESSERA_ERR_MEMORY: all wire tags are in use. */
tessera_status_t tsr_p2p_remote_offer(tsr_outgoing *out, struct tsr_envelope *envelope);
/* For callers that may not wait. tsr_p2p_remote_prepare gives a long message its wire tag. The caller then calls
 * tsr_p2p_remote_try, for small and long messages, until it returns true. */
tessera_status_t tsr_p2p_remote_prepare(tsr_outgoing *out, struct tsr_envelope *envelope);
bool tsr_p2p_remote_try(tsr_outgoing *out, const struct tsr_envelope *envelope);

/* Receives a long message. `first`: its first bytes, which came with the envelope. */
void tsr_p2p_remote_accept(tsr_incoming *in, const struct tsr_envelope *envelope, const void *first);

void tsr_p2p_remote_stop(void);

#endif
