/* Direct copies between buffers in the heaps of the node, where all its members can load and store. The members of a
 * collective of large data exchange the addresses of their buffers, copy between them, and end with a step after which
 * each may use its own again. Private memory goes through the bounce buffers. The kernel's copies between processes
 * (node/attach) would save one copy of two. Measured: a broadcast, a reduction and an alltoall of up to 1 MiB are
 * faster through the bounce buffers; from 4 to 16 MiB neither is always faster.
 */
#ifndef TSR_COLL_DIRECT_H
#define TSR_COLL_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/team.h"

/* Calls with more bytes than this try it. If a buffer is private, that costs them one round. */
enum { TSR_DIRECT_BYTES = 16 << 10 };

enum tsr_direct {
  TSR_DIRECT_REFUSED, /* a member failed the call */
  TSR_DIRECT_NO,      /* some buffer is private: take the bounce buffers */
  TSR_DIRECT_YES
};

/* What is called. */
enum tsr_direct_call { TSR_DIRECT_BCAST, TSR_DIRECT_COLLECT, TSR_DIRECT_DISTRIBUTE, TSR_DIRECT_EXCHANGE, TSR_DIRECT_REDUCE };

/* Begins a round. `root` is -1 if there is none. Other members will read `source` and write `dest`; NULL: no access.
 * The call, its root and `bytes` are the same on all members, and so is the result. The job ends if they differ, with
 * or without TESSERA_CHECK, because a member may only access memory that another one has given for this call. */
enum tsr_direct tsr_direct_begin(tsr_team *team, enum tsr_direct_call call, int32_t root, const void *source, void *dest,
                                 size_t bytes);

/* Until the next step: the source and the destination of local member `local`; NULL: it gave none. */
const char *tsr_direct_source(const tsr_team *team, int32_t local);
char *tsr_direct_dest(const tsr_team *team, int32_t local);

#endif
