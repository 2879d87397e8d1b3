#include "coll/coll.h"
#include "coll/local.h"
#include "coll/nodes.h"
#include "core/check.h"

tessera_status_t tsr_bcast(tsr_team *team, void *buffer, size_t bytes, tsr_member root) {
  tsr_check_same(team, "broadcast", bytes, root.id);
  int32_t root_node = tsr_nodes_of(team, root);
  if (root_node == team->self_node) tsr_local_bcast(team, buffer, bytes, tsr_local_of(team, root));
  if (team->nodes_n == 1) return TESSERA_OK;
  if (tsr_nodes_leads(team)) tsr_nodes_bcast(team, buffer, bytes, root_node);
  if (root_node != team->self_node) tsr_local_bcast(team, buffer, bytes, 0);
  return TESSERA_OK;
}
