#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "coll/gather.h"
#include "coll/local.h"
#include "coll/nodes.h"
#include "core/coll_error.h"
#include "core/sync.h"

static void apply_builtin(void *inout, const void *in, size_t n, const tsr_reducer *reducer) {
  tsr_arith_apply(reducer->type, reducer->op, inout, in, n);
}

tsr_reducer tsr_reducer_make(tsr_type type, tsr_arith op) {
  return (tsr_reducer){tsr_type_bytes(type), apply_builtin, .commutes = true, .builtin = true, .type = type, .op = op};
}

uint64_t tsr_reducer_check(const tsr_reducer *how) {
  return how->builtin ? tsr_check_builtin(how->type, how->op) : tsr_check_user(how->elem_bytes, how->commutes);
}

/* Whether partial results of nodes may be combined: always, unless the order matters and units of several nodes are
 * mixed in it, or an element is larger than a bounce buffer. */
static bool by_nodes(const tsr_team *team, const tsr_reducer *how) {
  return how->elem_bytes <= TSR_BOUNCE_BYTES && (how->commutes || team->nodes_n == 1);
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

/* What the members of the node have, combined, with who acts for it: in `result`, when that is given, else in memory that the
 * caller frees; the only member's own stays where it is. False: a member refused the call. */
static bool combine_node(tsr_team *team, const void *send, void *result, bool acts, size_t n, const tsr_reducer *how,
                         const void **sum, void **memory) {
  *sum = send;
  *memory = NULL;
  if (team->locals_n == 1) return true;
  if (acts && !result) result = *memory = tsr_coll_memory(n * how->elem_bytes);
  *sum = result;
  return tsr_local_reduce(team, send, acts ? result : NULL, n, how);
}

tessera_status_t tsr_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how, tsr_member root) {
  if (!tsr_call_begin(team, TSR_CALL_REDUCE, n * how->elem_bytes, root.id, tsr_reducer_check(how))) return TESSERA_ERR_PEER;
  void *result = team->self == root.id ? recv : NULL, *memory;
  if (!by_nodes(team, how)) return reduce_gathered(team, send, recv, n, how, root);
  if (team->nodes_n == 1) return tsr_local_reduce(team, send, result, n, how) ? TESSERA_OK : tsr_call_fail(team);
  const void *sum;
  bool acts = tsr_nodes_acts(team, root), good = combine_node(team, send, result, acts, n, how, &sum, &memory);
  if (good && acts) tsr_nodes_reduce(team, sum, result, n, how, root);
  free(memory);
  return good ? TESSERA_OK : tsr_call_fail(team);
}

tessera_status_t tsr_allreduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how) {
  size_t bytes = n * how->elem_bytes;
  if (!tsr_call_begin(team, TSR_CALL_ALLREDUCE, bytes, -1, tsr_reducer_check(how))) return TESSERA_ERR_PEER;
  if (!by_nodes(team, how)) {
    tessera_status_t status = reduce_gathered(team, send, recv, n, how, TSR_MEMBER(0));
    return status ? status : tsr_bcast(team, recv, bytes, TSR_MEMBER(0));
  }
  if (team->nodes_n == 1) return tsr_local_reduce(team, send, recv, n, how) ? TESSERA_OK : tsr_call_fail(team);
  const void *sum;
  void *memory;
  bool leads = tsr_nodes_leads(team), good = combine_node(team, send, recv, leads, n, how, &sum, &memory);
  if (good && leads) tsr_nodes_allreduce(team, sum, recv, n, how);
  free(memory); /* there is none but for nothing, when recv is NULL */
  return good && tsr_local_bcast(team, recv, bytes, 0) ? TESSERA_OK : tsr_call_fail(team);
}
