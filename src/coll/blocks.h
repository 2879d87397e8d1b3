/* Blocks of data: where they are in memory, and how the blocks of members make one block for each node. */
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

/* Return one block per node, with the blocks of its members: in place if they are contiguous, else in memory of the
 * schedule. In a table, `data` of this node's block is NULL unless `with_own`. */
tsr_member_blocks tsr_coll_buffer_table(tsr_schedule *schedule, const tsr_team *team, const struct tsr_coll_buffer *buffer,
                                        bool with_own);
static inline tsr_member_blocks tsr_coll_buffer_nodes(tsr_schedule *schedule, const tsr_team *team,
                                                      const struct tsr_coll_buffer *buffer, bool with_own) {
  if (!team->each_n || buffer->counts) return tsr_coll_buffer_table(schedule, team, buffer, with_own);
  return (tsr_member_blocks){NULL, buffer->data, (size_t)team->each_n * buffer->each};
}
/* Copies the blocks of a node's members to the block of the node (`packs`), or back, if that is memory of the schedule. */
void tsr_coll_buffer_copy(tsr_schedule *schedule, const tsr_team *team, const struct tsr_coll_buffer *buffer, int32_t node,
                          const tsr_member_blocks *blocks, bool packs);

/* Returns the blocks of the members of the group: in `buffer`, or, if `packed` is not NULL, there, of equal size and one after
 * another. */
tsr_member_blocks tsr_coll_buffer_members(tsr_schedule *schedule, const tsr_group *group, const struct tsr_coll_buffer *buffer,
                                          char *packed);

#endif
