/* Reductions. */
#include "api/native/native_api.h"

typedef struct tsr_native_call call_t;
typedef struct tsr_native_kind kind;

_Static_assert((int)TESSERA_C128 == (int)TSR_C128 && (int)TESSERA_F80 == (int)TSR_F80 && TSR_TYPES_N == TSR_C128 + 1,
               "the public types are the core's");
_Static_assert((int)TESSERA_MIN == (int)TSR_MIN && (int)TESSERA_BAND == (int)TSR_BAND &&
                   (int)TESSERA_LXOR == (int)TSR_LXOR, "the public operations are the core's");

static void combine_user(void *inout, const void *in, size_t n, const tsr_reducer *how) {
  how->function(inout, in, n, how->user);
}

/* A valid user operation, or a built-in one that is defined for the type. */
static tsr_reducer check_how(call_t *call, const tessera_reduction_t *how) {
  tsr_reducer none = {.elem_bytes = 1};
  if (call->status) return none;
  if (how->type == TESSERA_TYPE_USER) {
    if (!how->combine || !how->elem_bytes)
      tsr_native_invalid(call, "TSR-1044 %s: the operation has no function, or elements of 0 bytes; create it with "
                         "tessera_user_op", call->kind.name);
    return (tsr_reducer){.elem_bytes = how->elem_bytes, .apply = combine_user, .commutes = how->commutes,
                         .user = how->user, .function = how->combine};
  }
  tessera_status_t status = tsr_native_check_arith(call->kind.name, how->type, how->op, TESSERA_LXOR);
  if (!status) return tsr_reducer_make((tsr_type)how->type, (tsr_arith)how->op);
  tsr_native_fail(call, status);
  return none;
}

/* The size of an element, before the checks. Never 0: a member with an error must take part in the collective. */
static size_t elem_bytes(const tessera_reduction_t *how) {
  if (how->type == TESSERA_TYPE_USER && how->elem_bytes) return how->elem_bytes;
  return (unsigned)how->type < TSR_TYPES_N ? tsr_type_bytes((tsr_type)how->type) : 1;
}

static tessera_status_t run_reduce(kind kind, tessera_team_t team, const void *send, void *recv, size_t n,
                                   const tessera_reduction_t *how, int32_t root) {
  call_t call = tsr_native_open(kind, team, n, elem_bytes(how));
  bool is_root = tsr_native_is_root(&call, root);
  tsr_native_check_root(&call, root);
  tsr_reducer reducer = check_how(&call, how);
  if (is_root) tsr_native_check_buffer(&call, recv, call.bytes, "recv of the root");
  if (is_root) send = tsr_native_from(&call, send, recv, 0);
  tsr_native_check_buffer(&call, send, call.bytes, "send");
  if (!is_root) recv = NULL;
  if (!tsr_native_goes_on(&call)) return call.status;
  if (kind.blocks) return tsr_native_end(&call, tsr_reduce(call.team, send, recv, n, &reducer, TSR_MEMBER(root)));
  return tsr_native_start(&call, tsr_nb_reduce(call.team, send, recv, n, &reducer, TSR_MEMBER(root)), NULL);
}

tessera_status_t tessera_reduce(tessera_team_t team, const void *send, void *recv, size_t n, tessera_reduction_t how,
                                int32_t root) {
  return run_reduce(TSR_NATIVE_BLOCKS(REDUCE), team, send, recv, n, &how, root);
}
tessera_status_t tessera_reduce_nb(tessera_team_t team, const void *send, void *recv, size_t n, tessera_reduction_t how,
                                   int32_t root, tessera_request_t *request) {
  return run_reduce(TSR_NATIVE_STARTS(REDUCE), team, send, recv, n, &how, root);
}

static tessera_status_t run_allreduce(kind kind, tessera_team_t team, const void *send, void *recv, size_t n,
                                      const tessera_reduction_t *how) {
  call_t call = tsr_native_open(kind, team, n, elem_bytes(how));
  tsr_reducer reducer = check_how(&call, how);
  tsr_native_check_buffer(&call, recv, call.bytes, "recv");
  send = tsr_native_from(&call, send, recv, 0);
  tsr_native_check_buffer(&call, send, call.bytes, "send");
  if (!tsr_native_goes_on(&call)) return call.status;
  if (kind.blocks) return tsr_native_end(&call, tsr_allreduce(call.team, send, recv, n, &reducer));
  return tsr_native_start(&call, tsr_nb_allreduce(call.team, send, recv, n, &reducer), NULL);
}

tessera_status_t tessera_allreduce(tessera_team_t team, const void *send, void *recv, size_t n, tessera_reduction_t how) {
  return run_allreduce(TSR_NATIVE_BLOCKS(ALLREDUCE), team, send, recv, n, &how);
}
tessera_status_t tessera_allreduce_nb(tessera_team_t team, const void *send, void *recv, size_t n,
                                      tessera_reduction_t how, tessera_request_t *request) {
  return run_allreduce(TSR_NATIVE_STARTS(ALLREDUCE), team, send, recv, n, &how);
}

/* Sets call->bytes to the size of all parts. */
static void check_counts(call_t *call, const size_t counts[], size_t each_bytes) {
  size_t n = 0;
  if (call->status) return;
  if (!counts) {
    tsr_native_invalid(call, "TSR-1047 %s: counts is NULL; pass a number for each member", call->kind.name);
    return;
  }
  for (int32_t i = 0; i < call->team->size; i++) {
    if (__builtin_add_overflow(n, counts[i], &n)) n = SIZE_MAX;
  }
  if (!__builtin_mul_overflow(n, each_bytes, &call->bytes) && call->bytes <= PTRDIFF_MAX) return;
  tsr_native_invalid(call, "TSR-1048 %s: all counts together, with elements of %zu bytes, exceed the address space; correct "
                     "them", call->kind.name, each_bytes);
}

static tessera_status_t reduce_scatter(kind kind, tessera_team_t team, const void *send, void *recv,
                                       const size_t counts[], const tessera_reduction_t *how) {
  kind.starts = kind.takes_part = true;
  call_t call = tsr_native_open(kind, team, 0, 1);
  tsr_reducer reducer = check_how(&call, how);
  check_counts(&call, counts, reducer.elem_bytes);
  if (!call.status)
    tsr_native_check_buffer(&call, recv, tsr_native_in_place(send) ? call.bytes : counts[call.team->self], "recv");
  send = tsr_native_from(&call, send, recv, 0);
  tsr_native_check_buffer(&call, send, call.bytes, "send");
  if (!tsr_native_goes_on(&call)) return call.status;
  return tsr_native_start(&call, tsr_nb_reduce_scatter(call.team, send, recv, counts, &reducer), NULL);
}

tessera_status_t tessera_reduce_scatter(tessera_team_t team, const void *send, void *recv, const size_t counts[],
                                        tessera_reduction_t how) {
  return reduce_scatter(TSR_NATIVE_BLOCKS(REDUCE_SCATTER), team, send, recv, counts, &how);
}
tessera_status_t tessera_reduce_scatter_nb(tessera_team_t team, const void *send, void *recv, const size_t counts[],
                                           tessera_reduction_t how, tessera_request_t *request) {
  return reduce_scatter(TSR_NATIVE_STARTS(REDUCE_SCATTER), team, send, recv, counts, &how);
}

static tessera_status_t run_scan(kind kind, tessera_team_t team, const void *send, void *recv, size_t n,
                                 const tessera_reduction_t *how, bool exclusive) {
  kind.starts = true;
  call_t call = tsr_native_open(kind, team, n, elem_bytes(how));
  bool receives = !exclusive || !tsr_native_is_root(&call, 0) || tsr_native_in_place(send);
  tsr_reducer reducer = check_how(&call, how);
  if (receives) tsr_native_check_buffer(&call, recv, call.bytes, "recv");
  send = tsr_native_from(&call, send, recv, 0);
  tsr_native_check_buffer(&call, send, call.bytes, "send");
  if (!tsr_native_goes_on(&call)) return call.status;
  return tsr_native_start(&call, tsr_nb_scan(call.team, send, recv, n, &reducer, exclusive), NULL);
}

tessera_status_t tessera_scan(tessera_team_t team, const void *send, void *recv, size_t n, tessera_reduction_t how) {
  return run_scan(TSR_NATIVE_BLOCKS(SCAN), team, send, recv, n, &how, false);
}
tessera_status_t tessera_scan_nb(tessera_team_t team, const void *send, void *recv, size_t n, tessera_reduction_t how,
                                 tessera_request_t *request) {
  return run_scan(TSR_NATIVE_STARTS(SCAN), team, send, recv, n, &how, false);
}
tessera_status_t tessera_exscan(tessera_team_t team, const void *send, void *recv, size_t n, tessera_reduction_t how) {
  return run_scan(TSR_NATIVE_BLOCKS(SCAN), team, send, recv, n, &how, true);
}
tessera_status_t tessera_exscan_nb(tessera_team_t team, const void *send, void *recv, size_t n, tessera_reduction_t how,
                                   tessera_request_t *request) {
  return run_scan(TSR_NATIVE_STARTS(SCAN), team, send, recv, n, &how, true);
}
