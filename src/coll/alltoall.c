#include <stdlib.h>

#include "coll/coll.h"
#include "coll/local.h"
#include "coll/nodes.h"
#include "core/coll_error.h"

/* Members on other nodes: in every step each member sends to one and receives from one, all of them different. */
static void exchange_remote(const tsr_team *team, const char *send, char *recv, size_t bytes) {
  for (int32_t step = 1; step < team->size; step++) {
    int32_t to = (team->self + step) % team->size, from = (team->self - step + team->size) % team->size;
    tsr_unit target = tsr_team_unit(team, TSR_MEMBER(to)), source = tsr_team_unit(team, TSR_MEMBER(from));
    tsr_exchange exchange;
    tsr_exchange_begin(&exchange, tsr_nodes_tag(team));
    if (!tsr_place_is_local(source)) tsr_exchange_receive(&exchange, source, recv + (size_t)from * bytes, bytes);
    if (!tsr_place_is_local(target)) tsr_exchange_send(&exchange, target, send + (size_t)to * bytes, bytes);
    tsr_exchange_end(&exchange);
  }
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

tessera_status_t tsr_alltoall(tsr_team *team, const void *send, void *recv, size_t bytes) {
  if (!tsr_call_begin(team, "alltoall", bytes, -1, 0)) return TESSERA_ERR_PEER;
  if (!exchange_local(team, send, recv, bytes)) return tsr_call_fail(team);
  if (team->nodes_n > 1) exchange_remote(team, send, recv, bytes);
  return TESSERA_OK;
}
