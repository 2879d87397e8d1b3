/* How much of a transfer's time its origin has for itself: started, then computed, then completed, as the Sandia
 * benchmark for overhead and availability does it. For tessera-perf and the peers. */
#ifndef PERF_OVERLAP_H
#define PERF_OVERLAP_H

#include "harness.h"

struct perf_transfer {
  void (*start)(void *arg);
  void (*complete)(void *arg); /* at the target, too */
  void *arg;
};

/* Prints the share of the transfer's time that is left to compute in, in percent. Collective; unit 0 transfers, the others
 * wait. */
void perf_overlap(const struct perf *p, const char *work, const char *variant, size_t bytes,
                  const struct perf_transfer *transfer);

/* Computes for some time that is proportional to `steps`, without touching memory. */
void perf_compute(uint64_t steps);

#endif
