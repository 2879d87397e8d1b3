#include "api/native/native_api.h"

#include <stdlib.h>

#include "base/arith.h"
#include "base/bits.h"
#include "base/config.h"
#include "core/coll_error.h"

tessera_status_t tsr_native_no_team(const char *name, tessera_team_t team) {
  if (!tsr_api_is_up[TSR_API_NATIVE])
    return tsr_fail(TESSERA_ERR_STATE, "TSR-1021 %s: called before tessera_init or after tessera_exit; call it between the two",
                    name);
  if (team.id == -1)
    return tsr_fail(TESSERA_ERR_NOT_FOUND, "TSR-1022 %s: the team has id -1; call from members of the team only", name);
  return tsr_fail(TESSERA_ERR_NOT_FOUND, "TSR-1023 %s: unknown team %d; it was freed, or this unit is not a member of it", name,
                  team.id);
}

void tsr_native_fail(struct tsr_native_call *call, tessera_status_t status) {
  if (!call->status) call->status = status;
}

struct tsr_native_call tsr_native_open(struct tsr_native_kind kind, tessera_team_t team, size_t n, size_t elem_bytes) {
  struct tsr_native_call call = {.kind = kind, .team = tsr_native_team(team), .begun_ns = tsr_stats_begin()};
  size_t all;
  if (kind.starts && tsr_config_check()) call.kind.takes_part = true;
  if (!call.team) call.status = tsr_native_no_team(kind.name, team);
  else if (!kind.blocks && !kind.request)
    tsr_native_invalid(&call, "TSR-1024 %s: request is NULL; pass where to store it", kind.name);
  bool fits = tsr_mul_size(n, elem_bytes, &call.bytes);
  if (call.status) return call;
  if (!fits || !tsr_mul_size(call.bytes, (size_t)call.team->size, &all) || all > PTRDIFF_MAX) {
    call.bytes = SIZE_MAX; /* not 0, so that tsr_native_goes_on fails the collective */
    tsr_native_invalid(&call, "TSR-1025 %s: %zu times %zu bytes for each of %d members exceed the address space; correct the "
                       "size", kind.name, n, elem_bytes, call.team->size);
  }
  return call;
}

void tsr_native_check_root(struct tsr_native_call *call, int32_t root) {
  if (call->status || tsr_team_has(call->team, TSR_MEMBER(root))) return;
  call->status = tsr_fail(TESSERA_ERR_RANGE, "TSR-1026 %s: root %d is not in team %d; pass one of its members, 0 to %d",
                          call->kind.name, root, call->team->id, call->team->size - 1);
}

void tsr_native_check_buffer(struct tsr_native_call *call, const void *buffer, size_t bytes, const char *which) {
  if (call->status || !bytes || (buffer && !tsr_native_in_place(buffer))) return;
  if (buffer)
    tsr_native_invalid(call, "TSR-1027 %s: %s is TESSERA_IN_PLACE, which this argument cannot be on this member; pass the "
                       "buffer", call->kind.name, which);
  else
    tsr_native_invalid(call, "TSR-1028 %s: %s is NULL; pass the buffer, or size 0 on all members", call->kind.name, which);
}

void tsr_native_check_apart(struct tsr_native_call *call, const void *send, const void *recv, size_t bytes) {
  if (call->status || !bytes || send != recv) return;
  tsr_native_invalid(call, "TSR-1029 %s: send and recv are the same; pass TESSERA_IN_PLACE as send", call->kind.name);
}

tessera_status_t tsr_native_check_arith(const char *name, tessera_type_t type, tessera_op_t op, tessera_op_t last) {
  if ((unsigned)type >= TSR_TYPES_N)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1045 %s: type %d is unknown; use one of tessera/coll.h", name, (int)type);
  if ((unsigned)op > (unsigned)last)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1085 %s: operation %d is unknown here; use one of tessera/coll.h", name, (int)op);
  if (op >= TESSERA_REPLACE || tsr_arith_defined((tsr_type)type, (tsr_arith)op)) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_UNSUPPORTED,
                  "TSR-1046 %s: operation TESSERA_%s is not defined for type TESSERA_%s; bitwise and logical "
                  "ones take integers, MIN and MAX all but complex types",
                  name, tsr_arith_name((tsr_arith)op), tsr_type_name((tsr_type)type));
}

size_t tsr_native_check_table(struct tsr_native_call *call, struct tsr_counts table, const char *which) {
  size_t total = 0, end;
  if (call->status) return 0;
  if (!table.counts || !table.offs) {
    tsr_native_invalid(call, "TSR-1030 %s: counts or offsets of the data %s are NULL; pass a number for each member",
                       call->kind.name, which);
    return 0;
  }
  for (int32_t i = 0; i < call->team->size; i++) {
    size_t count = table.counts[i];
    if (!__builtin_add_overflow(total, count, &total) && total <= PTRDIFF_MAX &&
        !__builtin_add_overflow(count, table.offs[i], &end) && end <= PTRDIFF_MAX) continue;
    tsr_native_invalid(call, "TSR-1031 %s: %zu bytes at offset %zu of the data %s, for member %d, exceed the address space; "
                       "correct the tables", call->kind.name, count, table.offs[i], which, i);
    return 0;
  }
  return total;
}

void tsr_native_check_own(struct tsr_native_call *call, size_t bytes, size_t own) {
  if (call->status || bytes == own) return;
  tsr_native_invalid(call, "TSR-1032 %s: member %d sends itself %zu bytes, but receives %zu; the two sizes must be equal",
                     call->kind.name, call->team->self, bytes, own);
}

bool tsr_native_goes_on(struct tsr_native_call *call) {
  if (!call->team) return false;
  bool alone = !call->bytes && !call->kind.takes_part;
  if (!call->status && !alone && !call->kind.blocks)
    call->status = tsr_handle_create(TSR_UNIT(-1), &call->handle, &call->op);
  if (!call->status && alone && !call->kind.blocks) call->kind.request->id = 0;
  if (alone) return false;
  if (call->status && call->kind.starts) tsr_start_fail_others(call->team);
  else if (call->status) tsr_call_fail_others(call->team);
  return !call->status;
}

tessera_status_t tsr_native_end(const struct tsr_native_call *call, tessera_status_t status) {
  if (!status) tsr_stats_end(call->kind.stat, call->begun_ns, call->bytes);
  return status;
}

tessera_status_t tsr_native_start(const struct tsr_native_call *call, tsr_schedule *schedule, void *keep) {
  void (*finish)(void *) = keep ? free : NULL;
  if (call->kind.blocks) {
    tsr_schedule_run(schedule, finish, keep);
    return tsr_native_end(call, TESSERA_OK);
  }
  tsr_handle_explain(call->op, tsr_schedule_why(schedule));
  tsr_schedule_start(schedule, call->op, finish, keep);
  tsr_native_store_request(call->handle, call->kind.request);
  return tsr_native_end(call, TESSERA_OK);
}

/* ---- Requests ---- */

/* All requests are checked before any of them is used. */
static tessera_status_t check_requests(const char *name, const tessera_request_t requests[], size_t n) {
  if (!tsr_api_is_up[TSR_API_NATIVE]) return tsr_native_no_team(name, tessera_team_world());
  if (n && !requests) return tsr_fail(TESSERA_ERR_ARG, "TSR-1049 %s: the request is NULL; pass its address", name);
  for (size_t i = 0; i < n; i++) {
    if (requests[i].id && !tsr_handle_op(requests[i].id))
      return tsr_fail(TESSERA_ERR_NOT_FOUND, "TSR-1050 %s: request %llx at index %zu is stale or not a request; use a request "
                      "until it was waited for or tested as complete", name, (unsigned long long)requests[i].id, i);
  }
  return TESSERA_OK;
}

static void release_request(tessera_request_t *request) {
  tsr_handle_release(request->id);
  request->id = 0;
}

static tessera_status_t wait_for(const char *name, tessera_request_t requests[], size_t n) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = check_requests(name, requests, n);
  if (status) return status;
  for (size_t i = 0; i < n; i++) {
    const tsr_op *op = requests[i].id ? tsr_handle_op(requests[i].id) : NULL; /* also NULL if listed twice */
    if (op) tsr_handle_wait_remote(op);
    if (requests[i].id) release_request(&requests[i]);
  }
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0);
  return TESSERA_OK;
}

tessera_status_t tessera_wait(tessera_request_t *request) { return wait_for(__func__, request, 1); }
tessera_status_t tessera_wait_all(tessera_request_t requests[], size_t n) { return wait_for(__func__, requests, n); }

tessera_status_t tessera_wait_local(const tessera_request_t *request) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = check_requests(__func__, request, 1);
  const tsr_op *op = !status && request->id ? tsr_handle_op(request->id) : NULL;
  if (op) tsr_handle_wait_local(op);
  if (!status) tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0);
  return status;
}

tessera_status_t tessera_test(tessera_request_t *request, bool *complete) {
  tessera_status_t status = check_requests(__func__, request, 1);
  if (status) return status;
  if (!complete) return tsr_fail(TESSERA_ERR_ARG, "TSR-1051 %s: complete is NULL; pass where to store the answer", __func__);
  const tsr_op *op = request->id ? tsr_handle_op(request->id) : NULL;
  if (op && !tsr_op_remote_done(op)) tsr_progress();
  *complete = !op || tsr_op_remote_done(op);
  if (op && *complete) release_request(request);
  return TESSERA_OK;
}
