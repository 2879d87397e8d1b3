/* Collectives one after another: the buffers of each, and the measurement of a row. For tessera-perf and the programs of other
 * libraries, which provide the memory and the calls.
 *
 * `bytes` of a row is what one unit sends to one other, or the whole buffer of a broadcast or a reduction. The root is
 * another unit each time, so that no unit runs ahead for long; a batch ends when the last unit is through. */
#ifndef PERF_COLL_H
#define PERF_COLL_H

#include "harness.h"

/* Bits: a buffer has a share for each unit, not only one. */
enum perf_coll_shape { PERF_COLL_SINGLE = 0, PERF_COLL_SENDS_ALL = 1, PERF_COLL_RECEIVES_ALL = 2, PERF_COLL_ALL = 3 };

/* What a loop over one collective gets. */
struct perf_coll {
  void *send, *recv;
  size_t bytes; /* of one share */
  int unit, units;
};
static inline int perf_coll_root(const struct perf_coll *coll, uint64_t i) { return (int)(i % (uint64_t)coll->units); }

/* Where the buffers come from. Collective, all units at once. */
struct perf_coll_memory {
  const char *variant;
  void *(*take)(const struct perf *p, size_t bytes); /* every page of it was written; aligned to a page */
  void (*give)(const struct perf *p, void *memory);  /* in the reverse order of take */
};

/* What the machine allows for that size; NULL: no limit is known. */
typedef const struct perf_op *(*perf_coll_limit)(const struct perf *p, size_t bytes);

/* Prints the rows of the work: work->loop on a struct perf_coll of the shape work->choice, for each size that is a whole
 * number of `elem_bytes`, as long as all units' buffers together are no more than 1 GiB. Collective. */
void perf_coll_run(const struct perf *p, const struct perf_work *work, const struct perf_coll_memory *memory,
                   size_t elem_bytes, perf_coll_limit limit);

/* Private memory, for which no call is needed. */
extern const struct perf_coll_memory perf_coll_plain;

#endif
