#include "coll/blocks.h"

size_t tsr_blocks_bytes(const tsr_group *group, const tsr_block blocks[], int32_t place, int32_t end) {
  size_t bytes = 0;
  for (; place < end; place++) bytes += blocks[tsr_group_number(group, place)].bytes;
  return bytes;
}

char *tsr_blocks_data(const tsr_group *group, const tsr_block blocks[], int32_t place, int32_t end) {
  char *begin = blocks[tsr_group_number(group, place)].data, *at = begin;
  for (; place < end; place++) {
    const tsr_block *block = &blocks[tsr_group_number(group, place)];
    if (block->data != at) return NULL;
    at += block->bytes;
  }
  return begin;
}

void tsr_blocks_copy(tsr_schedule *schedule, const tsr_group *group, const tsr_block blocks[], int32_t place, int32_t end,
                    char *packed, bool packs) {
  for (int32_t next; place < end; place = next) {
    const tsr_block *block = &blocks[tsr_group_number(group, place)];
    size_t bytes = block->bytes;
    for (next = place + 1; next < end && blocks[tsr_group_number(group, next)].data == block->data + bytes; next++)
      bytes += blocks[tsr_group_number(group, next)].bytes;
    tsr_schedule_copy(schedule, packs ? packed : block->data, packs ? block->data : packed, bytes);
    packed += bytes;
  }
}

static size_t run_bytes(const struct tsr_count_list *counts_list, const struct tsr_run *run) {
  size_t total = 0;
  if (!counts_list->counts) return (size_t)run->n * counts_list->each;
  for (int32_t i = 0; i < run->n; i++) total += counts_list->counts[run->first + i * run->stride];
  return total;
}

/* Whether the shares of the run's members lie one after another. */
static bool is_one_block(const struct tsr_shares *shares, const struct tsr_run *run) {
  if (!shares->offs) return run->n == 1 || run->stride == 1;
  for (int32_t i = 1; i < run->n; i++) {
    int32_t member = run->first + i * run->stride, before = member - run->stride;
    if (tsr_shares_at(shares, member) != tsr_shares_at(shares, before) + tsr_count_bytes(&shares->counts_list, before))
      return false;
  }
  return true;
}

static tsr_block node_block(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, int32_t node,
                            bool has_memory) {
  const struct tsr_run *run = tsr_team_iov(team, node);
  tsr_block block = {tsr_shares_at(shares, run->first), 0};
  bool is_one = true;
  for (; run < tsr_team_runs_end(team, node); run++) {
    is_one = is_one && has_memory && tsr_shares_at(shares, run->first) == block.data + block.bytes && is_one_block(shares, run);
    block.bytes += run_bytes(&shares->counts_list, run);
  }
  if (!has_memory) block.data = NULL;
  else if (!is_one) block.data = tsr_schedule_memory(schedule, block.bytes);
  return block;
}

tsr_block *tsr_shares_nodes(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, bool with_own) {
  tsr_block *blocks = tsr_schedule_memory(schedule, (size_t)team->nodes_n * sizeof *blocks);
  for (int32_t node = 0; node < team->nodes_n; node++)
    blocks[node] = node_block(schedule, team, shares, node, shares->data && (with_own || node != team->self_node));
  return blocks;
}

static void copy_run(tsr_schedule *schedule, const struct tsr_shares *shares, const struct tsr_run *run, char *packed,
                     bool packs) {
  char *place = tsr_shares_at(shares, run->first);
  size_t n = (size_t)run->n, bytes = shares->counts_list.each, stride = (size_t)run->stride * bytes;
  if (!shares->offs) {
    if (packs) tsr_schedule_copy_blocks(schedule, packed, bytes, place, stride, bytes, n);
    else tsr_schedule_copy_blocks(schedule, place, stride, packed, bytes, bytes, n);
    return;
  }
  for (int32_t i = 0; i < run->n; i++, packed += bytes) {
    place = tsr_shares_at(shares, run->first + i * run->stride);
    bytes = tsr_count_bytes(&shares->counts_list, run->first + i * run->stride);
    tsr_schedule_copy(schedule, packs ? packed : place, packs ? place : packed, bytes);
  }
}

void tsr_shares_copy(tsr_schedule *schedule, const tsr_team *team, const struct tsr_shares *shares, int32_t node,
                     const tsr_block *block, bool packs) {
  char *packed = block->data;
  const struct tsr_run *run = tsr_team_iov(team, node);
  if (!packed || packed == tsr_shares_at(shares, run->first)) return;
  for (; run < tsr_team_runs_end(team, node); run++) {
    copy_run(schedule, shares, run, packed, packs);
    packed += run_bytes(&shares->counts_list, run);
  }
}

tsr_block *tsr_shares_members(tsr_schedule *schedule, const tsr_group *group, const struct tsr_shares *shares, char *packed) {
  tsr_block *blocks = tsr_schedule_memory(schedule, (size_t)group->n * sizeof *blocks);
  for (int32_t i = 0; i < group->n; i++) {
    int32_t member = tsr_group_member(group, i);
    blocks[i] = (tsr_block){packed ? packed : tsr_shares_at(shares, member), tsr_count_bytes(&shares->counts_list, member)};
    if (packed) packed += blocks[i].bytes;
  }
  return blocks;
}
