#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "coll/local.h"
#include "coll/nodes.h"
#include "core/coll_error.h"

/* The pieces for the members of one node, one after another: where they lie so already, or in memory to be freed. */
static const char *pieces_of(const tsr_team *team, const char *send, size_t bytes, int32_t node, size_t *total, char **memory) {
  size_t n = 0, first = 0, last = 0;
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) != node) continue;
    if (n++ == 0) first = (size_t)i;
    last = (size_t)i;
  }
  *total = n * bytes;
  *memory = NULL;
  if (last - first + 1 == n) return send + first * bytes;
  char *packed = *memory = tsr_coll_memory(*total), *to = packed;
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) != node) continue;
    memcpy(to, send + (size_t)i * bytes, bytes);
    to += bytes;
  }
  return packed;
}

static void send_nodes(const tsr_team *team, const char *send, size_t bytes) {
  char **memory = tsr_coll_memory((size_t)team->nodes_n * sizeof *memory);
  tsr_exchange out;
  tsr_exchange_begin(&out, tsr_nodes_tag(team));
  for (int32_t node = 0; node < team->nodes_n; node++) {
    size_t total;
    memory[node] = NULL;
    if (node == team->self_node) continue;
    const char *pieces = pieces_of(team, send, bytes, node, &total, &memory[node]);
    tsr_exchange_send(&out, tsr_nodes_leader(team, node), pieces, total);
  }
  tsr_exchange_end(&out);
  for (int32_t node = 0; node < team->nodes_n; node++) free(memory[node]);
  free(memory);
}

tessera_status_t tsr_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  if (!tsr_call_begin(team, "scatter", bytes, root.id, 0)) return TESSERA_ERR_PEER;
  bool with_root = tsr_nodes_of(team, root) == team->self_node;
  int32_t source = with_root ? tsr_local_of(team, root) : 0;
  char *memory = NULL;
  const char *pieces = NULL;
  size_t total = (size_t)team->locals_n * bytes;
  if (team->self == root.id) {
    send_nodes(team, send, bytes);
    pieces = pieces_of(team, send, bytes, team->self_node, &total, &memory);
  } else if (!with_root && tsr_nodes_leads(team)) {
    char *place = team->locals_n == 1 ? recv : (memory = tsr_coll_memory(total));
    tsr_nodes_receive(team, tsr_team_unit(team, root), place, total);
    if (team->locals_n == 1) return TESSERA_OK;
    pieces = place;
  }
  bool good = tsr_local_distribute(team, pieces, bytes, recv, source);
  free(memory);
  return good ? TESSERA_OK : tsr_call_fail(team);
}
