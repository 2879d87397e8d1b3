/* Puts and gets that inline functions leave to the library: to other nodes, long, counted or checked ones. */
#ifndef TSR_API_GASNET_RMA_H
#define TSR_API_GASNET_RMA_H

#include "base/stats.h"
#include "core/op.h"
#include "api/gasnet/gasnet_api.h"

/* A transfer. */
struct tsr_gex_transfer {
  const char *call;
  tsr_addr remote_addr;
  void *local_addr; /* a put only reads it */
  size_t bytes;
  bool get;
  bool waits; /* the caller waits: not offloaded to a progress agent */
};

/* Checks the arguments, sets remote_addr, and translates offsets. An error ends the job. False: there are no bytes, and
 * only remote_addr.unit was set. */
bool tsr_gex_transfer_check(struct tsr_gex_transfer *transfer, gex_TM_t tm, gex_Rank_t rank, const void *theirs,
                            gex_Flags_t flags);

/* Starts the transfer, counted in `op`. False: no room, and the flags have GEX_FLAG_IMMEDIATE. */
bool tsr_gex_transfer_start(const struct tsr_gex_transfer *transfer, gex_Flags_t flags, tsr_op *op);

/* Starts the transfer and waits. False as above. */
bool tsr_gex_transfer_run(const struct tsr_gex_transfer *transfer, gex_Flags_t flags);

/* Check and start a put of which all fields but remote_addr are set. Results as of the calls of the interface. */
gex_Event_t tsr_gex_put_nb(struct tsr_gex_transfer *put, gex_TM_t tm, gex_Rank_t rank, void *dest, gex_Event_t *lc_opt,
                           gex_Flags_t flags);
int tsr_gex_put_nbi(struct tsr_gex_transfer *put, gex_TM_t tm, gex_Rank_t rank, void *dest, gex_Event_t *lc_opt,
                    gex_Flags_t flags);

#endif
