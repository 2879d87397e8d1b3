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

/* Returns the bytes of the shares of a range of members. *together: the shares are contiguous in this order. */
static size_t run_bytes(const struct tsr_shares *shares, const struct tsr_member_range *run, bool *together) {
  size_t total = 0;
  *together = shares->offs || run->n == 1 || run->stride == 1;
  if (!shares->counts) return (size_t)run->n * shares->each;
  for (int32_t i = 0; i < run->n; i++) {
    int32_t member = run->first + i * run->stride;
    if (shares->offs[member] != shares->offs[run->first] + total) *together = false;
    total += shares->counts[member];
  }
  return total;
}

static tsr_block node_block(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, int32_t node,
                            bool has_memory) {
  const struct tsr_member_range *run = tsr_team_ranges(team, node);
  tsr_block block = {tsr_share_at(shares, run->first), 0};
  bool is_one = true, together;
  for (; run < tsr_team_ranges_end(team, node); run++) {
    is_one = is_one && has_memory && tsr_share_at(shares, run->first) == block.data + block.bytes;
    block.bytes += run_bytes(shares, run, &together);
    is_one = is_one && together;
  }
  if (!has_memory) block.data = NULL;
  else if (!is_one) block.data = tsr_schedule_memory(schedule, block.bytes);
  return block;
}

tsr_member_blocks tsr_shares_table(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, bool with_own) {
  tsr_block *blocks = tsr_schedule_memory(schedule, (size_t)team->nodes_n * sizeof *blocks);
  for (int32_t node = 0; node < team->nodes_n; node++)
    blocks[node] = node_block(schedule, team, shares, node, shares->data && (with_own || node != team->self_node));
  return (tsr_member_blocks){.list = blocks};
}

static void copy_run(tsr_schedule *schedule, const struct tsr_shares *shares, const struct tsr_member_range *run, char *packed,
                     bool packs) {
  char *place = tsr_share_at(shares, run->first);
  size_t n = (size_t)run->n, bytes = shares->each, stride = (size_t)run->stride * bytes;
  if (!shares->offs) {
    if (packs) tsr_schedule_copy_blocks(schedule, packed, bytes, place, stride, bytes, n);
    else tsr_schedule_copy_blocks(schedule, place, stride, packed, bytes, bytes, n);
    return;
  }
  for (int32_t i = 0; i < run->n; i++, packed += bytes) {
    place = tsr_share_at(shares, run->first + i * run->stride);
    bytes = tsr_share_bytes(shares, run->first + i * run->stride);
    tsr_schedule_copy(schedule, packs ? packed : place, packs ? place : packed, bytes);
  }
}

void tsr_shares_copy(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, int32_t node,
                     const tsr_member_blocks *blocks, bool packs) {
  char *packed = tsr_block_of(blocks, node).data;
  const struct tsr_member_range *run = tsr_team_ranges(team, node);
  bool together;
  if (!packed || packed == tsr_share_at(shares, run->first)) return;
  for (; run < tsr_team_ranges_end(team, node); run++) {
    copy_run(schedule, shares, run, packed, packs);
    packed += run_bytes(shares, run, &together);
  }
}

tsr_member_blocks tsr_shares_members(tsr_schedule *schedule, const tsr_group *group, const struct tsr_shares *shares,
                                     char *packed) {
  if (packed || (!shares->counts && !group->list)) return (tsr_member_blocks){NULL, packed ? packed : shares->data, shares->each};
  tsr_block *blocks = tsr_schedule_memory(schedule, (size_t)group->n * sizeof *blocks);
  for (int32_t i = 0; i < group->n; i++) {
    int32_t member = tsr_group_member(group, i);
    blocks[i] = (tsr_block){tsr_share_at(shares, member), tsr_share_bytes(shares, member)};
  }
  return (tsr_member_blocks){.list = blocks};
}
