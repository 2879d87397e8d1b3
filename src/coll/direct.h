/* Buffers of the members of a node, where they lie: the heaps are loaded and stored, private memory is copied by the kernel
 * (node/attach). A collective of large data exchanges where its buffers are, copies straight between them, and ends with
 * a step after which everybody may use its own again.
 */
#ifndef TSR_COLL_DIRECT_H
#define TSR_COLL_DIRECT_H

#include <stddef.h>

#include "core/team.h"

enum tsr_direct {
  TSR_DIRECT_REFUSED, /* a member refused the call */
  TSR_DIRECT_NO,      /* some buffer cannot be reached, or not with profit: take the stages */
  TSR_DIRECT_YES
};

/* A turn. `source` is what other members will read of this one's, `dest` what they will write; NULL: nothing. `bytes` is what
 * one copy moves; equal on all members, as is the answer. */
enum tsr_direct tsr_direct_begin(tsr_team *team, const void *source, void *dest, size_t bytes);

/* Between that and the next step: `bytes` at `off` in the source of local member `local`, or to its destination. */
void tsr_direct_get(const tsr_team *team, int32_t local, size_t off, void *to, size_t bytes);
void tsr_direct_put(const tsr_team *team, int32_t local, size_t off, const void *from, size_t bytes);
/* The bytes at `off` themselves, NULL: they have to be got. */
const void *tsr_direct_source(const tsr_team *team, int32_t local, size_t off);
/* Whether the member has a destination. */
bool tsr_direct_wants(const tsr_team *team, int32_t local);

#endif
