#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "coll/gather.h"
#include "coll/local.h"
#include "coll/nodes.h"
#include "core/agree.h"
#include "core/refusal.h"

static void apply_builtin(void *inout, const void *in, size_t n, const tsr_reducer *reducer) {
  tsr_arith_apply(reducer->type, reducer->op, inout, in, n);
}

tsr_reducer tsr_reducer_make(tsr_type type, tsr_arith op) {
  return (tsr_reducer){tsr_type_bytes(type), apply_builtin, .commutes = true, .builtin = true, .type = type, .op = op};
}

/* What members must have in common of it; of a face's own operations that is little. */
static uint64_t digest(const tsr_reducer *how) {
  return (uint64_t)how->elem_bytes << 32 | (uint64_t)how->commutes << 16 | (uint64_t)how->type << 8 | (uint64_t)how->op;
}

/* Whether partial results of nodes may be combined: always, unless the order matters and units of several nodes are
 * mixed in it, or an element is larger than a stage. */
static bool by_nodes(const tsr_team *team, const tsr_reducer *how) {
  return how->elem_bytes <= TSR_STAGE_BYTES && (how->commutes || team->nodes_n == 1);
}

/* Everything in one place, combined there in the order of units. */
static tessera_status_t reduce_gathered(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how,
                                       tsr_member root) {
  size_t bytes = n * how->elem_bytes;
  bool is_root = team->self == root.id;
  char *all = is_root ? tsr_coll_memory((size_t)team->size * bytes) : NULL;
  tessera_status_t status = tsr_gather_begun(team, send, all, bytes, root);
  if (is_root && !status) {
    memcpy(recv, all + (size_t)(team->size - 1) * bytes, bytes);
    for (int32_t i = team->size - 2; i >= 0; i--) how->apply(recv, all + (size_t)i * bytes, n, how);
  }
  free(all);
  return status;
}

tessera_status_t tsr_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how, tsr_member root) {
  if (!tsr_call_begin(team, "reduce", n * how->elem_bytes, root.id, digest(how))) return TESSERA_ERR_PEER;
  bool is_root = team->self == root.id;
  if (!by_nodes(team, how)) return reduce_gathered(team, send, recv, n, how, root);
  if (team->nodes_n == 1) return tsr_local_reduce(team, send, is_root ? recv : NULL, n, how) ? TESSERA_OK : tsr_call_fail(team);
  size_t bytes = n * how->elem_bytes;
  int32_t root_node = tsr_nodes_of(team, root);
  bool leads = tsr_nodes_leads(team);
  void *sum = is_root ? recv : tsr_coll_memory(bytes);
  bool good = tsr_local_reduce(team, send, leads ? sum : NULL, n, how);
  if (good && leads) tsr_nodes_reduce(team, sum, n, how, root_node);
  if (good && root_node == team->self_node) tsr_local_bcast(team, sum, bytes, 0);
  if (!is_root) free(sum);
  return good ? TESSERA_OK : tsr_call_fail(team);
}

tessera_status_t tsr_allreduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how) {
  size_t bytes = n * how->elem_bytes;
  if (!tsr_call_begin(team, "allreduce", bytes, -1, digest(how))) return TESSERA_ERR_PEER;
  if (!by_nodes(team, how)) {
    tessera_status_t status = reduce_gathered(team, send, recv, n, how, TSR_MEMBER(0));
    return status ? status : tsr_bcast(team, recv, bytes, TSR_MEMBER(0));
  }
  if (!tsr_local_reduce(team, send, recv, n, how)) return tsr_call_fail(team);
  if (team->nodes_n == 1) return TESSERA_OK;
  if (tsr_nodes_leads(team)) tsr_nodes_allreduce(team, recv, n, how);
  tsr_local_bcast(team, recv, bytes, 0);
  return TESSERA_OK;
}
