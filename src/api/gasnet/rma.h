/* Puts and gets that go through the library: to other nodes, long ones, and all while they are counted or checked. */
#ifndef TSR_API_GASNET_RMA_H
#define TSR_API_GASNET_RMA_H

#include "base/stats.h"
#include "core/op.h"
#include "api/gasnet/gasnet_api.h"

/* A transfer whose arguments are good. */
struct tsr_gex_transfer {
  const char *call;
  tsr_addr remote_addr;
  void *local_addr; /* a put only reads it */
  size_t bytes;
  bool get;
  bool waits; /* for it to be complete: nobody else is to move the data */
};

/* Fills it in, with addresses for offsets; dies when the arguments are wrong. False: there is nothing to move; `there` has the unit
 * only. */
bool tsr_gex_transfer_check(struct tsr_gex_transfer *transfer, gex_TM_t tm, gex_Rank_t rank, const void *theirs,
                            gex_Flags_t flags);

/* Starts it, counting what is under way in `op`. False: GEX_FLAG_IMMEDIATE, and there is no room. */
bool tsr_gex_transfer_start(const struct tsr_gex_transfer *transfer, gex_Flags_t flags, tsr_op *op);

/* Starts it and waits. False as there. */
bool tsr_gex_transfer_run(const struct tsr_gex_transfer *transfer, gex_Flags_t flags);

/* Of the rest filled in but for `there`, which these do. What GEX_FLAG_IMMEDIATE gives as the calls of the interface. */
gex_Event_t tsr_gex_put_nb(struct tsr_gex_transfer *put, gex_TM_t tm, gex_Rank_t rank, void *dest, gex_Event_t *lc_opt,
                           gex_Flags_t flags);
int tsr_gex_put_nbi(struct tsr_gex_transfer *put, gex_TM_t tm, gex_Rank_t rank, void *dest, gex_Event_t *lc_opt,
                    gex_Flags_t flags);

#endif
