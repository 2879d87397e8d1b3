/* What the GASNet-EX programs of the study share: start and end, the segments, a barrier, and reductions. */
#ifndef BENCH_STUDIES_GASNET_CLIENT_H
#define BENCH_STUDIES_GASNET_CLIENT_H

#include <gasnetex.h>
#include <gasnet_coll.h>

#include "../rows.h"
#include "../options.h"

static struct {
  gex_EP_t endpoint;
  gex_TM_t team;   /* all units */
  gex_Rank_t me, n; /* own number, and how many there are */
  gex_Rank_t last; /* the target of unit 0 in tests of two units; on another node if there are several */
  char **segments; /* addresses in their owners */
} job;

/* Ends the whole job if a result is wrong. Allowed in handlers, too. */
static inline void require(bool right, const char *what) {
  if (right) return;
  fprintf(stderr, "unit %u: wrong: %s\n", (unsigned)job.me, what);
  gasnet_exit(1);
}

static inline void barrier(void) { gex_Coll_BarrierBlocking(job.team, 0); }

static inline void *memory_of(size_t bytes) {
  void *p = calloc(1, bytes ? bytes : 1);
  require(p != NULL, "no memory is left");
  return p;
}

/* Starts the job and reads the options; wrong options end it. */
static inline void start(const char *program, int argc, char **argv, int options_n, const struct option options[]) {
  gex_Client_t client;
  if (gex_Client_Init(&client, &job.endpoint, &job.team, "STUDY", &argc, &argv, 0)) exit(1);
  job.me = gex_TM_QueryRank(job.team);
  job.n = gex_TM_QuerySize(job.team);
  job.last = job.n - 1;
  if (!option_read(program, argc, argv, job.me == 0, options_n, options)) gasnet_exit(WRONG_OPTIONS);
}

/* Ends a job with too few units for this program. */
static inline void need_units(const char *program, gex_Rank_t least) {
  if (job.n >= least) return;
  if (job.me == 0) fprintf(stderr, "%s: needs at least %u units\n", program, (unsigned)least);
  gasnet_exit(WRONG_OPTIONS);
}

/* Gives each unit a segment, and returns the caller's, filled with zeros. Collective. */
static inline char *attach(size_t bytes) {
  gex_Segment_t segment;
  bytes = (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
  require(gex_Segment_Attach(&segment, job.team, bytes) == GASNET_OK, "the segment is too large");
  job.segments = memory_of(job.n * sizeof *job.segments);
  for (gex_Rank_t unit = 0; unit < job.n; unit++)
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(job.team, unit, (void **)&job.segments[unit], NULL, NULL, 0));
  memset(job.segments[job.me], 0, bytes);
  barrier();
  return job.segments[job.me];
}

/* No unit sends before all have registered. Collective. */
static inline void register_handlers(gex_AM_Entry_t *table, size_t n) {
  require(gex_EP_RegisterHandlers(job.endpoint, table, n) == GASNET_OK, "the handlers cannot be registered");
  barrier();
}

/* Collective. */
static inline uint64_t sum_of_all(uint64_t mine) {
  uint64_t sum = 0;
  gex_Event_Wait(gex_Coll_ReduceToAllNB(job.team, &sum, &mine, GEX_DT_U64, sizeof mine, 1, GEX_OP_ADD, NULL, NULL, 0));
  return sum;
}
static inline long of_first(long value) { return (long)sum_of_all(job.me == 0 ? (uint64_t)value : 0); }
static inline double largest_of_all(double mine) {
  double largest = 0;
  gex_Event_Wait(gex_Coll_ReduceToAllNB(job.team, &largest, &mine, GEX_DT_DBL, sizeof mine, 1, GEX_OP_MAX, NULL, NULL, 0));
  return largest;
}

#endif
