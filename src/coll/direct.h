/* Buffers of the members of a node that lie in its heaps, where everybody can load and store them: a collective of large data
 * exchanges where its buffers are, copies straight between them, and ends with a step after which everybody may use its
 * own again. Private memory goes through the bounce buffers. The kernel's copies between processes (node/attach) would
 * save one copy of two; measured, a broadcast and a reduction of 256 KiB are faster through the bounce buffers, and
 * from 4 to 16 MiB now one is faster and now the other.
 */
#ifndef TSR_COLL_DIRECT_H
#define TSR_COLL_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/team.h"

/* More than this is worth asking for; private buffers lose a turn by that. */
enum { TSR_DIRECT_BYTES = 16 << 10 };

enum tsr_direct {
  TSR_DIRECT_REFUSED, /* a member refused the call */
  TSR_DIRECT_NO,      /* some buffer is private: take the bounce buffers */
  TSR_DIRECT_YES
};

/* What is called. */
enum tsr_direct_call { TSR_DIRECT_BCAST, TSR_DIRECT_COLLECT, TSR_DIRECT_DISTRIBUTE, TSR_DIRECT_EXCHANGE, TSR_DIRECT_REDUCE };

/* A turn. `root` is -1 where there is none. `source` is what other members will read of this one's, `dest` what they will write; NULL: nothing. The call, its
 * root and `bytes` are the same on all members, as is the answer; the job ends when they differ, with or without
 * TESSERA_CHECK, since nobody may touch memory that another one has not given for this very call. */
enum tsr_direct tsr_direct_begin(tsr_team *team, enum tsr_direct_call call, int32_t root, const void *source, void *dest,
                                 size_t bytes);

/* Between that and the next step: source and destination of local member `local`; NULL: it gave none. */
const char *tsr_direct_source(const tsr_team *team, int32_t local);
char *tsr_direct_dest(const tsr_team *team, int32_t local);

#endif
