/* What GASNet-1's collectives have in common. A blocking one enters, runs, and leaves; the others begin, and start a
 * program. */
#ifndef TSR_API_GASNET_LEGACY_COLL_H
#define TSR_API_GASNET_LEGACY_COLL_H

#include <gex/legacy_coll.h>

#include "base/stats.h"
#include "coll/schedule.h"

/* A call whose arguments are right. */
struct tsr_gex_legacy_coll {
  const char *call;
  tsr_team *team;
  tsr_member root; /* rooted: */
  bool is_root;
  bool all_in, all_out; /* ALLSYNC */
  uint64_t begun_ns;
};

/* Of nbytes from each member's src to the root's dst. Dies where something is wrong. */
struct tsr_gex_legacy_coll tsr_gex_legacy_begin_to_root(const char *call, gasnet_team_handle_t team,
                                                        gasnet_image_t root, void *dst, const void *src, size_t nbytes,
                                                        int flags);

void tsr_gex_legacy_enter(const struct tsr_gex_legacy_coll *c);
/* Dies unless the status is good. */
void tsr_gex_legacy_leave(const struct tsr_gex_legacy_coll *c, tessera_status_t status, enum tsr_stat stat,
                          size_t bytes);
gasnet_coll_handle_t tsr_gex_legacy_start(const struct tsr_gex_legacy_coll *c, tsr_schedule *schedule,
                                          enum tsr_stat stat, size_t bytes);

/* Forgets the functions of gasnet_coll_init. */
void tsr_gex_legacy_reduce_stop(void);

#endif
