/* Alltoall. */
#include <stdlib.h>
#include <string.h>

#include "coll/builders.h"
#include "coll/local.h"
#include "coll/nb.h"
#include "core/coll_error.h"

/* ---- each pair of members ---- */

/* Pairwise exchange: in each step every member sends to one member and receives from one. */
static void exchange_members(tsr_schedule *schedule, const tsr_team *team, const struct tsr_coll_buffer *out,
                             const struct tsr_coll_buffer *in, bool only_remote) {
  int32_t n = team->size, self = team->self;
  for (int32_t step = 1; step < n; step++) {
    int32_t to = (self + step) % n, from = (self - step + n) % n;
    bool skips_to = only_remote && tsr_place_is_local(tsr_team_unit(team, TSR_MEMBER(to)));
    bool skips_from = only_remote && tsr_place_is_local(tsr_team_unit(team, TSR_MEMBER(from)));
    if (!skips_from) tsr_schedule_receive(schedule, from, tsr_coll_buffer_at(in, from), tsr_coll_buffer_bytes(in, from));
    if (!skips_to) tsr_schedule_send(schedule, to, tsr_coll_buffer_at(out, to), tsr_coll_buffer_bytes(out, to));
    if (step % TSR_AT_ONCE_N == 0) tsr_schedule_wait(schedule);
  }
  tsr_schedule_wait(schedule);
}

/* ---- each pair of nodes: the leaders exchange one message for all of their members ---- */

static bool goes_by_nodes(const tsr_team *team, size_t bytes) {
  enum { MESSAGE_BYTES = 64 << 10 };
  size_t pairs_n = (size_t)team->largest_n * (size_t)team->largest_n;
  return bytes && team->nodes_n > 1 && team->largest_n > 1 && bytes <= MESSAGE_BYTES / pairs_n;
}

/* The blocks that this node's members send (or receive): a row for each of them, a column for each team member. */
struct table {
  const tsr_team *team;
  char *data;
  size_t bytes; /* of one block */
};
static char *cell_of(const struct table *table, int32_t local, int32_t member) {
  return table->data + ((size_t)local * (size_t)table->team->size + (size_t)member) * table->bytes;
}

/* A message contains the blocks sender by sender. The blocks of one sender are in the order of the receivers. */
static size_t pack_node(tsr_schedule *schedule, const struct table *out, int32_t node, char *packed) {
  const tsr_team *team = out->team;
  char *at = packed;
  for (int32_t local = 0; local < team->locals_n; local++) {
    for (const struct tsr_member_range *range = tsr_team_ranges(team, node); range < tsr_team_ranges_end(team, node); range++) {
      size_t n = (size_t)range->n, stride = (size_t)range->stride * out->bytes;
      tsr_schedule_copy_blocks(schedule, at, out->bytes, cell_of(out, local, range->first), stride, out->bytes, n);
      at += n * out->bytes;
    }
  }
  return (size_t)(at - packed);
}

static void unpack_node(tsr_schedule *schedule, const struct table *in, int32_t node, const char *packed) {
  const tsr_team *team = in->team;
  size_t sender_bytes = (size_t)team->locals_n * in->bytes;
  for (const struct tsr_member_range *range = tsr_team_ranges(team, node); range < tsr_team_ranges_end(team, node); range++) {
    size_t n = (size_t)range->n, stride = (size_t)range->stride * in->bytes;
    for (int32_t local = 0; local < team->locals_n; local++)
      tsr_schedule_copy_blocks(schedule, cell_of(in, local, range->first), stride, packed + (size_t)local * in->bytes, sender_bytes,
                               in->bytes, n);
    packed += n * sender_bytes;
  }
}

static size_t members_of(const tsr_team *team, int32_t node) {
  size_t n = 0;
  for (const struct tsr_member_range *range = tsr_team_ranges(team, node); range < tsr_team_ranges_end(team, node); range++)
    n += (size_t)range->n;
  return n;
}

/* Moves the blocks from one table to the other: copies on the node, messages between leaders. */
static void exchange_tables(tsr_schedule *schedule, const struct table *out, const struct table *in) {
  const tsr_team *team = out->team;
  const int32_t n = team->nodes_n, self = team->self_node;
  const size_t most = (size_t)team->locals_n * (size_t)team->largest_n * out->bytes;
  char *memory = tsr_schedule_memory(schedule, 2 * (size_t)(n < TSR_AT_ONCE_N ? n : TSR_AT_ONCE_N) * most);
  for (int32_t i = 0; i < team->locals_n; i++) {
    for (int32_t k = 0; k < team->locals_n; k++)
      tsr_schedule_copy(schedule, cell_of(in, i, team->locals[k]), cell_of(out, k, team->locals[i]), out->bytes);
  }
  for (int32_t first = 1, now; first < n; first += now) {
    now = n - first < TSR_AT_ONCE_N ? n - first : TSR_AT_ONCE_N;
    for (int32_t i = 0; i < now; i++) {
      int32_t to = (self + first + i) % n, from = (self - first - i + n) % n;
      char *packed = memory + (size_t)(2 * i) * most, *theirs = packed + most;
      tsr_schedule_receive(schedule, team->leaders[from], theirs, (size_t)team->locals_n * members_of(team, from) * in->bytes);
      size_t bytes = pack_node(schedule, out, to, packed);
      tsr_schedule_send(schedule, team->leaders[to], packed, bytes);
    }
    tsr_schedule_wait(schedule);
    for (int32_t i = 0; i < now; i++)
      unpack_node(schedule, in, (self - first - i + n) % n, memory + (size_t)(2 * i + 1) * most);
  }
}

/* ---- blocking ---- */

/* The leader collects the blocks for other nodes, exchanges them with the other leaders, and distributes the received
 * blocks. */
static bool exchange_by_nodes(tsr_schedule *schedule, tsr_team *team, const char *send, char *recv, size_t bytes) {
  size_t row_bytes = (size_t)team->size * bytes, locals_n = (size_t)team->locals_n;
  struct table out = {team, NULL, bytes}, in = out;
  if (tsr_leads(team)) {
    out.data = tsr_schedule_memory(schedule, locals_n * row_bytes);
    in.data = tsr_schedule_memory(schedule, locals_n * row_bytes);
  }
  if (!tsr_local_collect(team, send, &(struct tsr_coll_buffer){.each = row_bytes}, out.data)) return false;
  if (tsr_leads(team)) exchange_tables(schedule, &out, &in);
  return tsr_local_distribute(team, in.data, row_bytes, recv, 0);
}

tessera_status_t tsr_alltoall(tsr_team *team, const void *send, void *recv, size_t bytes) {
  if (!tsr_call_begin(team, TSR_CALL_ALLTOALL, bytes, -1, 0)) return TESSERA_ERR_PEER;
  if (team->nodes_n == 1) return tsr_local_exchange(team, send, bytes, recv) ? TESSERA_OK : tsr_call_fail(team);
  struct tsr_coll_buffer out = {.data = (char *)send, .each = bytes}, in = {.data = recv, .each = bytes};
  tsr_schedule schedule;
  bool good;
  tsr_schedule_begin_blocking(&schedule, team);
  if (goes_by_nodes(team, bytes)) {
    good = exchange_by_nodes(&schedule, team, send, recv, bytes);
  } else {
    good = tsr_local_exchange(team, send, bytes, recv);
    if (good) exchange_members(&schedule, team, &out, &in, true);
  }
  tsr_schedule_end_blocking(&schedule);
  return good ? TESSERA_OK : tsr_call_fail(team);
}

/* ---- non-blocking ---- */

static void add_members(tsr_schedule *schedule, const tsr_team *team, const struct tsr_coll_buffer *out,
                        const struct tsr_coll_buffer *in) {
  int32_t self = team->self;
  exchange_members(schedule, team, out, in, false);
  tsr_schedule_copy(schedule, tsr_coll_buffer_at(in, self), tsr_coll_buffer_at(out, self), tsr_coll_buffer_bytes(in, self));
}

static void add_by_nodes(tsr_schedule *schedule, const tsr_team *team, const void *send, void *recv, size_t bytes) {
  size_t row_bytes = (size_t)team->size * bytes, locals_n = (size_t)team->locals_n;
  tsr_group locals = tsr_group_locals(team, team->leaders[0]);
  struct table out = {team, NULL, bytes}, in = out;
  if (tsr_leads(team)) {
    out.data = tsr_schedule_memory(schedule, locals_n * row_bytes);
    in.data = tsr_schedule_memory(schedule, locals_n * row_bytes);
  }
  tsr_member_blocks rows = {NULL, out.data, row_bytes}, results = {NULL, in.data, row_bytes};
  tsr_add_gather(schedule, &locals, (tsr_block){(char *)send, row_bytes}, &rows, TSR_BY_DIRECT);
  if (tsr_leads(team)) exchange_tables(schedule, &out, &in);
  tsr_add_scatter(schedule, &locals, &results, (tsr_block){recv, row_bytes}, TSR_BY_DIRECT);
}

tsr_schedule *tsr_nb_alltoall(tsr_team *team, const void *send, void *recv, size_t bytes) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"alltoall", bytes, -1, 0, 0});
  struct tsr_coll_buffer out = {.data = (char *)send, .each = bytes}, in = {.data = recv, .each = bytes};
  if (goes_by_nodes(team, bytes)) add_by_nodes(schedule, team, send, recv, bytes);
  else add_members(schedule, team, &out, &in);
  return schedule;
}

tsr_schedule *tsr_nb_alltoallv(tsr_team *team, const void *send, struct tsr_counts out, void *recv,
                               struct tsr_counts in) {
  tsr_schedule *schedule = tsr_schedule_begin(team, &(struct tsr_check_call){"alltoallv", TSR_CHECK_NO_BYTES, -1, 0, 0});
  struct tsr_coll_buffer outgoing = {(char *)send, out.counts, out.offs, 0}, incoming = {recv, in.counts, in.offs, 0};
  add_members(schedule, team, &outgoing, &incoming);
  return schedule;
}
