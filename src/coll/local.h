/* The part of a blocking collective on one node. Every member on the node calls. Data that fits into a round of the team's sync
 * area takes one round. Large data is copied from heap to heap (coll/direct), or else through the bounce buffers in several
 * rounds. False: a member failed the call (core/coll_error).
 */
#ifndef TSR_COLL_LOCAL_H
#define TSR_COLL_LOCAL_H

#include <stdbool.h>
#include <stddef.h>

#include "coll/coll.h"
#include "core/sync.h"
#include "core/team.h"

/* How much of a vector, or of each share, passes the bounce buffers in one step: of a short one half a buffer, so that one member
 * writes while others read. */
static inline size_t tsr_local_step_bytes(size_t bytes) {
  return bytes < 4 * TSR_BOUNCE_BYTES ? TSR_BOUNCE_BYTES / 2 : TSR_BOUNCE_BYTES;
}

/* A member's number among those on this node; -1: it is on another. */
int32_t tsr_local_of(const tsr_team *team, tsr_member member);

#define TSR_MUST_USE __attribute__((warn_unused_result))

/* The local member `root` has `bytes` in buffer; afterwards all have. */
TSR_MUST_USE bool tsr_local_bcast(tsr_team *team, void *buffer, size_t bytes, int32_t root);

/* The same for pieces of the buffer, as if they lay one after another. */
struct tsr_piece {
  size_t off, bytes;
};
TSR_MUST_USE bool tsr_local_bcast_pieces(tsr_team *team, char *buffer, const struct tsr_piece pieces[], size_t pieces_n,
                                         int32_t root);

/* The shares of all members of a team, by the members' numbers. */
struct tsr_shares {
  char *data;           /* NULL: only the sizes count */
  const size_t *counts; /* bytes of each, and `offs` where it begins; NULL: `each` bytes, one after another */
  const size_t *offs;
  size_t each;
};
static inline size_t tsr_share_bytes(const struct tsr_shares *shares, int32_t member) {
  return shares->counts ? shares->counts[member] : shares->each;
}
static inline char *tsr_share_at(const struct tsr_shares *shares, int32_t member) {
  if (!shares->data) return NULL;
  return shares->data + (shares->offs ? shares->offs[member] : (size_t)member * shares->each);
}

/* Each local member sends its share. A member gets those of all local members in their places, or, if `packed` is not NULL, one
 * after another there (shares of equal size); if neither `packed` nor shares->data is there, it gets none. Its own may be in its
 * place already. */
TSR_MUST_USE bool tsr_local_collect(tsr_team *team, const void *send, const struct tsr_shares *shares, char *packed);

/* The local member `root` has `bytes` for each local member, one after another in `send`; each gets its own. */
TSR_MUST_USE bool tsr_local_distribute(tsr_team *team, const void *send, size_t bytes, void *recv, int32_t root);

/* Each local member has `bytes` for each member of the team, one after another; what is for local members is exchanged. */
TSR_MUST_USE bool tsr_local_exchange(tsr_team *team, const char *send, size_t bytes, char *recv);

/* Combines n elements of every local member in team order into `recv` of every member that passes one. */
TSR_MUST_USE bool tsr_local_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how);

#endif
