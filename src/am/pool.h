/* Blocks for the data of messages that lies in no ring. Each process has some pools of them in its own heap, made when they
 * are first used; whoever has used the data of a block gives it back, in any process of the node. */
#ifndef TSR_AM_POOL_H
#define TSR_AM_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include <tessera.h>

#include "am/am.h"
#include "base/bits.h"
#include "base/wait.h"

enum tsr_am_pool {
  TSR_AM_POOL_REQUESTS, TSR_AM_POOL_REPLIES,
  TSR_AM_POOL_IN_REQUESTS, TSR_AM_POOL_IN_REPLIES, /* what came from other nodes */
  TSR_AM_POOLS_N
};

struct tsr_am_block {
  TSR_ALIGNED_LINE tsr_word in_use; /* cleared last by who has used the data */
  TSR_ALIGNED_LINE char data[];
};

/* Most data of one block, when no other is taken. */
size_t tsr_am_pool_bytes(enum tsr_am_pool which);

/* Takes a block for `least` to `*bytes` of data, and stores how many it holds of those. If no block is free it waits, or returns
 * TESSERA_ERR_AGAIN; `to` is for reports. TESSERA_ERR_MEMORY: the heap has no room for the pool; logged. Any thread. */
tessera_status_t tsr_am_pool_take(enum tsr_am_pool which, size_t least, size_t *bytes, struct tsr_am_block **block, tsr_unit to,
                                  bool waits);

void tsr_am_block_give(struct tsr_am_block *block);

/* Blocks of all pools that are taken now. */
int tsr_am_pool_taken(void);

/* Frees all pools; no block is taken. */
void tsr_am_pool_stop(void);

#endif
