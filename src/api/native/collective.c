/* Collectives with one size for all members. */
#include <stdlib.h>
#include <string.h>

#include "api/native/native_api.h"

typedef struct tsr_native_call call_t;
typedef struct tsr_native_kind kind;

#define BLOCKS(what) ((kind){.name = __func__, .stat = TSR_STAT_##what, .blocks = true})
#define STARTS(what) ((kind){.name = __func__, .stat = TSR_STAT_##what, .starts = true, .request = request})

static tessera_status_t run_barrier(kind kind, tessera_team_t team) {
  kind.meets = true;
  call_t call = tsr_native_open(kind, team, 0, 1);
  if (!tsr_native_goes_on(&call)) return call.status;
  if (kind.blocks) return tsr_native_end(&call, tsr_barrier(call.team));
  return tsr_native_start(&call, tsr_nb_barrier(call.team), NULL);
}

tessera_status_t tessera_barrier(tessera_team_t team) { return run_barrier(BLOCKS(BARRIER), team); }
tessera_status_t tessera_barrier_nb(tessera_team_t team, tessera_request_t *request) {
  return run_barrier(STARTS(BARRIER), team);
}

static tessera_status_t run_bcast(kind kind, tessera_team_t team, void *buffer, size_t bytes, int32_t root) {
  call_t call = tsr_native_open(kind, team, bytes, 1);
  tsr_native_check_root(&call, root);
  tsr_native_check_buffer(&call, buffer, bytes, "buffer");
  if (!tsr_native_goes_on(&call)) return call.status;
  if (kind.blocks) return tsr_native_end(&call, tsr_bcast(call.team, buffer, bytes, TSR_MEMBER(root)));
  return tsr_native_start(&call, tsr_nb_bcast(call.team, buffer, bytes, TSR_MEMBER(root)), NULL);
}

tessera_status_t tessera_bcast(tessera_team_t team, void *buffer, size_t bytes, int32_t root) {
  return run_bcast(BLOCKS(BCAST), team, buffer, bytes, root);
}
tessera_status_t tessera_bcast_nb(tessera_team_t team, void *buffer, size_t bytes, int32_t root,
                                  tessera_request_t *request) {
  return run_bcast(STARTS(BCAST), team, buffer, bytes, root);
}

static tessera_status_t run_scatter(kind kind, tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root) {
  call_t call = tsr_native_open(kind, team, bytes, 1);
  bool is_root = tsr_native_is_root(&call, root), stays = is_root && tsr_native_in_place(recv);
  tsr_native_check_root(&call, root);
  if (is_root) tsr_native_check_buffer(&call, send, bytes, "send of the root");
  if (!stays) tsr_native_check_buffer(&call, recv, bytes, "recv");
  if (!tsr_native_goes_on(&call)) return call.status;
  void *aside = stays ? tsr_coll_memory(bytes) : NULL; /* receives the own share, since `send` may be read-only */
  if (stays) recv = aside;
  if (!kind.blocks)
    return tsr_native_start(&call, tsr_nb_scatter(call.team, send, recv, bytes, TSR_MEMBER(root)), aside);
  tessera_status_t status = tsr_scatter(call.team, send, recv, bytes, TSR_MEMBER(root));
  free(aside);
  return tsr_native_end(&call, status);
}

tessera_status_t tessera_scatter(tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root) {
  return run_scatter(BLOCKS(SCATTER), team, send, recv, bytes, root);
}
tessera_status_t tessera_scatter_nb(tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root,
                                    tessera_request_t *request) {
  return run_scatter(STARTS(SCATTER), team, send, recv, bytes, root);
}

/* The offset of the own share in a buffer of shares; 0 after an error. */
static size_t own_off(const call_t *call) { return call->status ? 0 : (size_t)call->team->self * call->bytes; }

static tessera_status_t run_gather(kind kind, tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root) {
  call_t call = tsr_native_open(kind, team, bytes, 1);
  bool is_root = tsr_native_is_root(&call, root);
  tsr_native_check_root(&call, root);
  if (is_root) tsr_native_check_buffer(&call, recv, bytes, "recv of the root");
  if (is_root) send = tsr_native_from(&call, send, recv, own_off(&call));
  tsr_native_check_buffer(&call, send, bytes, "send");
  if (!is_root) recv = NULL;
  if (!tsr_native_goes_on(&call)) return call.status;
  if (kind.blocks) return tsr_native_end(&call, tsr_gather(call.team, send, recv, bytes, TSR_MEMBER(root)));
  return tsr_native_start(&call, tsr_nb_gather(call.team, send, recv, bytes, TSR_MEMBER(root)), NULL);
}

tessera_status_t tessera_gather(tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root) {
  return run_gather(BLOCKS(GATHER), team, send, recv, bytes, root);
}
tessera_status_t tessera_gather_nb(tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root,
                                   tessera_request_t *request) {
  return run_gather(STARTS(GATHER), team, send, recv, bytes, root);
}

static tessera_status_t run_allgather(kind kind, tessera_team_t team, const void *send, void *recv, size_t bytes) {
  call_t call = tsr_native_open(kind, team, bytes, 1);
  tsr_native_check_buffer(&call, recv, bytes, "recv");
  tsr_native_check_apart(&call, send, recv, bytes);
  send = tsr_native_from(&call, send, recv, own_off(&call));
  tsr_native_check_buffer(&call, send, bytes, "send");
  if (!tsr_native_goes_on(&call)) return call.status;
  if (kind.blocks) return tsr_native_end(&call, tsr_allgather(call.team, send, recv, bytes));
  return tsr_native_start(&call, tsr_nb_allgather(call.team, send, recv, bytes), NULL);
}

tessera_status_t tessera_allgather(tessera_team_t team, const void *send, void *recv, size_t bytes) {
  return run_allgather(BLOCKS(ALLGATHER), team, send, recv, bytes);
}
tessera_status_t tessera_allgather_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                      tessera_request_t *request) {
  return run_allgather(STARTS(ALLGATHER), team, send, recv, bytes);
}

static tessera_status_t run_alltoall(kind kind, tessera_team_t team, const void *send, void *recv, size_t bytes) {
  call_t call = tsr_native_open(kind, team, bytes, 1);
  bool in_place = tsr_native_in_place(send);
  tsr_native_check_buffer(&call, recv, bytes, "recv");
  tsr_native_check_apart(&call, send, recv, bytes);
  if (!in_place) tsr_native_check_buffer(&call, send, bytes, "send");
  if (!tsr_native_goes_on(&call)) return call.status;
  size_t all = (size_t)call.team->size * bytes;
  void *copy = in_place && bytes ? memcpy(tsr_coll_memory(all), recv, all) : NULL;
  if (in_place) send = copy;
  if (!kind.blocks) return tsr_native_start(&call, tsr_nb_alltoall(call.team, send, recv, bytes), copy);
  tessera_status_t status = tsr_alltoall(call.team, send, recv, bytes);
  free(copy);
  return tsr_native_end(&call, status);
}

tessera_status_t tessera_alltoall(tessera_team_t team, const void *send, void *recv, size_t bytes) {
  return run_alltoall(BLOCKS(ALLTOALL), team, send, recv, bytes);
}
tessera_status_t tessera_alltoall_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                     tessera_request_t *request) {
  return run_alltoall(STARTS(ALLTOALL), team, send, recv, bytes);
}
