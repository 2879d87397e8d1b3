/* Common parts of the collectives of GASNet-1. Blocking ones call _enter, run, and call _leave; others call _start. */
#ifndef TSR_API_GASNET_LEGACY_COLL_H
#define TSR_API_GASNET_LEGACY_COLL_H

#include <gex/legacy_coll.h>

#include "base/stats.h"
#include "coll/schedule.h"

/* A checked call. */
struct tsr_gex_legacy_coll {
  const char *call;
  tsr_team *team;
  tsr_member root; /* root and is_root: of calls with a root */
  bool is_root;
  bool all_in, all_out; /* ALLSYNC */
  uint64_t begun_ns;
};

/* Checks a call that sends nbytes from each member's src to the root's dst. An error ends the job. */
struct tsr_gex_legacy_coll tsr_gex_legacy_begin_to_root(const char *call, gasnet_team_handle_t team,
                                                        gasnet_image_t root, void *dst, const void *src, size_t nbytes,
                                                        int flags);

void tsr_gex_legacy_enter(const struct tsr_gex_legacy_coll *c);
/* An error status ends the job. */
void tsr_gex_legacy_leave(const struct tsr_gex_legacy_coll *c, tessera_status_t status, enum tsr_stat stat,
                          size_t bytes);
gasnet_coll_handle_t tsr_gex_legacy_start(const struct tsr_gex_legacy_coll *c, tsr_schedule *schedule,
                                          enum tsr_stat stat, size_t bytes);

/* Unregisters the functions of gasnet_coll_init. */
void tsr_gex_legacy_reduce_stop(void);

#endif
