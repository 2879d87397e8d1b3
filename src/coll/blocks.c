#include "coll/blocks.h"

size_t tsr_blocks_bytes(const tsr_group *group, const tsr_member_blocks *blocks, int32_t place, int32_t end) {
  if (!blocks->list) return (size_t)(end - place) * blocks->each;
  size_t bytes = 0;
  for (; place < end; place++) bytes += tsr_block_at(blocks, group, place).bytes;
  return bytes;
}

char *tsr_blocks_data(const tsr_group *group, const tsr_member_blocks *blocks, int32_t place, int32_t end) {
  char *begin = tsr_block_at(blocks, group, place).data, *at = begin;
  for (; place < end; place++) {
    tsr_block block = tsr_block_at(blocks, group, place);
    if (block.data != at) return NULL;
    at += block.bytes;
  }
  return begin;
}

void tsr_blocks_copy(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *blocks, int32_t place, int32_t end,
                     char *packed, bool packs) {
  for (int32_t next; place < end; place = next) {
    tsr_block all = tsr_block_at(blocks, group, place);
    for (next = place + 1; next < end; next++) {
      tsr_block more = tsr_block_at(blocks, group, next);
      if (more.data != all.data + all.bytes) break;
      all.bytes += more.bytes;
    }
    tsr_schedule_copy(schedule, packs ? packed : all.data, packs ? all.data : packed, all.bytes);
    packed += all.bytes;
  }
}

/* Returns the bytes of the blocks of a range of members. *together: the blocks are contiguous in this order. */
static size_t range_bytes(const struct tsr_coll_buffer *buffer, const struct tsr_member_range *range, bool *together) {
  size_t total = 0;
  *together = buffer->offs || range->n == 1 || range->stride == 1;
  if (!buffer->counts) return (size_t)range->n * buffer->each;
  for (int32_t i = 0; i < range->n; i++) {
    int32_t member = range->first + i * range->stride;
    if (buffer->offs[member] != buffer->offs[range->first] + total) *together = false;
    total += buffer->counts[member];
  }
  return total;
}

static tsr_block node_block(tsr_schedule *schedule, const tsr_team *team, const struct tsr_coll_buffer *buffer, int32_t node,
                            bool has_memory) {
  const struct tsr_member_range *range = tsr_team_ranges(team, node);
  tsr_block block = {tsr_coll_buffer_at(buffer, range->first), 0};
  bool is_one = true, together;
  for (; range < tsr_team_ranges_end(team, node); range++) {
    is_one = is_one && has_memory && tsr_coll_buffer_at(buffer, range->first) == block.data + block.bytes;
    block.bytes += range_bytes(buffer, range, &together);
    is_one = is_one && together;
  }
  if (!has_memory) block.data = NULL;
  else if (!is_one) block.data = tsr_schedule_memory(schedule, block.bytes);
  return block;
}

tsr_member_blocks tsr_coll_buffer_table(tsr_schedule *schedule, const tsr_team *team, const struct tsr_coll_buffer *buffer,
                                        bool with_own) {
  tsr_block *blocks = tsr_schedule_memory(schedule, (size_t)team->nodes_n * sizeof *blocks);
  for (int32_t node = 0; node < team->nodes_n; node++)
    blocks[node] = node_block(schedule, team, buffer, node, buffer->data && (with_own || node != team->self_node));
  return (tsr_member_blocks){.list = blocks};
}

static void copy_range(tsr_schedule *schedule, const struct tsr_coll_buffer *buffer, const struct tsr_member_range *range,
                       char *packed, bool packs) {
  char *place = tsr_coll_buffer_at(buffer, range->first);
  size_t n = (size_t)range->n, bytes = buffer->each, stride = (size_t)range->stride * bytes;
  if (!buffer->offs) {
    if (packs) tsr_schedule_copy_blocks(schedule, packed, bytes, place, stride, bytes, n);
    else tsr_schedule_copy_blocks(schedule, place, stride, packed, bytes, bytes, n);
    return;
  }
  for (int32_t i = 0; i < range->n; i++, packed += bytes) {
    place = tsr_coll_buffer_at(buffer, range->first + i * range->stride);
    bytes = tsr_coll_buffer_bytes(buffer, range->first + i * range->stride);
    tsr_schedule_copy(schedule, packs ? packed : place, packs ? place : packed, bytes);
  }
}

void tsr_coll_buffer_copy(tsr_schedule *schedule, const tsr_team *team, const struct tsr_coll_buffer *buffer, int32_t node,
                          const tsr_member_blocks *blocks, bool packs) {
  char *packed = tsr_block_of(blocks, node).data;
  const struct tsr_member_range *range = tsr_team_ranges(team, node);
  bool together;
  if (!packed || packed == tsr_coll_buffer_at(buffer, range->first)) return;
  for (; range < tsr_team_ranges_end(team, node); range++) {
    copy_range(schedule, buffer, range, packed, packs);
    packed += range_bytes(buffer, range, &together);
  }
}

tsr_member_blocks tsr_coll_buffer_members(tsr_schedule *schedule, const tsr_group *group, const struct tsr_coll_buffer *buffer,
                                          char *packed) {
  if (packed || (!buffer->counts && !group->list)) return (tsr_member_blocks){NULL, packed ? packed : buffer->data, buffer->each};
  tsr_block *blocks = tsr_schedule_memory(schedule, (size_t)group->n * sizeof *blocks);
  for (int32_t i = 0; i < group->n; i++) {
    int32_t member = tsr_group_member(group, i);
    blocks[i] = (tsr_block){tsr_coll_buffer_at(buffer, member), tsr_coll_buffer_bytes(buffer, member)};
  }
  return (tsr_member_blocks){.list = blocks};
}
