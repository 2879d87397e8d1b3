#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "coll/local.h"
#include "coll/nodes.h"
#include "core/coll_error.h"

/* Members on other nodes, some at a time: in every step each member sends to one and receives from one, all of them different. */
static void exchange_remote(const tsr_team *team, const char *send, char *recv, size_t bytes) {
  tsr_exchange exchange;
  tsr_exchange_begin(&exchange, tsr_nodes_tag(team));
  for (int32_t step = 1; step < team->size; step++) {
    int32_t to = (team->self + step) % team->size, from = (team->self - step + team->size) % team->size;
    tsr_unit target = tsr_team_unit(team, TSR_MEMBER(to)), source = tsr_team_unit(team, TSR_MEMBER(from));
    if (!tsr_place_is_local(source)) tsr_exchange_receive(&exchange, source, recv + (size_t)from * bytes, bytes);
    if (!tsr_place_is_local(target)) tsr_exchange_send(&exchange, target, send + (size_t)to * bytes, bytes);
    if (step % TSR_NODES_WINDOW_N) continue;
    tsr_exchange_end(&exchange);
    tsr_exchange_begin(&exchange, tsr_nodes_tag(team));
  }
  tsr_exchange_end(&exchange);
}

static bool exchange_local(tsr_team *team, const char *send, char *recv, size_t bytes) {
  size_t n = (size_t)team->locals_n;
  const char **out = tsr_coll_memory(n * sizeof *out);
  char **in = tsr_coll_memory(n * sizeof *in);
  for (size_t i = 0; i < n; i++) {
    out[i] = send + (size_t)team->locals[i] * bytes;
    in[i] = recv + (size_t)team->locals[i] * bytes;
  }
  bool good = tsr_local_exchange(team, out, bytes, in);
  free(in);
  free(out);
  return good;
}

/* Up to so many bytes from one node to another the leaders exchange one message for all of their members. */
enum { TOGETHER_BYTES = 64 << 10 };

static bool goes_together(const tsr_team *team, size_t bytes) {
  size_t pairs_n = (size_t)team->largest_n * (size_t)team->largest_n;
  return team->nodes_n > 1 && team->largest_n > 1 && bytes <= TOGETHER_BYTES / pairs_n;
}

/* What all members of this node have for all of the team, one member after another. */
struct table {
  const tsr_team *team;
  char *data;
  size_t bytes; /* of one share */
};
static char *share_at(const struct table *table, int32_t local, int32_t member) {
  return table->data + ((size_t)local * (size_t)table->team->size + (size_t)member) * table->bytes;
}

/* Copies what one local member has for, or has from, the members of a node. Returns the end of the packed shares. */
static char *copy_shares(const struct table *table, int32_t local, int32_t node, char *packed, bool packs) {
  const tsr_team *team = table->team;
  for (const struct tsr_run *run = tsr_team_iov(team, node); run < tsr_team_runs_end(team, node); run++) {
    int32_t blocks_n = run->stride == 1 ? 1 : run->n;
    size_t bytes = table->bytes * (size_t)(run->n / blocks_n);
    for (int32_t i = 0; i < blocks_n; i++, packed += bytes) {
      char *place = share_at(table, local, run->first + i * run->stride);
      memcpy(packs ? packed : place, packs ? place : packed, bytes);
    }
  }
  return packed;
}

/* A message has the shares of one sender after another, of each those for all receivers. */
static void pack(const struct table *out, int32_t node, char *packed) {
  for (int32_t local = 0; local < out->team->locals_n; local++) packed = copy_shares(out, local, node, packed, true);
}

static void unpack(const struct table *in, int32_t node, const char *packed) {
  const tsr_team *team = in->team;
  for (const struct tsr_run *run = tsr_team_iov(team, node); run < tsr_team_runs_end(team, node); run++) {
    for (int32_t i = 0; i < run->n; i++) {
      for (int32_t local = 0; local < team->locals_n; local++, packed += in->bytes)
        memcpy(share_at(in, local, run->first + i * run->stride), packed, in->bytes);
    }
  }
}

static size_t members_n(const tsr_team *team, int32_t node) {
  size_t n = 0;
  for (const struct tsr_run *run = tsr_team_iov(team, node); run < tsr_team_runs_end(team, node); run++)
    n += (size_t)run->n;
  return n;
}

/* Among the leaders, some nodes at a time. */
static void exchange_tables(const struct table *out, const struct table *in) {
  const tsr_team *team = out->team;
  int32_t n = team->nodes_n, self = team->self_node;
  size_t most = (size_t)team->locals_n * (size_t)team->largest_n * out->bytes;
  char *memory = tsr_coll_memory(2 * TSR_NODES_WINDOW_N * most);
  for (int32_t first = 1, now; first < n; first += now) {
    tsr_exchange exchange;
    now = n - first < TSR_NODES_WINDOW_N ? n - first : TSR_NODES_WINDOW_N;
    tsr_exchange_begin(&exchange, tsr_nodes_tag(team));
    for (int32_t i = 0; i < now; i++) {
      int32_t to = (self + first + i) % n, from = (self - first - i + n) % n;
      char *packed = memory + (size_t)(2 * i) * most, *theirs = packed + most;
      size_t pairs_n = (size_t)team->locals_n;
      tsr_exchange_receive(&exchange, tsr_nodes_leader(team, from), theirs, pairs_n * members_n(team, from) * in->bytes);
      pack(out, to, packed);
      tsr_exchange_send(&exchange, tsr_nodes_leader(team, to), packed, pairs_n * members_n(team, to) * out->bytes);
    }
    tsr_exchange_end(&exchange);
    for (int32_t i = 0; i < now; i++) unpack(in, (self - first - i + n) % n, memory + (size_t)(2 * i + 1) * most);
  }
  free(memory);
}

/* The leader collects what its node has for others, exchanges it with the other leaders, and hands out what came. */
static bool exchange_together(tsr_team *team, const char *send, char *recv, size_t bytes) {
  size_t row_bytes = (size_t)team->size * bytes, locals_n = (size_t)team->locals_n;
  bool leads = tsr_nodes_leads(team);
  struct table out = {team, leads ? tsr_coll_memory(locals_n * row_bytes) : NULL, bytes}, in = out;
  char **rows = leads ? tsr_coll_memory(locals_n * sizeof *rows) : NULL;
  for (size_t i = 0; leads && i < locals_n; i++) rows[i] = out.data + i * row_bytes;
  bool good = tsr_local_collect(team, send, &(struct tsr_count_list){.each = row_bytes}, rows);
  free(rows);
  if (leads) in.data = tsr_coll_memory(locals_n * row_bytes);
  for (int32_t i = 0; good && leads && i < team->locals_n; i++) {
    for (int32_t k = 0; k < team->locals_n; k++)
      memcpy(share_at(&in, i, team->locals[k]), share_at(&out, k, team->locals[i]), bytes);
  }
  if (good && leads) exchange_tables(&out, &in);
  if (good) good = tsr_local_distribute(team, in.data, row_bytes, recv, 0);
  if (leads) free(in.data);
  free(out.data);
  return good;
}

tessera_status_t tsr_alltoall(tsr_team *team, const void *send, void *recv, size_t bytes) {
  if (!tsr_call_begin(team, TSR_CALL_ALLTOALL, bytes, -1, 0)) return TESSERA_ERR_PEER;
  if (bytes && goes_together(team, bytes)) return exchange_together(team, send, recv, bytes) ? TESSERA_OK : tsr_call_fail(team);
  if (!exchange_local(team, send, recv, bytes)) return tsr_call_fail(team);
  if (team->nodes_n > 1) exchange_remote(team, send, recv, bytes);
  return TESSERA_OK;
}
