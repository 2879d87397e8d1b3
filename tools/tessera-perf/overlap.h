/* The share of a transfer's time in which the origin can compute: it starts the transfer, computes, then completes
 * it, as in Sandia's benchmark of overhead and availability. For tessera-perf and the peers. */
#ifndef PERF_OVERLAP_H
#define PERF_OVERLAP_H

#include "harness.h"

struct perf_transfer {
  void (*start)(void *arg);
  void (*complete)(void *arg); /* at the target, too */
  void *arg;
  void *source, *dest;         /* NULL except on the unit that has them */
};

/* Prints this share in percent. Collective: unit 0 transfers, the other units wait. */
void perf_overlap(const struct perf *p, const char *work, const char *variant, size_t bytes,
                  const struct perf_transfer *transfer);

/* Computes for a time proportional to `steps`, without memory accesses. */
void perf_compute(uint64_t steps);

#endif
