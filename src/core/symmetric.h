/* Symmetric blocks: heap memory of all units at one offset, without a segment. Their number has no limit but memory.
 *
 * All units make the same calls in the same order, so their allocators return the same offset, unless teams have other memory at
 * the bottom of some heaps. One round compares the offsets, and is a barrier, too. */
#ifndef TSR_CORE_SYMMETRIC_H
#define TSR_CORE_SYMMETRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "base/status.h"

/* Allocates `bytes` (not 0), which begin at a multiple of the next power of two, up to the alignment of heaps; not zeroed.
 * Collective over the world. `allowed`: false if this unit takes part only to make the call fail.
 *
 * It fails on all units if it fails on one, and *off is unchanged. TESSERA_ERR_ARG: the units ask for different sizes.
 * TESSERA_ERR_RANGE: no place is free in all heaps. The first unit without room returns TESSERA_ERR_MEMORY, which it has logged, or
 * TESSERA_ERR_LIMIT if it was not allowed; the others return TESSERA_ERR_PEER. */
tessera_status_t tsr_symmetric_alloc(size_t bytes, bool allowed, uint64_t *off);
/* The same, but nothing is logged: for a caller with another way. */
tessera_status_t tsr_symmetric_try(size_t bytes, bool allowed, uint64_t *off);

/* Whether a symmetric block begins at this offset of the own heap; then its bytes. */
bool tsr_symmetric_find(uint64_t off, uint64_t *bytes);

/* Whether all units pass the same offset. Collective over the world, and a barrier. */
bool tsr_symmetric_same(uint64_t off) TSR_MUST_USE;

/* Gives the end of this unit's part back, which keeps its place and its first `bytes` (not 0). All units do so after
 * tsr_symmetric_same. */
void tsr_symmetric_shrink(uint64_t off, size_t bytes);

/* Frees this unit's part. All units do so after tsr_symmetric_same, in the same order. */
void tsr_symmetric_free(uint64_t off);
void tsr_symmetric_drop_all(void);

#endif
