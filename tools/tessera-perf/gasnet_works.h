/* Functions that the works on GASNet-EX share. */
#ifndef PERF_GASNET_WORKS_H
#define PERF_GASNET_WORKS_H

#define GASNET_SEQ 1
#include <gasnetex.h>

#include "harness.h"

extern const struct perf_work gasnet_transfer_works[], gasnet_vis_works[], gasnet_am_works[];

/* A client with a segment on every unit, and the unit that is accessed. */
struct gasnet_place {
  gex_Client_t client;
  gex_TM_t all;
  gex_Rank_t rank;
  char *there; /* that unit's segment, as the unit knows it */
};

/* Both are collective. Segments are zeroed. Ends the job if GASNet does not start. */
void gasnet_open(const struct perf *p, size_t bytes, int unit, struct gasnet_place *place);
void gasnet_close(struct gasnet_place *place);

#endif
