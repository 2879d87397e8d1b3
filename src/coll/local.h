/* The part of a blocking collective on one node. Every member on the node calls. Data that fits into a round of the team's sync
 * area takes one round. Large data is copied from heap to heap (coll/direct), or else through the bounce buffers in several
 * rounds. False: a member failed the call (core/coll_error).
 */
#ifndef TSR_COLL_LOCAL_H
#define TSR_COLL_LOCAL_H

#include <stdbool.h>
#include <stddef.h>

#include "coll/coll.h"
#include "core/team.h"

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

/* Each local member sends its share; a member that wants them gets the i-th local member's at places[i], except its own when it
 * lies there already. */
struct tsr_count_list {
  const size_t *counts; /* bytes of each member of the team; NULL: `each` */
  size_t each;
};
static inline size_t tsr_count_bytes(const struct tsr_count_list *counts_list, int32_t member) {
  return counts_list->counts ? counts_list->counts[member] : counts_list->each;
}
TSR_MUST_USE bool tsr_local_collect(tsr_team *team, const void *send, const struct tsr_count_list *counts_list,
                                    char *const places[]);

/* The local member `root` has `bytes` for each local member, one after another in `send`; each gets its own. */
TSR_MUST_USE bool tsr_local_distribute(tsr_team *team, const void *send, size_t bytes, void *recv, int32_t root);

/* Each local member has `bytes` for each local member at places[i]; each gets those for it at recv[i]. */
TSR_MUST_USE bool tsr_local_exchange(tsr_team *team, const char *const places[], size_t bytes, char *const recv[]);

/* Combines n elements of every local member in team order into `recv` of every member that passes one. */
TSR_MUST_USE bool tsr_local_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how);

#endif
