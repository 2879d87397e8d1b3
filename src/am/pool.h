/* Blocks for data that does not fit into a ring. Each process has four pools in its own heap, which are allocated at
 * their first use. A block is freed by the process that has used its data; this may be another process of the node. */
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
  TSR_AM_POOL_IN_REQUESTS, TSR_AM_POOL_IN_REPLIES, /* for messages from other nodes */
  TSR_AM_POOLS_N
};

struct tsr_am_block {
  TSR_ALIGNED_LINE tsr_word in_use; /* cleared after the data has been used */
  TSR_ALIGNED_LINE char data[];
};

/* The most data of one block, while no other is in use. */
size_t tsr_am_pool_bytes(enum tsr_am_pool which);

/* Takes a block for `least` to `*bytes` of data, and stores in *bytes how many of these it holds. If no block is free, the call
 * waits or returns TESSERA_ERR_AGAIN. `to` is for hang reports. TESSERA_ERR_MEMORY: the heap has no room for the pool;
 * logged. Any thread. */
tessera_status_t tsr_am_pool_take(enum tsr_am_pool which, size_t least, size_t *bytes, struct tsr_am_block **block, tsr_unit to,
                                  bool waits);

void tsr_am_block_give(struct tsr_am_block *block);

/* The number of blocks in use, of all pools. */
int tsr_am_pool_taken(void);

/* Frees all pools. No block may be in use. */
void tsr_am_pool_stop(void);

#endif
