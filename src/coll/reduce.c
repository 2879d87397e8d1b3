#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "coll/local.h"
#include "coll/nodes.h"
#include "core/agree.h"
#include "core/check.h"

static void apply_builtin(void *inout, const void *in, size_t n, const tsr_reducer *reducer) {
  tsr_arith_apply(reducer->type, reducer->op, inout, in, n);
}

tsr_reducer tsr_reducer_make(tsr_type type, tsr_arith op) {
  return (tsr_reducer){.elem_bytes = tsr_type_bytes(type), .apply = apply_builtin, .commutes = true, .type = type, .op = op};
}

/* Whether partial results of nodes may be combined: always, unless the order matters and units of several nodes are
 * mixed in it, or an element is larger than a stage. */
static bool by_nodes(const tsr_team *team, const tsr_reducer *how) {
  return how->elem_bytes <= TSR_STAGE_BYTES && (how->commutes || team->nodes_n == 1);
}

/* Everything in one place, combined there in the order of units. */
static void reduce_gathered(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how, tsr_member root) {
  size_t bytes = n * how->elem_bytes;
  bool is_root = team->self == root.id;
  char *all = is_root ? tsr_coll_memory((size_t)team->size * bytes) : NULL;
  tsr_gather(team, send, all, bytes, root);
  if (!is_root) return;
  memcpy(recv, all + (size_t)(team->size - 1) * bytes, bytes);
  for (int32_t i = team->size - 2; i >= 0; i--) how->apply(recv, all + (size_t)i * bytes, n, how);
  free(all);
}

tessera_status_t tsr_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how, tsr_member root) {
  tsr_check_same(team, "reduce", n * how->elem_bytes, root.id);
  bool is_root = team->self == root.id;
  if (!by_nodes(team, how)) {
    reduce_gathered(team, send, recv, n, how, root);
    return TESSERA_OK;
  }
  if (team->nodes_n == 1) {
    tsr_local_reduce(team, send, is_root ? recv : NULL, n, how);
    return TESSERA_OK;
  }
  size_t bytes = n * how->elem_bytes;
  int32_t root_node = tsr_nodes_of(team, root);
  bool leads = tsr_nodes_leads(team);
  void *sum = is_root ? recv : tsr_coll_memory(bytes);
  tsr_local_reduce(team, send, leads ? sum : NULL, n, how);
  if (leads) tsr_nodes_reduce(team, sum, n, how, root_node);
  if (root_node == team->self_node) tsr_local_bcast(team, sum, bytes, 0);
  if (!is_root) free(sum);
  return TESSERA_OK;
}

tessera_status_t tsr_allreduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how) {
  size_t bytes = n * how->elem_bytes;
  tsr_check_same(team, "allreduce", bytes, -1);
  if (!by_nodes(team, how)) {
    reduce_gathered(team, send, recv, n, how, TSR_MEMBER(0));
    return tsr_bcast(team, recv, bytes, TSR_MEMBER(0));
  }
  tsr_local_reduce(team, send, recv, n, how);
  if (team->nodes_n == 1) return TESSERA_OK;
  if (tsr_nodes_leads(team)) {
    tsr_nodes_reduce(team, recv, n, how, 0);
    tsr_nodes_bcast(team, recv, bytes, 0);
  }
  tsr_local_bcast(team, recv, bytes, 0);
  return TESSERA_OK;
}
