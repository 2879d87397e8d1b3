/* Blocks of data: where they are in memory, and how the shares of members form the blocks of nodes or of a group. */
#ifndef TSR_COLL_BLOCKS_H
#define TSR_COLL_BLOCKS_H

#include "coll/builders.h"
#include "coll/local.h"

/* For the blocks of the places [place, end), which may wrap around after the last place: tsr_blocks_bytes returns their size.
 * tsr_blocks_data returns their address if they are contiguous in this order; NULL: they are not. */
size_t tsr_blocks_bytes(const tsr_group *group, const tsr_member_blocks *blocks, int32_t place, int32_t end);
char *tsr_blocks_data(const tsr_group *group, const tsr_member_blocks *blocks, int32_t place, int32_t end);
/* Copies the blocks to `packed`, where they are contiguous (`packs`), or back. Adjacent blocks are copied together. */
void tsr_blocks_copy(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *blocks, int32_t place, int32_t end,
                     char *packed, bool packs);

/* Return one block per node, with the shares of its members: the shares themselves if they are contiguous, else memory
 * of the schedule. In a table, `data` of this node's block is NULL unless `with_own`. */
tsr_member_blocks tsr_shares_table(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, bool with_own);
static inline tsr_member_blocks tsr_shares_nodes(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares,
                                          bool with_own) {
  if (!team->each_n || shares->counts) return tsr_shares_table(schedule, team, shares, with_own);
  return (tsr_member_blocks){NULL, shares->data, (size_t)team->each_n * shares->each};
}
/* Copies the shares of a node to its block (`packs`), or back, if the block is memory of the schedule. */
void tsr_shares_copy(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, int32_t node,
                     const tsr_member_blocks *blocks, bool packs);

/* Returns one block per member of the group: its share, or, if `packed` is not NULL, its part of `packed`, which has
 * shares of equal size one after another. */
tsr_member_blocks tsr_shares_members(tsr_schedule *schedule, const tsr_group *group, const struct tsr_shares *shares, char *packed);

#endif
