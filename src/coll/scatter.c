#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "coll/local.h"
#include "coll/nodes.h"
#include "core/coll_error.h"

/* The shares for the members of one node, one after another: where they lie so already, or in memory to be freed. */
static const char *counts_of(const tsr_team *team, const char *send, size_t bytes, int32_t node, size_t *total,
                             char **memory) {
  const struct tsr_run *begin = tsr_team_iov(team, node), *end = tsr_team_runs_end(team, node), *run;
  size_t n = 0;
  for (run = begin; run < end; run++) n += (size_t)run->n;
  *total = n * bytes;
  *memory = NULL;
  if (begin + 1 == end && (begin->stride == 1 || begin->n == 1)) return send + (size_t)begin->first * bytes;
  char *packed = *memory = tsr_coll_memory(*total), *to = packed;
  for (run = begin; run < end && bytes; run++) {
    for (int32_t i = 0; i < run->n; i++, to += bytes) memcpy(to, send + (size_t)(run->first + i * run->stride) * bytes, bytes);
  }
  return packed;
}

/* To all other nodes, some at a time. */
static void send_nodes(const tsr_team *team, const char *send, size_t bytes) {
  char *memory[TSR_NODES_WINDOW_N];
  for (int32_t first = 1, n; first < team->nodes_n; first += n) {
    tsr_exchange out;
    n = team->nodes_n - first < TSR_NODES_WINDOW_N ? team->nodes_n - first : TSR_NODES_WINDOW_N;
    tsr_exchange_begin(&out, tsr_nodes_tag(team));
    for (int32_t i = 0; i < n; i++) {
      int32_t node = (team->self_node + first + i) % team->nodes_n;
      size_t total;
      const char *counts_list = counts_of(team, send, bytes, node, &total, &memory[i]);
      tsr_exchange_send(&out, tsr_nodes_leader(team, node), counts_list, total);
    }
    tsr_exchange_end(&out);
    for (int32_t i = 0; i < n; i++) free(memory[i]);
  }
}

tessera_status_t tsr_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  if (!tsr_call_begin(team, TSR_CALL_SCATTER, bytes, root.id, 0)) return TESSERA_ERR_PEER;
  bool with_root = tsr_nodes_of(team, root) == team->self_node;
  int32_t source = with_root ? tsr_local_of(team, root) : 0;
  char *memory = NULL;
  const char *counts_list = NULL;
  size_t total = (size_t)team->locals_n * bytes;
  if (team->self == root.id) {
    send_nodes(team, send, bytes);
    counts_list = counts_of(team, send, bytes, team->self_node, &total, &memory);
  } else if (!with_root && tsr_nodes_leads(team)) {
    char *place = team->locals_n == 1 ? recv : (memory = tsr_coll_memory(total));
    tsr_nodes_receive(team, tsr_team_unit(team, root), place, total);
    if (team->locals_n == 1) return TESSERA_OK;
    counts_list = place;
  }
  bool good = tsr_local_distribute(team, counts_list, bytes, recv, source);
  free(memory);
  return good ? TESSERA_OK : tsr_call_fail(team);
}
