#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "coll/local.h"
#include "coll/nodes.h"
#include "core/refusal.h"

/* The pieces for the members of one node, one after another. */
static char *pack_node(const tsr_team *team, const char *send, size_t bytes, int32_t node, size_t *total) {
  char *packed = tsr_coll_memory((size_t)team->size * bytes);
  size_t at = 0;
  for (int32_t i = 0; i < team->size; i++) {
    if (tsr_nodes_of(team, TSR_MEMBER(i)) != node) continue;
    memcpy(packed + at, send + (size_t)i * bytes, bytes);
    at += bytes;
  }
  *total = at;
  return packed;
}

static void send_nodes(const tsr_team *team, const char *send, size_t bytes) {
  for (int32_t node = 0; node < team->nodes_n; node++) {
    if (node == team->self_node) continue;
    size_t total;
    char *packed = pack_node(team, send, bytes, node, &total);
    tsr_nodes_send(team, tsr_nodes_leader(team, node), packed, total);
    free(packed);
  }
}

tessera_status_t tsr_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) {
  if (!tsr_call_begin(team, "scatter", bytes, root.id, 0)) return TESSERA_ERR_PEER;
  bool with_root = tsr_nodes_of(team, root) == team->self_node;
  int32_t source = with_root ? tsr_local_of(team, root) : 0;
  char *packed = NULL;
  if (team->self == root.id) {
    size_t total;
    send_nodes(team, send, bytes);
    packed = pack_node(team, send, bytes, team->self_node, &total);
  } else if (!with_root && tsr_nodes_leads(team)) {
    size_t total = (size_t)team->locals_n * bytes;
    packed = tsr_coll_memory(total);
    tsr_nodes_receive(team, tsr_team_unit(team, root), packed, total);
  }
  bool good = tsr_local_distribute(team, packed, bytes, recv, source);
  free(packed);
  return good ? TESSERA_OK : tsr_call_fail(team);
}
