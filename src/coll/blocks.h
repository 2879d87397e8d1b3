/* How the shares of a team's members make up the blocks of its nodes, or of the members of a group; and blocks in memory. */
#ifndef TSR_COLL_BLOCKS_H
#define TSR_COLL_BLOCKS_H

#include "coll/builders.h"
#include "coll/local.h"

/* The blocks of the places from `place` to before `end`, which may go on from the last place to the first: how many bytes they
 * have, and where they lie one after another (NULL: they do not). */
size_t tsr_blocks_bytes(const tsr_group *group, const tsr_blocks *blocks, int32_t place, int32_t end);
char *tsr_blocks_data(const tsr_group *group, const tsr_blocks *blocks, int32_t place, int32_t end);
/* Copies between the blocks and `packed`, where they lie one after another. Neighbouring blocks are copied together. */
void tsr_blocks_copy(tsr_schedule *schedule, const tsr_group *group, const tsr_blocks *blocks, int32_t place, int32_t end,
                     char *packed, bool packs);

/* The shares of each node's members as one block: in their places, if they lie there one after another, else in memory of the
 * schedule. Of a table of blocks the own node's has no memory, unless `with_own`. */
tsr_blocks tsr_shares_table(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, bool with_own);
static inline tsr_blocks tsr_shares_nodes(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares,
                                          bool with_own) {
  if (!team->each_n || shares->counts) return tsr_shares_table(schedule, team, shares, with_own);
  return (tsr_blocks){NULL, shares->data, (size_t)team->each_n * shares->each};
}
/* Copies a node's block from, or to, the places of its shares, if it is in memory of the schedule. */
void tsr_shares_copy(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, int32_t node,
                     const tsr_blocks *blocks, bool packs);

/* The share of each member of the group as a block: in its place, or, if `packed` is not NULL, one after another there (shares
 * of equal size). */
tsr_blocks tsr_shares_members(tsr_schedule *schedule, const tsr_group *group, const struct tsr_shares *shares, char *packed);

#endif
