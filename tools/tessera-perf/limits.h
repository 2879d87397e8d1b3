/* What the machine allows: bare operations on the stage, without Tessera. Works measure theirs beside these.
 *
 * Each function returns an operation that is valid until the next call of the same function, or NULL where the
 * limit does not apply: not wanted (--no-limit), or the units concerned do not share memory. */
#ifndef PERF_LIMITS_H
#define PERF_LIMITS_H

#include "harness.h"

enum limits_copy { LIMITS_PUT /* into the peer's mapping */, LIMITS_GET /* out of it */ };

/* Collective, once, before the others. */
void limits_open(const struct perf *p);

/* A copy of this many bytes, at most the longest size given to limits_open. */
const struct perf_op *limits_copy(const struct perf *p, enum limits_copy way, size_t bytes);

/* The same of 8 bytes, which the compiler knows: a load and a store in a loop. */
const struct perf_op *limits_store(const struct perf *p, enum limits_copy way);

/* Blocks of doubles, as far apart as they are long or at `offset`s (in doubles, within twice their common length). */
struct limits_blocks {
  size_t blocks_n, blocklen;
  const size_t *offset; /* NULL: every 2 * blocklen; lives as long as the operation */
};
/* The loop that a program would write to copy between these and doubles end to end; blocks and gaps together are at
 * most the longest size given to limits_open. */
const struct perf_op *limits_blocks(const struct perf *p, enum limits_copy way, const struct limits_blocks *blocks);
/* A loop that adds so many bytes of doubles, times a scale, to the stage's. */
const struct perf_op *limits_accumulate(const struct perf *p, size_t bytes);
/* A copy of this many bytes of the target's private memory by a bare process_vm_writev or process_vm_readv; `memory` is
 * the target's. Collective. */
const struct perf_op *limits_attach(const struct perf *p, enum limits_copy way, size_t bytes, void *memory);

/* A fetch-add on a line that nobody else uses; on one that all units use at once; compare-and-swap on the former. */
const struct perf_op *limits_fetch_add_own(const struct perf *p);
const struct perf_op *limits_fetch_add_hot(const struct perf *p);
const struct perf_op *limits_compare_swap(const struct perf *p);

/* 8 bytes to the other's queue and back in turns, one way; who waits does not sleep, so both need a core. */
const struct perf_op *limits_message(const struct perf *p);

/* The quicker of the bare barriers: words in one line where every unit has a core, else a futex. */
const struct perf_op *limits_barrier(const struct perf *p);

extern const struct perf_work limits_works[];

#endif
