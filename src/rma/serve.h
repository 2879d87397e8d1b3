/* What the handlers of requests share. */
#ifndef TSR_RMA_SERVE_H
#define TSR_RMA_SERVE_H

#include <stdint.h>

#include "net/net.h"

/* The memory of a request whose first argument is the target unit. A range that is in no heap of this node, nor in what
 * this unit has registered, is a foreign or damaged message: it ends the job. */
void *tsr_serve_range(const struct tsr_net_in *in, uint64_t off, uint64_t bytes);

#endif
