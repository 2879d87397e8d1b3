/* Messages to units of this node, from wherever: into the target's rings. */
#ifndef TSR_AM_LOCAL_H
#define TSR_AM_LOCAL_H

#include <tessera.h>

#include "am/pool.h"
#include "am/record.h"

/* Sends. `block`: where message->data lies already, which is the target's afterwards; NULL: it is copied. A long message
 * without data has it in place. TESSERA_ERR_AGAIN: there is no room, and the route does not wait; nothing is done.
 * TESSERA_ERR_MEMORY: logged. */
tessera_status_t tsr_am_local_send(const struct tsr_am_route *route, const struct tsr_am_message *message,
                                  struct tsr_am_block *block);

#endif
