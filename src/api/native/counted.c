/* Collectives with a size for each member. */
#include <stdlib.h>
#include <string.h>

#include "api/native/native_api.h"

typedef struct tsr_native_call call_t;
typedef struct tsr_native_kind kind;
typedef struct tsr_counts table;

#define BLOCKS(what) ((kind){.name = __func__, .stat = TSR_STAT_##what, .starts = true, .meets = true, .blocks = true})
#define STARTS(what) ((kind){.name = __func__, .stat = TSR_STAT_##what, .starts = true, .meets = true, .request = request})

static tessera_status_t run_scatterv(kind kind, tessera_team_t team, const void *send, table out, void *recv, size_t bytes,
                                     int32_t root) {
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
  return run_scatterv(BLOCKS(SCATTER), team, send, (table){counts, offs}, recv, bytes, root);
}
tessera_status_t tessera_scatterv_nb(tessera_team_t team, const void *send, const size_t counts[], const size_t offs[],
                                     void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  return run_scatterv(STARTS(SCATTER), team, send, (table){counts, offs}, recv, bytes, root);
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
  return run_gatherv(BLOCKS(GATHER), team, send, bytes, recv, (table){counts, offs}, root);
}
tessera_status_t tessera_gatherv_nb(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                    const size_t counts[], const size_t offs[], int32_t root,
                                    tessera_request_t *request) {
  return run_gatherv(STARTS(GATHER), team, send, bytes, recv, (table){counts, offs}, root);
}

/* A barrier even without bytes: a member whose tables are NULL cannot know that there are none, and waits. */
static tessera_status_t run_allgatherv(kind kind, tessera_team_t team, const void *send, size_t bytes, void *recv, table in) {
  kind.starts = !kind.blocks;
  call_t call = tsr_native_open(kind, team, 0, 1);
  send = check_in(&call, send, bytes, recv, in, &call.bytes);
  if (!tsr_native_goes_on(&call)) return call.status;
  if (!kind.blocks) return tsr_native_start(&call, tsr_nb_allgatherv(call.team, send, recv, in), NULL);
  if (!call.bytes) return tsr_native_end(&call, tsr_barrier(call.team));
  return tsr_native_end(&call, tsr_allgatherv(call.team, send, recv, in.counts, in.offs));
}

tessera_status_t tessera_allgatherv(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                    const size_t counts[], const size_t offs[]) {
  return run_allgatherv(BLOCKS(ALLGATHER), team, send, bytes, recv, (table){counts, offs});
}
tessera_status_t tessera_allgatherv_nb(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                       const size_t counts[], const size_t offs[], tessera_request_t *request) {
  return run_allgatherv(STARTS(ALLGATHER), team, send, bytes, recv, (table){counts, offs});
}

/* A copy of the parts of a buffer that the table describes, at the same offsets. */
static void *copy_of(const call_t *call, const char *data, table table) {
  size_t most = 0;
  for (int32_t i = 0; i < call->team->size; i++) {
    if (table.counts[i] && table.offs[i] + table.counts[i] > most) most = table.offs[i] + table.counts[i];
  }
  char *copy = tsr_coll_memory(most);
  for (int32_t i = 0; i < call->team->size; i++) {
    if (table.counts[i]) memcpy(copy + table.offs[i], data + table.offs[i], table.counts[i]);
  }
  return copy;
}

static tessera_status_t run_alltoallv(kind kind, tessera_team_t team, const void *send, table out, void *recv, table in) {
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
  return run_alltoallv(BLOCKS(ALLTOALL), team, send, (table){send_counts, send_offs}, recv, (table){recv_counts, recv_offs});
}
tessera_status_t tessera_alltoallv_nb(tessera_team_t team, const void *send, const size_t send_counts[],
                                      const size_t send_offs[], void *recv, const size_t recv_counts[],
                                      const size_t recv_offs[], tessera_request_t *request) {
  return run_alltoallv(STARTS(ALLTOALL), team, send, (table){send_counts, send_offs}, recv, (table){recv_counts, recv_offs});
}
