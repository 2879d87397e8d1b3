/* Stripe locks: an update of an element for which the CPU has no atomic holds the lock of its address. A thread never holds two
 * of them. */
#ifndef TSR_RMA_STRIPE_H
#define TSR_RMA_STRIPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/wait.h"
#include "node/heap.h"

enum { TSR_STRIPE_SHIFT = 14, TSR_STRIPE_BYTES = 1 << TSR_STRIPE_SHIFT, TSR_STRIPES_LOG2 = 12 };
_Static_assert(1 << TSR_STRIPES_LOG2 == TSR_STRIPES_N, "the hash yields every stripe");

/* The position in the node's heaps, which is the same in all processes of the node. (Registered memory outside the heaps is
 * updated by its owner only, so that any consistent number will do.) */
static inline uint64_t tsr_stripe_position(const void *address) { return (uintptr_t)address - (uintptr_t)tsr_heap.base; }

/* The lock of an element is that of its first byte. */
static inline uint64_t tsr_stripe_number(const void *address) { return tsr_stripe_position(address) >> TSR_STRIPE_SHIFT; }

static inline tsr_word *tsr_stripe_lock(uint64_t number) {
  return &tsr_heap.memory->stripes[number * 0x9e3779b97f4a7c15u >> (64 - TSR_STRIPES_LOG2)];
}

/* Bytes from the address to the end of its stripe. */
static inline size_t tsr_stripe_left(const void *address) {
  return TSR_STRIPE_BYTES - (tsr_stripe_position(address) & (TSR_STRIPE_BYTES - 1));
}

#endif
