/* Measures collectives: their buffers and their rows. For tessera-perf and the peers, which provide the memory and the
 * calls.
 *
 * `bytes` of a row is the data from one unit to one other, or the whole buffer of a broadcast or a reduction. Each
 * operation has another root, so that no unit is far ahead. A batch ends when the last unit has finished. */
#ifndef PERF_COLL_H
#define PERF_COLL_H

#include "harness.h"

/* Bits: the buffer has a part for each unit instead of one part. */
enum perf_coll_shape { PERF_COLL_SINGLE = 0, PERF_COLL_SENDS_ALL = 1, PERF_COLL_RECEIVES_ALL = 2, PERF_COLL_ALL = 3 };

/* The arguments of a loop over one collective. */
struct perf_coll {
  void *send, *recv;
  size_t bytes; /* of one share */
  int unit, units;
};
static inline int perf_coll_root(const struct perf_coll *coll, uint64_t i) { return (int)(i % (uint64_t)coll->units); }

/* The source of the buffers. Its functions are collective over all units. */
struct perf_coll_memory {
  const char *variant;
  void *(*take)(const struct perf *p, size_t bytes); /* every page of it was written; aligned to a page */
  void (*give)(const struct perf *p, void *memory);  /* in the reverse order of take */
};

/* The limit of the machine for this size; NULL: none is known. */
typedef const struct perf_op *(*perf_coll_limit)(const struct perf *p, size_t bytes);

/* Prints the rows of the work: runs work->loop on a struct perf_coll of the shape work->choice, for each size that is a
 * multiple of `elem_bytes` and for which the buffers of all units together have at most 1 GiB. Collective. */
void perf_coll_run(const struct perf *p, const struct perf_work *work, const struct perf_coll_memory *memory,
                   size_t elem_bytes, perf_coll_limit limit);

/* Buffers in private memory. */
extern const struct perf_coll_memory perf_coll_plain;

#endif
