/* Functions that the tests of GASNet-1 share: start and end, as in a client, and the segments of all units. They are
 * compiled for one thread unless the file says otherwise. */
#ifndef GASNET_LEGACY_CHECK_H
#define GASNET_LEGACY_CHECK_H

#if !defined(GASNET_PAR) && !defined(GASNET_PARSYNC)
#define GASNET_SEQ 1
#endif

#include <gasnet.h>

#include <string.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, GASNET_OK)
#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

enum { UNITS_MAX = 64 };

static int self, units_n;
static gasnet_seginfo_t segments[UNITS_MAX];

static inline void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  OK(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS));
}

static inline void start(int *argc, char ***argv, gasnet_handlerentry_t *table, int entries_n, size_t bytes) {
  if (gasnet_init(argc, argv)) exit(EXIT_FAILURE);
  self = (int)gasnet_mynode();
  units_n = (int)gasnet_nodes();
  if (units_n > UNITS_MAX) abort();
  CHECK(gasnet_getMaxLocalSegmentSize() >= gasnet_getMaxGlobalSegmentSize() && gasnet_getMaxGlobalSegmentSize() > 0);
  OK(gasnet_attach(table, entries_n, bytes, GASNET_PAGESIZE));
  OK(gasnet_getSegmentInfo(segments, units_n));
  for (int unit = 0; unit < units_n; unit++) CHECK(segments[unit].size >= bytes && segments[unit].size % GASNET_PAGESIZE == 0);
  barrier();
}

static inline char *segment_of(int unit) { return (char *)segments[unit].addr; }
static inline int right_of(int unit) { return (unit + 1) % units_n; }
static inline int left_of(int unit) { return (unit + units_n - 1) % units_n; }

/* Ends the job as GASNet programs do. */
static inline int finish(void) {
  barrier();
  gasnet_exit(check_result());
  return EXIT_FAILURE;
}

#endif
