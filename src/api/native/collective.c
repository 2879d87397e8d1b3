/* Collectives without reductions: with one size for all members, and with a size for each. */
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "coll/named.h"
#include "core/progress.h"
#include "api/native/native_api.h"

typedef struct tsr_native_call call_t;
typedef struct tsr_native_kind kind;
typedef struct tsr_counts table;

/* ---- Barriers, and split-phase barriers with names ---- */

static tessera_status_t run_barrier(kind kind, tessera_team_t team) {
  kind.takes_part = true;
  call_t call = tsr_native_open(kind, team, 0, 1);
  if (!tsr_native_goes_on(&call)) return call.status;
  if (kind.blocks) return tsr_native_end(&call, tsr_barrier(call.team));
  return tsr_native_start(&call, tsr_nb_barrier(call.team), NULL);
}

tessera_status_t tessera_barrier(tessera_team_t team) { return run_barrier(TSR_NATIVE_BLOCKS(BARRIER), team); }
tessera_status_t tessera_barrier_nb(tessera_team_t team, tessera_request_t *request) {
  return run_barrier(TSR_NATIVE_STARTS(BARRIER), team);
}

tessera_status_t tessera_barrier_notify(tessera_team_t team, int64_t name) {
  kind kind = TSR_NATIVE_BLOCKS(BARRIER);
  kind.starts = kind.takes_part = true;
  call_t call = tsr_native_open(kind, team, 0, 1);
  if (!call.status && tsr_named_is_open(call.team))
    tsr_native_fail(&call, tsr_fail(TESSERA_ERR_STATE, "TSR-1041 %s: team %d already has an open barrier; wait for it first",
                                    kind.name, team.id));
  if (!call.status && tsr_name_is_reserved(name))
    tsr_native_fail(&call, tsr_fail(TESSERA_ERR_ARG, "TSR-1061 %s: the name %lld is reserved; choose one from INT64_MIN + 2 to "
                                    "INT64_MAX - 1, or TESSERA_UNNAMED", kind.name, (long long)name));
  if (!tsr_native_goes_on(&call)) return call.status;
  tsr_named_notify(call.team, name, true);
  return tsr_native_end(&call, TESSERA_OK);
}

/* Stores a team with an open barrier. */
static tessera_status_t find_open(const char *call, tessera_team_t team, tsr_team **found) {
  *found = tsr_native_team(team);
  if (!*found) return tsr_native_no_team(call, team);
  if (tsr_named_is_open(*found)) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_STATE, "TSR-1042 %s: team %d has no open barrier; call tessera_barrier_notify first", call,
                  team.id);
}

tessera_status_t tessera_barrier_wait(tessera_team_t team) {
  tsr_team *t;
  tessera_status_t status = find_open(__func__, team, &t);
  if (status) return status;
  tsr_named_await(t);
  return tsr_named_close(t, __func__);
}

tessera_status_t tessera_barrier_try(tessera_team_t team, bool *over) {
  tsr_team *t;
  tessera_status_t status = find_open(__func__, team, &t);
  if (!status && !over) status = tsr_fail(TESSERA_ERR_ARG, "TSR-1043 %s: over is NULL; pass where to store the answer",
                                          __func__);
  if (status) return status;
  tsr_progress();
  *over = tsr_named_is_over(t);
  return *over ? tsr_named_close(t, __func__) : TESSERA_OK;
}

/* ---- One size for all members ---- */

static tessera_status_t run_bcast(kind kind, tessera_team_t team, void *buffer, size_t bytes, int32_t root) {
  call_t call = tsr_native_open(kind, team, bytes, 1);
  tsr_native_check_root(&call, root);
  tsr_native_check_buffer(&call, buffer, bytes, "buffer");
  if (!tsr_native_goes_on(&call)) return call.status;
  if (kind.blocks) return tsr_native_end(&call, tsr_bcast(call.team, buffer, bytes, TSR_MEMBER(root)));
  return tsr_native_start(&call, tsr_nb_bcast(call.team, buffer, bytes, TSR_MEMBER(root)), NULL);
}

tessera_status_t tessera_bcast(tessera_team_t team, void *buffer, size_t bytes, int32_t root) {
  return run_bcast(TSR_NATIVE_BLOCKS(BCAST), team, buffer, bytes, root);
}
tessera_status_t tessera_bcast_nb(tessera_team_t team, void *buffer, size_t bytes, int32_t root,
                                  tessera_request_t *request) {
  return run_bcast(TSR_NATIVE_STARTS(BCAST), team, buffer, bytes, root);
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
  return run_scatter(TSR_NATIVE_BLOCKS(SCATTER), team, send, recv, bytes, root);
}
tessera_status_t tessera_scatter_nb(tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root,
                                    tessera_request_t *request) {
  return run_scatter(TSR_NATIVE_STARTS(SCATTER), team, send, recv, bytes, root);
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
  return run_gather(TSR_NATIVE_BLOCKS(GATHER), team, send, recv, bytes, root);
}
tessera_status_t tessera_gather_nb(tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root,
                                   tessera_request_t *request) {
  return run_gather(TSR_NATIVE_STARTS(GATHER), team, send, recv, bytes, root);
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
  return run_allgather(TSR_NATIVE_BLOCKS(ALLGATHER), team, send, recv, bytes);
}
tessera_status_t tessera_allgather_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                      tessera_request_t *request) {
  return run_allgather(TSR_NATIVE_STARTS(ALLGATHER), team, send, recv, bytes);
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
  return run_alltoall(TSR_NATIVE_BLOCKS(ALLTOALL), team, send, recv, bytes);
}
tessera_status_t tessera_alltoall_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                     tessera_request_t *request) {
  return run_alltoall(TSR_NATIVE_STARTS(ALLTOALL), team, send, recv, bytes);
}

/* ---- A size for each member. All but a blocking allgatherv run as schedules. All take part in the collective even without bytes,
 * since a member does not know the sizes of the others. ---- */

static tessera_status_t run_scatterv(kind kind, tessera_team_t team, const void *send, table out, void *recv, size_t bytes,
                                     int32_t root) {
  kind.starts = kind.takes_part = true;
  call_t call = tsr_native_open(kind, team, bytes, 1);
  bool is_root = tsr_native_is_root(&call, root), stays = is_root && tsr_native_in_place(recv);
  tsr_native_check_root(&call, root);
  if (is_root) {
    size_t total = tsr_native_check_table(&call, out, "sent");
    tsr_native_check_buffer(&call, send, total, "send of the root");
    if (!call.status) tsr_native_check_own(&call, out.counts[root], bytes);
  }
  if (!stays) tsr_native_check_buffer(&call, recv, bytes, "recv");
  if (!tsr_native_goes_on(&call)) return call.status;
  if (stays) recv = send ? (char *)send + out.offs[root] : NULL; /* equal addresses: the share is not copied */
  return tsr_native_start(&call, tsr_nb_scatterv(call.team, send, out, recv, bytes, TSR_MEMBER(root)), NULL);
}

tessera_status_t tessera_scatterv(tessera_team_t team, const void *send, const size_t counts[], const size_t offs[],
                                  void *recv, size_t bytes, int32_t root) {
  return run_scatterv(TSR_NATIVE_BLOCKS(SCATTER), team, send, (table){counts, offs}, recv, bytes, root);
}
tessera_status_t tessera_scatterv_nb(tessera_team_t team, const void *send, const size_t counts[], const size_t offs[],
                                     void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  return run_scatterv(TSR_NATIVE_STARTS(SCATTER), team, send, (table){counts, offs}, recv, bytes, root);
}

/* Checks a receiver's table, buffer and own share. Returns the address of the own share, which may lie in `recv`. */
static const void *check_in(call_t *call, const void *send, size_t bytes, const void *recv, table in, size_t *total) {
  *total = tsr_native_check_table(call, in, "received");
  tsr_native_check_buffer(call, recv, *total, "recv");
  tsr_native_check_apart(call, send, recv, *total);
  if (call->status) return send;
  int32_t self = call->team->self;
  if (tsr_native_in_place(send)) return *total ? (const char *)recv + in.offs[self] : NULL;
  tsr_native_check_own(call, bytes, in.counts[self]);
  tsr_native_check_buffer(call, send, bytes, "send");
  return send;
}

static tessera_status_t run_gatherv(kind kind, tessera_team_t team, const void *send, size_t bytes, void *recv, table in,
                                    int32_t root) {
  kind.starts = kind.takes_part = true;
  call_t call = tsr_native_open(kind, team, bytes, 1);
  bool is_root = tsr_native_is_root(&call, root);
  size_t total;
  tsr_native_check_root(&call, root);
  if (is_root) send = check_in(&call, send, bytes, recv, in, &total);
  else tsr_native_check_buffer(&call, send, bytes, "send");
  if (!tsr_native_goes_on(&call)) return call.status;
  if (is_root) bytes = in.counts[root];
  return tsr_native_start(&call, tsr_nb_gatherv(call.team, send, bytes, recv, in, TSR_MEMBER(root)), NULL);
}

tessera_status_t tessera_gatherv(tessera_team_t team, const void *send, size_t bytes, void *recv, const size_t counts[],
                                 const size_t offs[], int32_t root) {
  return run_gatherv(TSR_NATIVE_BLOCKS(GATHER), team, send, bytes, recv, (table){counts, offs}, root);
}
tessera_status_t tessera_gatherv_nb(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                    const size_t counts[], const size_t offs[], int32_t root,
                                    tessera_request_t *request) {
  return run_gatherv(TSR_NATIVE_STARTS(GATHER), team, send, bytes, recv, (table){counts, offs}, root);
}

/* Without bytes the call is a barrier: a member with NULL tables cannot know that there are no bytes, and waits. */
static tessera_status_t run_allgatherv(kind kind, tessera_team_t team, const void *send, size_t bytes, void *recv, table in) {
  kind.takes_part = true;
  call_t call = tsr_native_open(kind, team, 0, 1);
  send = check_in(&call, send, bytes, recv, in, &call.bytes);
  if (!tsr_native_goes_on(&call)) return call.status;
  if (!kind.blocks) return tsr_native_start(&call, tsr_nb_allgatherv(call.team, send, recv, in), NULL);
  if (!call.bytes) return tsr_native_end(&call, tsr_barrier(call.team));
  return tsr_native_end(&call, tsr_allgatherv(call.team, send, recv, in.counts, in.offs));
}

tessera_status_t tessera_allgatherv(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                    const size_t counts[], const size_t offs[]) {
  return run_allgatherv(TSR_NATIVE_BLOCKS(ALLGATHER), team, send, bytes, recv, (table){counts, offs});
}
tessera_status_t tessera_allgatherv_nb(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                       const size_t counts[], const size_t offs[], tessera_request_t *request) {
  return run_allgatherv(TSR_NATIVE_STARTS(ALLGATHER), team, send, bytes, recv, (table){counts, offs});
}

/* A copy of the parts of a buffer that the table describes, at the same offsets. */
static void *copy_of(const call_t *call, const char *data, table table) {
  size_t most = 0;
  for (int32_t i = 0; i < call->team->size; i++) {
    if (table.counts[i] && table.offs[i] + table.counts[i] > most) most = table.offs[i] + table.counts[i];
  }
  char *copy = tsr_coll_memory(most);
  for (int32_t i = 0; i < call->team->size; i++) {
    if (table.counts[i]) tsr_copy(copy + table.offs[i], data + table.offs[i], table.counts[i]);
  }
  return copy;
}

static tessera_status_t run_alltoallv(kind kind, tessera_team_t team, const void *send, table out, void *recv, table in) {
  kind.starts = kind.takes_part = true;
  call_t call = tsr_native_open(kind, team, 0, 1);
  bool in_place = tsr_native_in_place(send);
  call.bytes = tsr_native_check_table(&call, in, "received");
  tsr_native_check_buffer(&call, recv, call.bytes, "recv");
  if (!in_place) {
    size_t total = tsr_native_check_table(&call, out, "sent");
    tsr_native_check_buffer(&call, send, total, "send");
    tsr_native_check_apart(&call, send, recv, total);
    if (!call.status) tsr_native_check_own(&call, out.counts[call.team->self], in.counts[call.team->self]);
  }
  if (!tsr_native_goes_on(&call)) return call.status;
  void *copy = in_place ? copy_of(&call, recv, in) : NULL;
  tsr_schedule *schedule = tsr_nb_alltoallv(call.team, in_place ? copy : send, in_place ? in : out, recv, in);
  return tsr_native_start(&call, schedule, copy);
}

tessera_status_t tessera_alltoallv(tessera_team_t team, const void *send, const size_t send_counts[],
                                   const size_t send_offs[], void *recv, const size_t recv_counts[],
                                   const size_t recv_offs[]) {
  return run_alltoallv(TSR_NATIVE_BLOCKS(ALLTOALL), team, send, (table){send_counts, send_offs}, recv,
                       (table){recv_counts, recv_offs});
}
tessera_status_t tessera_alltoallv_nb(tessera_team_t team, const void *send, const size_t send_counts[],
                                      const size_t send_offs[], void *recv, const size_t recv_counts[],
                                      const size_t recv_offs[], tessera_request_t *request) {
  return run_alltoallv(TSR_NATIVE_STARTS(ALLTOALL), team, send, (table){send_counts, send_offs}, recv,
                       (table){recv_counts, recv_offs});
}
