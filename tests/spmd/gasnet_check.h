/* Functions that the tests of GASNet-EX share: start and end, segments, and a barrier. A test is compiled for one
 * thread; the file of the same name with _par includes it and is compiled for several. */
#ifndef GASNET_CHECK_H
#define GASNET_CHECK_H

#if !defined(GASNET_PAR) && !defined(GASNET_PARSYNC)
#define GASNET_SEQ 1
#endif
#include <gasnetex.h>

#include <stdbool.h>

#include "check.h"
#include "pattern.h"

#define OK(call) CHECK_EQ(call, GASNET_OK)

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t tm;
static gex_Segment_t segment;
static gex_Rank_t self, units_n;

static inline void start_flags(int *argc, char ***argv, gex_Flags_t flags) {
  if (gex_Client_Init(&client, &ep, &tm, "TEST", argc, argv, flags)) exit(EXIT_FAILURE);
  self = gex_System_QueryJobRank();
  units_n = gex_System_QueryJobSize();
}
static inline void start(int *argc, char ***argv) { start_flags(argc, argv, 0); }

static inline int finish(void) {
  OK(tessera_gex_finalize(client));
  return check_result();
}

/* Of any team; publishing no endpoints waits for all. */
static inline void barrier_of(gex_TM_t team) { OK(gex_EP_PublishBoundSegment(team, NULL, 0, 0)); }
static inline void barrier(void) { barrier_of(tm); }

static inline gex_Rank_t right_of(gex_Rank_t rank) { return (rank + 1) % units_n; }
static inline gex_Rank_t left_of(gex_Rank_t rank) { return (rank + units_n - 1) % units_n; }

/* The start of a peer's segment in the peer's memory. */
static inline char *base_of(gex_TM_t team, gex_Rank_t rank) {
  void *base = NULL;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(team, rank, &base, NULL, NULL, 0));
  return (char *)base;
}
static inline char *base(gex_Rank_t rank) { return base_of(tm, rank); }

/* Collective. The memory is zeroed. */
static inline void attach(uintptr_t bytes) {
  OK(gex_Segment_Attach(&segment, tm, (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE));
  memset(gex_Segment_QueryAddr(segment), 0, gex_Segment_QuerySize(segment));
  barrier();
}

static inline void *take(size_t bytes) {
  void *memory = malloc(bytes + 1);
  if (!memory) abort();
  return memory;
}

#endif
