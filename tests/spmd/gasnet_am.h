/* Functions that the tests of GASNet's active messages share: start and end, as in a client, and the segments of all
 * units. They are compiled for one thread unless the file says otherwise. */
#ifndef GASNET_AM_H
#define GASNET_AM_H

#if !defined(GASNET_PAR) && !defined(GASNET_PARSYNC)
#define GASNET_SEQ 1
#endif

#include <stdbool.h>
#include <string.h>

#include <gasnetex.h>
#include <gasnet_coll.h>

#include "check.h"
#include "pattern.h"

enum { UNITS_MAX = 64, PAGE = 4096 };

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t all;
static gex_Segment_t segment;
static int self, units_n;
static char *segments[UNITS_MAX]; /* addresses in their owners */

static inline void barrier(void) { gex_Event_Wait(gex_Coll_BarrierNB(all, 0)); }

static inline void learn_segments(void) {
  for (int unit = 0; unit < units_n; unit++) {
    void *base = NULL;
    uintptr_t size = 0;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, (gex_Rank_t)unit, &base, NULL, &size, 0));
    CHECK(base && size);
    segments[unit] = (char *)base;
  }
}

/* The segment has `bytes` for each unit. */
static inline void start(int *argc, char ***argv, gex_AM_Entry_t *table, size_t entries_n, size_t bytes) {
  if (gex_Client_Init(&client, &ep, &all, "TEST", argc, argv, 0)) exit(EXIT_FAILURE);
  self = (int)gex_TM_QueryRank(all);
  units_n = (int)gex_TM_QuerySize(all);
  if (units_n > UNITS_MAX) abort();
  bytes = ((size_t)units_n * bytes + PAGE - 1) / PAGE * PAGE;
  CHECK_EQ(gex_Segment_Attach(&segment, all, bytes ? bytes : (size_t)PAGE), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, table, entries_n), GASNET_OK);
  learn_segments();
  barrier();
}

static inline int finish(void) {
  barrier();
  CHECK_EQ(tessera_gex_finalize(client), GASNET_OK);
  return check_result();
}

/* The sender of a message, and whether it is a request. */
static inline gex_Token_Info_t info_of(gex_Token_t token) {
  gex_Token_Info_t info;
  CHECK_EQ(gex_Token_Info(token, &info, GEX_TI_ALL), GEX_TI_ALL);
  return info;
}
static inline bool is_request(gex_Token_t token) { return info_of(token).gex_is_req != 0; }
static inline int source_of(gex_Token_t token) { return (int)info_of(token).gex_srcrank; }

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

#endif
