/* Limits of the machine: bare operations on the stage, without Tessera. Works compare their operations with these.
 *
 * Each function returns an operation that is valid until the next call of the same function, or NULL if the limit
 * does not apply: it was not requested (--no-limit), or the units concerned do not share memory. */
#ifndef PERF_LIMITS_H
#define PERF_LIMITS_H

#include "harness.h"

enum limits_copy { LIMITS_PUT /* into the peer's mapping */, LIMITS_GET /* out of it */ };

/* Collective, once, before the others. */
void limits_open(const struct perf *p);

/* A copy of this many bytes; at most the longest size passed to limits_open. */
const struct perf_op *limits_copy(const struct perf *p, enum limits_copy way, size_t bytes);

/* The same between private places that are `apart` bytes apart, as the heaps of unit 0 and of the target are: on some CPUs copies
 * between addresses whose low bits are equal are much slower. Also NULL if the address space has no such places. */
const struct perf_op *limits_copy_apart(const struct perf *p, enum limits_copy way, size_t bytes, size_t apart);

/* A copy of 8 bytes, a size that the compiler knows: a load and a store in a loop. */
const struct perf_op *limits_store(const struct perf *p, enum limits_copy way);

/* Blocks of doubles: the gaps are as long as the blocks, or the blocks are at `offset`s (in doubles, within twice
 * their total length). */
struct limits_blocks {
  size_t blocks_n, blocklen;
  const size_t *offset; /* NULL: every 2 * blocklen; lives as long as the operation */
};
/* The loop that a program would write to copy between such blocks and contiguous doubles. Blocks and gaps together
 * are at most the longest size passed to limits_open. */
const struct perf_op *limits_blocks(const struct perf *p, enum limits_copy way, const struct limits_blocks *blocks);
/* The fastest hand-written loop to copy between doubles with gaps and contiguous doubles (apart.h); the doubles of
 * `what` are not used. Also NULL if the stage is too short. */
struct apart;
const struct perf_op *limits_apart(const struct perf *p, enum limits_copy way, const struct apart *what);
/* A loop that adds this many bytes of doubles, multiplied by a scale, to those of the stage. */
const struct perf_op *limits_accumulate(const struct perf *p, size_t bytes);
/* A copy of this many bytes of the target's private memory by a bare process_vm_writev or process_vm_readv; `memory` is
 * the target's. Collective. */
const struct perf_op *limits_attach(const struct perf *p, enum limits_copy way, size_t bytes, void *memory);

/* Fetch-add on a cache line that no other unit uses; fetch-add on a line that all units use at once; compare-and-swap
 * on the former. */
const struct perf_op *limits_fetch_add_own(const struct perf *p);
const struct perf_op *limits_fetch_add_hot(const struct perf *p);
const struct perf_op *limits_compare_swap(const struct perf *p);

/* 8 bytes to the other unit's queue and back in turns; the time is one way. Waiting units do not sleep, so both need
 * a core. */
const struct perf_op *limits_message(const struct perf *p);
/* The same with a bare fetch-and-add of the other unit's counter. */
const struct perf_op *limits_counter(const struct perf *p);

/* The faster of the bare barriers: words in one cache line if every unit has a core, otherwise a futex. */
const struct perf_op *limits_barrier(const struct perf *p);

extern const struct perf_work limits_works[];

#endif
