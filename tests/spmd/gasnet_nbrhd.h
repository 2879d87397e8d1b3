/* Shared by the tests of GASNet's operations with an event: which peers share memory with the caller. */
#ifndef GASNET_NBRHD_TEST_H
#define GASNET_NBRHD_TEST_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static inline bool shares_memory_with(gex_Rank_t rank) {
  gex_RankInfo_t *list;
  gex_Rank_t n;
  gex_System_QueryNbrhdInfo(&list, &n, NULL);
  for (gex_Rank_t i = 0; i < n; i++) {
    if (list[i].gex_jobrank == rank) return true;
  }
  return false;
}

/* Programs tell by the event whether a peer shares memory with them. Every operation on another node returns a real event,
 * complete or not; on the own node none does, unless a progress process does the transfer. */
static inline gex_Event_t real(gex_Event_t event, gex_Rank_t rank) {
  const char *progress = getenv("TESSERA_PROGRESS");
  const bool may_offload = getenv("TESSERA_OFFLOAD") || (progress && !strncmp(progress, "process", 7));
  if (!shares_memory_with(rank)) CHECK(event != GEX_EVENT_INVALID);
  else if (!may_offload) CHECK(event == GEX_EVENT_INVALID);
  CHECK(event != GEX_EVENT_NO_OP);
  return event;
}

#endif
