/* Reading the private memory of another unit of the node, where the system lets us. */
#ifndef TSR_P2P_PRIVATE_H
#define TSR_P2P_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies `bytes` bytes from `address` in the unit with this local index to `here`. False: it cannot be done, and what
 * `here` holds is undefined. Never waits; may be called for any part of a message, in any order. */
bool tsr_private_read(uint32_t local, uint64_t address, void *here, size_t bytes);

#endif
