/* Direct copies between buffers in the heaps of the node, where all its members can load and store. In a collective of
 * large data the members exchange the addresses of their buffers, copy between these, and end with a round after which
 * each may reuse its own. Private memory goes through the bounce buffers. Copies by the kernel between processes
 * (node/attach) would save one copy of two. Measured: up to 1 MiB, a broadcast, a reduction and an alltoall are faster
 * through the bounce buffers; from 4 to 16 MiB neither is always faster. */
#ifndef TSR_COLL_DIRECT_H
#define TSR_COLL_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/team.h"

/* Calls with more bytes than this try direct copies. If a buffer is private, the attempt costs them one round. */
enum { TSR_DIRECT_BYTES = 16 << 10 };

enum tsr_direct {
  TSR_DIRECT_REFUSED, /* a member failed the call */
  TSR_DIRECT_NO,      /* a buffer is private: use the bounce buffers */
  TSR_DIRECT_YES
};

enum tsr_direct_call { TSR_DIRECT_BCAST, TSR_DIRECT_COLLECT, TSR_DIRECT_DISTRIBUTE, TSR_DIRECT_EXCHANGE, TSR_DIRECT_REDUCE };

/* Exchanges the addresses in one round. `root` is -1 if there is none. Other members will read `source` and write
 * `dest`; NULL: no access. All members pass the same call, root and `bytes`, and get the same result. The job ends if
 * they differ, with or without TESSERA_CHECK, because a member may only access memory that its owner has passed for
 * this call. */
enum tsr_direct tsr_direct_begin(tsr_team *team, enum tsr_direct_call call, int32_t root, const void *source, void *dest,
                                 size_t bytes);

/* Return the source and the destination of local member `local`, valid until the next round; NULL: it passed none. */
const char *tsr_direct_source(const tsr_team *team, int32_t local);
char *tsr_direct_dest(const tsr_team *team, int32_t local);

#endif
