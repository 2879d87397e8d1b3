/* The part of a blocking collective on one node. Every member on the node calls. Data that fits into a round of the
 * team's sync area takes one round. Larger data is copied between the members' buffers (coll/direct), or in several rounds
 * through the bounce buffers. False: a member failed the call (core/coll_error). */
#ifndef TSR_COLL_LOCAL_H
#define TSR_COLL_LOCAL_H

#include <stdbool.h>
#include <stddef.h>

#include "coll/coll.h"
#include "core/sync.h"
#include "core/team.h"

/* Returns how many bytes of a vector, or of each block, pass through the bounce buffers in one step. For short data it is half a
 * buffer, so that one member writes while others read. */
static inline size_t tsr_local_step_bytes(size_t bytes) {
  return bytes < 4 * TSR_BOUNCE_BYTES ? TSR_BOUNCE_BYTES / 2 : TSR_BOUNCE_BYTES;
}

/* Returns a member's number among those on this node; -1: it is on another node. */
int32_t tsr_local_of(const tsr_team *team, tsr_member member);

/* Copies `bytes` of `buffer` from local member `root` to all local members. */
TSR_MUST_USE bool tsr_local_bcast(tsr_team *team, void *buffer, size_t bytes, int32_t root);

/* As tsr_local_bcast, for pieces of the buffer. */
struct tsr_data_range {
  size_t off, bytes;
};
TSR_MUST_USE bool tsr_local_bcast_pieces(tsr_team *team, char *buffer, const struct tsr_data_range pieces[], size_t pieces_n,
                                         int32_t root);

/* A buffer with a block for each member of a team, by counts and displacements or of equal size. */
struct tsr_coll_buffer {
  char *data;           /* NULL: only the sizes count */
  const size_t *counts; /* bytes of each, beginning at `offs`; NULL: `each` bytes, one after another */
  const size_t *offs;
  size_t each;
};
static inline size_t tsr_coll_buffer_bytes(const struct tsr_coll_buffer *buffer, int32_t member) {
  return buffer->counts ? buffer->counts[member] : buffer->each;
}
static inline char *tsr_coll_buffer_at(const struct tsr_coll_buffer *buffer, int32_t member) {
  if (!buffer->data) return NULL;
  return buffer->data + (buffer->offs ? buffer->offs[member] : (size_t)member * buffer->each);
}

/* Gathers the blocks of all local members. A member receives them one after another in `packed` (blocks of equal size),
 * or, if that is NULL, at their places in buffer->data; if both are NULL, it receives none. Its own block may be in
 * place already. */
TSR_MUST_USE bool tsr_local_collect(tsr_team *team, const void *send, const struct tsr_coll_buffer *buffer, char *packed);

/* Local member `root` has `bytes` for each local member, one after another in `send`. Each member gets its own block. */
TSR_MUST_USE bool tsr_local_distribute(tsr_team *team, const void *send, size_t bytes, void *recv, int32_t root);

/* Each local member has `bytes` for each member of the team, one after another. Exchanges the blocks for local members. */
TSR_MUST_USE bool tsr_local_exchange(tsr_team *team, const char *send, size_t bytes, char *recv);

/* Combines n elements of all local members, in team order, into `recv` of every member that passes one. */
TSR_MUST_USE bool tsr_local_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how);

#endif
