/* Operations on a target that computes and calls nothing, beside the same on one that waits. For tessera-perf and the
 * peers. */
#ifndef PERF_BUSY_H
#define PERF_BUSY_H

#include "harness.h"

enum { PERF_BUSY_S = 2 /* the longest that the target computes, should nothing reach it meanwhile */ };

struct perf_busy {
  void (*call)(void *arg); /* one operation, complete at the target */
  void (*end)(void *arg);  /* writes something other than 0 into the target's `over`, complete */
  void *arg;
  uint64_t *over;          /* this unit's own */
};

/* Prints how long most calls take to the busy target, with the same to a waiting one as limit. Collective; unit 0 calls,
 * the others wait. Where nothing arrives while the target computes, it is about PERF_BUSY_S. */
void perf_busy(const struct perf *p, const char *work, size_t bytes, const struct perf_busy *busy);

#endif
