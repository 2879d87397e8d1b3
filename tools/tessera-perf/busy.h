/* Operations on a target that computes and makes no calls, next to the same operations on a target that waits. For
 * tessera-perf and the peers. */
#ifndef PERF_BUSY_H
#define PERF_BUSY_H

#include "harness.h"

enum { PERF_BUSY_S = 2 /* the target computes at most this long if no operation arrives */ };

struct perf_busy {
  void (*call)(void *arg); /* one operation, complete at the target */
  void (*end)(void *arg);  /* writes something other than 0 into the target's `over`, complete */
  void *arg;
  uint64_t *over;          /* this unit's own */
};

/* Prints the 90th percentile of the times of calls to the busy target; the limit is that of a waiting target.
 * Collective: unit 0 calls, the other units wait. If no operation arrives while the target computes, the result is
 * about PERF_BUSY_S. */
void perf_busy(const struct perf *p, const char *work, size_t bytes, const struct perf_busy *busy);

#endif
