/* Allgather. */
#include <stdlib.h>

#include "coll/blocks.h"
#include "coll/builders.h"
#include "coll/local.h"
#include "coll/nb.h"
#include "core/coll_error.h"

/* ---- algorithms ---- */

static void allgather_direct(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *blocks) {
  tsr_block own = tsr_block_at(blocks, group, group->self);
  for (int32_t i = 1; i < group->n; i++) {
    int32_t to = tsr_group_turn(group, i), from = tsr_group_turn(group, -i);
    tsr_block in = tsr_block_at(blocks, group, from);
    tsr_schedule_receive(schedule, tsr_group_at(group, from), in.data, in.bytes);
    tsr_schedule_send(schedule, tsr_group_at(group, to), own.data, own.bytes);
    if (i % TSR_AT_ONCE_N == 0) tsr_schedule_wait(schedule);
  }
  tsr_schedule_wait(schedule);
}

/* Each member forwards the block that it received in the round before. */
static void allgather_ring(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *blocks) {
  int32_t next = tsr_group_at(group, tsr_group_turn(group, 1)), before = tsr_group_at(group, tsr_group_turn(group, -1));
  tsr_block out = tsr_block_at(blocks, group, group->self);
  for (int32_t i = 1; i < group->n; i++) {
    tsr_block in = tsr_block_at(blocks, group, tsr_group_turn(group, -i));
    tsr_schedule_receive(schedule, before, in.data, in.bytes);
    tsr_schedule_send(schedule, next, out.data, out.bytes);
    tsr_schedule_wait(schedule);
    out = in;
  }
}

/* Bruck's algorithm: each member holds the blocks of its own and following places, twice as many after each round. */
static void allgather_doubling(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *blocks) {
  int32_t n = group->n, self = group->self;
  char *held = tsr_schedule_memory(schedule, tsr_blocks_bytes(group, blocks, 0, n));
  tsr_block own = tsr_block_at(blocks, group, self);
  size_t held_bytes = own.bytes;
  tsr_schedule_copy(schedule, held, own.data, own.bytes);
  for (int32_t have = 1, more; have < n; have += more) {
    more = have < n - have ? have : n - have;
    int32_t to = tsr_group_turn(group, -have), from = tsr_group_turn(group, have);
    size_t in_bytes = tsr_blocks_bytes(group, blocks, self + have, self + have + more);
    tsr_schedule_receive(schedule, tsr_group_at(group, from), held + held_bytes, in_bytes);
    tsr_schedule_send(schedule, tsr_group_at(group, to), held, tsr_blocks_bytes(group, blocks, self, self + more));
    tsr_schedule_wait(schedule);
    held_bytes += in_bytes;
  }
  tsr_blocks_copy(schedule, group, blocks, self + 1, self + n, held + own.bytes, false);
}

void tsr_add_allgather(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *blocks,
                       enum tsr_algorithm algorithm) {
  switch (algorithm) {
    case TSR_BY_DOUBLING: allgather_doubling(schedule, group, blocks); break;
    case TSR_BY_DIRECT: allgather_direct(schedule, group, blocks); break;
    default: allgather_ring(schedule, group, blocks); break;
  }
}

/* ---- by nodes ---- */

static size_t total_of(const tsr_team *team, const struct tsr_coll_buffer *buffer) {
  size_t total = 0;
  if (!buffer->counts) return (size_t)team->size * buffer->each;
  for (int32_t i = 0; i < team->size; i++) total += buffer->counts[i];
  return total;
}

/* Among the leaders. The blocks of the members on this node are already in place. */
static void allgather_nodes(tsr_schedule *schedule, const tsr_team *team, const struct tsr_coll_buffer *buffer) {
  tsr_group leaders = tsr_group_leaders(team, team->leaders[0]);
  tsr_member_blocks blocks = tsr_coll_buffer_nodes(schedule, team, buffer, true);
  size_t mean = blocks.list ? total_of(team, buffer) / (size_t)team->nodes_n : blocks.each;
  if (blocks.list) tsr_coll_buffer_copy(schedule, team, buffer, team->self_node, &blocks, true);
  tsr_add_allgather(schedule, &leaders, &blocks, tsr_select_leaders(TSR_COLL_ALLGATHER, team, mean));
  for (int32_t node = 0; blocks.list && node < team->nodes_n; node++) {
    if (node != team->self_node) tsr_coll_buffer_copy(schedule, team, buffer, node, &blocks, false);
  }
}

/* ---- blocking calls ---- */

/* Finds the blocks of other nodes as pieces of the receive buffer; adjacent blocks are one piece. Returns the number of
 * pieces. */
static size_t find_remote_pieces(const tsr_team *team, const struct tsr_coll_buffer *buffer, struct tsr_data_range pieces[]) {
  size_t n = 0;
  int32_t begin = 0;
  for (int32_t i = 0; i <= team->locals_n; i++) {
    int32_t end = i < team->locals_n ? team->locals[i] : team->size;
    for (int32_t member = begin; buffer->offs && member < end; member++) {
      bool continues = n > 0 && pieces[n - 1].off + pieces[n - 1].bytes == buffer->offs[member];
      if (continues) pieces[n - 1].bytes += buffer->counts[member];
      else pieces[n++] = (struct tsr_data_range){buffer->offs[member], buffer->counts[member]};
    }
    if (!buffer->offs && begin < end)
      pieces[n++] = (struct tsr_data_range){(size_t)begin * buffer->each, (size_t)(end - begin) * buffer->each};
    begin = end + 1;
  }
  return n;
}

/* The leader has all blocks. The other members of the node copy those of other nodes. */
static bool spread_node(tsr_team *team, const struct tsr_coll_buffer *buffer) {
  if (team->locals_n == 1) return true;
  size_t most = (size_t)(buffer->offs ? team->size : team->locals_n + 1);
  struct tsr_data_range *pieces = tsr_coll_memory(most * sizeof *pieces);
  bool good = tsr_local_bcast_pieces(team, buffer->data, pieces, find_remote_pieces(team, buffer, pieces), 0);
  free(pieces);
  return good;
}

static tessera_status_t allgather_blocking(tsr_team *team, const void *send, const struct tsr_coll_buffer *buffer) {
  if (!tsr_local_collect(team, send, buffer, NULL)) return tsr_call_fail(team);
  if (team->nodes_n == 1) return TESSERA_OK;
  if (tsr_leads(team)) {
    tsr_schedule schedule;
    tsr_schedule_begin_blocking(&schedule, team);
    allgather_nodes(&schedule, team, buffer);
    tsr_schedule_end_blocking(&schedule);
  }
  return spread_node(team, buffer) ? TESSERA_OK : tsr_call_fail(team);
}

tessera_status_t tsr_allgather(tsr_team *team, const void *send, void *recv, size_t bytes) {
  if (!tsr_call_begin(team, TSR_CALL_ALLGATHER, bytes, -1, 0)) return TESSERA_ERR_PEER;
  return allgather_blocking(team, send, &(struct tsr_coll_buffer){.data = recv, .each = bytes});
}

tessera_status_t tsr_allgatherv(tsr_team *team, const void *send, void *recv, const size_t counts[], const size_t offs[]) {
  struct tsr_coll_buffer buffer = {recv, counts, offs, 0};
  if (!tsr_call_begin_counts(team, TSR_CALL_ALLGATHERV, total_of(team, &buffer), counts)) return TESSERA_ERR_PEER;
  return allgather_blocking(team, send, &buffer);
}

/* ---- non-blocking calls ---- */

/* Blocks of different sizes must lie one after another: the broadcast on the node writes to all of the buffer. */
static void allgather_by_nodes(tsr_schedule *schedule, const tsr_team *team, tsr_block own, const struct tsr_coll_buffer *buffer) {
  tsr_group locals = tsr_group_locals(team, team->leaders[0]);
  tsr_member_blocks blocks = tsr_coll_buffer_members(schedule, &locals, buffer, NULL);
  size_t total = total_of(team, buffer);
  tsr_add_gather(schedule, &locals, own, &blocks, tsr_select_locals(TSR_COLL_GATHER, team, total / (size_t)team->size));
  if (tsr_leads(team)) allgather_nodes(schedule, team, buffer);
  tsr_schedule_wait(schedule); /* the sends may read the receive buffer */
  tsr_add_bcast(schedule, &locals, buffer->data, total, tsr_select_locals(TSR_COLL_BCAST, team, total));
}

static void add_allgather(tsr_schedule *schedule, const tsr_team *team, tsr_block own, const struct tsr_coll_buffer *buffer,
                          enum tsr_algorithm algorithm) {
  tsr_group group = tsr_group_all(team, 0);
  if (algorithm == TSR_BY_RING && team->nodes_n > 1)
    group = tsr_group_ring(team, team->leaders[0], tsr_schedule_memory(schedule, (size_t)team->size * sizeof(int32_t)));
  tsr_member_blocks blocks = tsr_coll_buffer_members(schedule, &group, buffer, NULL);
  tsr_schedule_copy(schedule, tsr_coll_buffer_at(buffer, team->self), own.data, own.bytes);
  tsr_add_allgather(schedule, &group, &blocks, algorithm);
}

tsr_schedule *tsr_nb_allgather(tsr_team *team, const void *send, void *recv, size_t bytes) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"allgather", bytes, -1, 0, 0});
  struct tsr_coll_buffer buffer = {.data = recv, .each = bytes};
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_ALLGATHER, team, bytes, true);
  tsr_block own = {(char *)send, bytes};
  if (algorithm == TSR_BY_NODES) allgather_by_nodes(schedule, team, own, &buffer);
  else add_allgather(schedule, team, own, &buffer, algorithm);
  return schedule;
}

static bool has_gaps(const tsr_team *team, const struct tsr_coll_buffer *buffer) {
  size_t end = 0;
  for (int32_t i = 0; i < team->size; end += buffer->counts[i++]) {
    if (buffer->counts[i] && buffer->offs[i] != end) return true;
  }
  return false;
}

static void allgatherv_by_nodes(tsr_schedule *schedule, const tsr_team *team, tsr_block own, const struct tsr_coll_buffer *buffer,
                                size_t total) {
  if (!has_gaps(team, buffer)) {
    allgather_by_nodes(schedule, team, own, buffer);
    return;
  }
  size_t *offs = tsr_schedule_memory(schedule, (size_t)team->size * sizeof *offs), end = 0;
  for (int32_t i = 0; i < team->size; end += buffer->counts[i++]) offs[i] = end;
  struct tsr_coll_buffer packed = {tsr_schedule_memory(schedule, total), buffer->counts, offs, 0};
  allgather_by_nodes(schedule, team, own, &packed);
  for (int32_t i = 0; i < team->size; i++)
    tsr_schedule_copy(schedule, tsr_coll_buffer_at(buffer, i), tsr_coll_buffer_at(&packed, i), buffer->counts[i]);
}

tsr_schedule *tsr_nb_allgatherv(tsr_team *team, const void *send, void *recv, struct tsr_counts counts) {
  struct tsr_coll_buffer buffer = {recv, counts.counts, counts.offs, 0};
  size_t total = total_of(team, &buffer);
  struct tsr_check_call call = {"allgatherv", total, -1, 0, tsr_check_digest(counts.counts, team->size)};
  tsr_schedule *schedule = tsr_schedule_begin(team, &call);
  enum tsr_algorithm algorithm = tsr_select(TSR_COLL_ALLGATHER, team, total / (size_t)team->size, true);
  tsr_block own = {(char *)send, counts.counts[team->self]};
  if (algorithm == TSR_BY_NODES) allgatherv_by_nodes(schedule, team, own, &buffer, total);
  else add_allgather(schedule, team, own, &buffer, algorithm == TSR_BY_RING ? TSR_BY_RING : TSR_BY_DIRECT);
  return schedule;
}
