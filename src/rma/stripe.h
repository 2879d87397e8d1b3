/* The stripe locks: who updates an element that the CPU has no atomic for holds the lock of its address. Never two at once. */
#ifndef TSR_RMA_STRIPE_H
#define TSR_RMA_STRIPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/wait.h"
#include "node/heap.h"

enum { TSR_STRIPE_SHIFT = 14, TSR_STRIPE_BYTES = 1 << TSR_STRIPE_SHIFT, TSR_STRIPES_LOG2 = 12 };
_Static_assert(1 << TSR_STRIPES_LOG2 == TSR_STRIPES_N, "the hash yields every stripe");

/* Position in the node's heaps: the same in all processes of the node, wherever they have mapped them. (Registered
 * memory outside the heaps is only ever updated by its owner, so that any consistent number serves.) */
static inline uint64_t tsr_stripe_position(const void *address) { return (uintptr_t)address - (uintptr_t)tsr_heap.base; }

/* The lock of an element is that of its first byte. */
static inline uint64_t tsr_stripe_number(const void *address) { return tsr_stripe_position(address) >> TSR_STRIPE_SHIFT; }

static inline tsr_word *tsr_stripe_lock(uint64_t number) {
  return &tsr_heap.memory->stripes[number * 0x9e3779b97f4a7c15u >> (64 - TSR_STRIPES_LOG2)];
}

/* From the address to the end of its stripe. */
static inline size_t tsr_stripe_left(const void *address) {
  return TSR_STRIPE_BYTES - (tsr_stripe_position(address) & (TSR_STRIPE_BYTES - 1));
}

#endif
