#include "coll/coll.h"
#include "coll/local.h"
#include "coll/nodes.h"
#include "core/coll_error.h"

tessera_status_t tsr_bcast(tsr_team *team, void *buffer, size_t bytes, tsr_member root) {
  if (!tsr_call_begin(team, TSR_CALL_BCAST, bytes, root.id, 0)) return TESSERA_ERR_PEER;
  bool with_root = tsr_nodes_of(team, root) == team->self_node;
  if (with_root && !tsr_local_bcast(team, buffer, bytes, tsr_local_of(team, root))) return tsr_call_fail(team);
  if (team->nodes_n == 1) return TESSERA_OK;
  if (tsr_nodes_acts(team, root)) tsr_nodes_bcast(team, buffer, bytes, root);
  if (!with_root && !tsr_local_bcast(team, buffer, bytes, 0)) return tsr_call_fail(team);
  return TESSERA_OK;
}
