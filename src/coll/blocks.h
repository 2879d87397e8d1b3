/* Blocks of data of a group's members in memory, and how the shares of all members of a team make up the blocks of its nodes. */
#ifndef TSR_COLL_BLOCKS_H
#define TSR_COLL_BLOCKS_H

#include "coll/builders.h"
#include "coll/local.h"

/* The blocks of the places from `place` to before `end`, which may go on from the last place to the first: how many bytes they
 * have, and where they lie one after another (NULL: they do not). */
size_t tsr_blocks_bytes(const tsr_group *group, const tsr_block blocks[], int32_t place, int32_t end);
char *tsr_blocks_data(const tsr_group *group, const tsr_block blocks[], int32_t place, int32_t end);
/* Copies between the blocks and `packed`, where they lie one after another. Neighbouring blocks are copied together. */
void tsr_blocks_copy(tsr_schedule *schedule, const tsr_group *group, const tsr_block blocks[], int32_t place, int32_t end,
                    char *packed, bool packs);

/* Where the shares of all members of a team lie. */
struct tsr_shares {
  struct tsr_count_list counts_list;
  const size_t *offs; /* NULL: member number times `each` */
  char *data;         /* NULL: only the sizes count */
};
static inline char *tsr_shares_at(const struct tsr_shares *shares, int32_t member) {
  if (!shares->data) return NULL;
  return shares->data + (shares->offs ? shares->offs[member] : (size_t)member * shares->counts_list.each);
}

/* The shares of each node's members as one block: in their places, if they lie there one after another, else in memory of the
 * schedule. The own node's block has no memory, unless `with_own`. */
tsr_block *tsr_shares_nodes(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, bool with_own);
/* Copies a node's block from, or to, the places of its shares, if it is in memory of the schedule. */
void tsr_shares_copy(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, int32_t node,
                     const tsr_block *block, bool packs);

/* The share of each member of the group as a block: in its place, or, if `packed` is not NULL, one after another there. */
tsr_block *tsr_shares_members(tsr_schedule *schedule, const tsr_group *group, const struct tsr_shares *shares, char *packed);

#endif
