/* Messages between nodes.
 *
 * A small one travels inside a request to the receiver's own rank, which takes it when it calls in: nobody else could
 * match it. Of a long one only the envelope does, with the wire tag of the data, which follows at once in synchronous messages from
 * memory to memory: the transport moves it when the receiver has matched the envelope, and so has posted receives with that tag.
 */
#ifndef TSR_P2P_REMOTE_H
#define TSR_P2P_REMOTE_H

#include "p2p/envelope.h"
#include "p2p/p2p.h"

size_t tsr_p2p_remote_small_bytes(void); /* the longest message that is small; the same everywhere */

/* The sender of a small message: consumed on return. Waits for a wire slot. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_p2p_remote_send(tsr_unit to, struct tsr_envelope *envelope, const void *data);

/* The sender of a long one. TESSERA_ERR_MEMORY: so many are under way that no wire tag is left. */
tessera_status_t tsr_p2p_remote_offer(tsr_outgoing *out, struct tsr_envelope *envelope);
/* Both for who may not wait: prepare gives a long message its tag; then try until true, and it is on its way. */
tessera_status_t tsr_p2p_remote_prepare(tsr_outgoing *out, struct tsr_envelope *envelope);
bool tsr_p2p_remote_try(tsr_outgoing *out, const struct tsr_envelope *envelope);

/* The receiver of a long one. */
void tsr_p2p_remote_accept(tsr_incoming *in, const struct tsr_envelope *envelope);

void tsr_p2p_remote_stop(void);

#endif
