/* Reductions: with predefined operations, of pairs, and with operations that the program made; the published calls and the
 * extensions of dart_ext_collective.h. */
#include <dash/dart/if/dart_ext_collective.h>

#include <limits.h>
#include <stdlib.h>

#include "coll/coll.h"
#include "api/dart/dart_api.h"
#include "api/dart/coll_call.h"

typedef struct tsr_dart_coll coll;
typedef struct tsr_dart_how how;

/* DART_OP_MINMAX. A pair holds the minimum at DART_OP_MINMAX_MIN and the maximum at DART_OP_MINMAX_MAX. */
static void combine_pairs(void *inout, const void *in, size_t n, const tsr_reducer *how) {
  size_t elem_bytes = how->elem_bytes / 2;
  for (size_t i = 0; i < n; i++) {
    size_t min = i * how->elem_bytes + DART_OP_MINMAX_MIN * elem_bytes;
    size_t max = i * how->elem_bytes + DART_OP_MINMAX_MAX * elem_bytes;
    tsr_arith_apply(how->type, TSR_MIN, (char *)inout + min, (const char *)in + min, 1);
    tsr_arith_apply(how->type, TSR_MAX, (char *)inout + max, (const char *)in + max, 1);
  }
}

/* The core's order of operands: inout[i] = in[i] op inout[i]. */
static void combine_custom(void *inout, const void *in, size_t n, const tsr_reducer *how) {
  const struct tsr_dart_custom_op *op = how->user;
  op->function(in, inout, n, op->user);
}

static dart_ret_t make_custom(const char *call, size_t nelem, dart_datatype_t base, struct tsr_dart_reduction *out) {
  const struct tsr_dart_custom_op *custom = &out->custom;
  if (custom->type != base)
    return tsr_dart_invalid("TSR-2115 %s: the elements are of %s, not of the type that the operation was made for; create one "
                            "operation for each type", call, tsr_dart_type_name(base));
  out->how = (tsr_reducer){.elem_bytes = custom->elem_bytes, .apply = combine_custom, .commutes = custom->commutes,
                           .user = &out->custom};
  out->n = nelem;
  return DART_OK;
}

/* DART_TYPE_BYTE in pairs has the sign of char, as in upstream DART: DASH uses it for ranges of char. */
static dart_ret_t make_pairs(const char *call, size_t nelem, tsr_type type, struct tsr_dart_reduction *out) {
  if (type == TSR_U8 && CHAR_MIN < 0) type = TSR_I8;
  if (nelem % 2)
    return tsr_dart_invalid("TSR-2116 %s: nelem %zu is odd; DART_OP_MINMAX takes pairs of two elements", call, nelem);
  out->how = (tsr_reducer){.elem_bytes = 2 * tsr_type_bytes(type), .apply = combine_pairs, .commutes = true,
                           .type = type};
  out->n = nelem / 2;
  return DART_OK;
}

/* `base`: the basic or custom type of the elements, also if the user's type is derived from it. DART_ERR_INVAL, logged:
 * the operation is not defined for the type or for this number of elements. */
static dart_ret_t make_reduction(const char *call, size_t nelem, dart_datatype_t base, dart_operation_t op,
                                 struct tsr_dart_reduction *out) {
  if (tsr_dart_custom_op_find(op, &out->custom)) return make_custom(call, nelem, base, out);
  if (op >= DART_OP_LAST) return tsr_dart_report_op(call, op, base);
  if (!tsr_dart_is_basic(base))
    return tsr_dart_invalid("TSR-2117 %s: %s is not defined for a custom type; create an operation with dart_op_create", call,
                            tsr_dart_ops[op].name);
  tsr_type type = (tsr_type)tsr_dart_basics[base].type;
  tsr_arith arith;
  if (op == DART_OP_MINMAX) return make_pairs(call, nelem, type, out);
  if (!tsr_dart_arith(op, &arith) || arith == TSR_REPLACE || arith == TSR_NO_OP || !tsr_arith_defined(type, arith))
    return tsr_dart_report_op(call, op, base);
  out->how = tsr_reducer_make(type, arith);
  out->n = nelem;
  return DART_OK;
}

/* ---- Calls ---- */

static void check_reduction(coll *s, const void *sendbuf, size_t nelem, dart_operation_t op) {
  if (s->result == DART_OK) s->result = make_reduction(s->how.call, nelem, s->shape.base, op, &s->reduction);
  tsr_dart_check_buffer(s, sendbuf, "sendbuf");
}

static dart_ret_t run_reduce(const how *how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                             dart_operation_t op, dart_team_unit_t root, dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, false);
  bool is_root = tsr_dart_is_root(s, root);
  tsr_dart_check_root(s, root);
  check_reduction(s, sendbuf, nelem, op);
  if (is_root) tsr_dart_check_buffer(s, recvbuf, "recvbuf of the root");
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  const struct tsr_dart_reduction *combine = &s->reduction;
  tsr_member to = TSR_MEMBER(root.id);
  s->send = tsr_dart_block_to_send(&s->shape, sendbuf, 1);
  s->receive = tsr_dart_block_for(&s->shape, is_root ? recvbuf : NULL, 1);
  if (how->mode == TSR_DART_WAITS)
    return tsr_dart_coll_end(s, tsr_reduce(s->team, s->send.data, s->receive.data, combine->n, &combine->how, to));
  return tsr_dart_coll_run(s, tsr_nb_reduce(s->team, s->send.data, s->receive.data, combine->n, &combine->how, to));
}

dart_ret_t dart_reduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                       dart_team_unit_t root, dart_team_t team) {
  return run_reduce(TSR_DART_HOW(WAITS, REDUCE, NULL), sendbuf, recvbuf, nelem, dtype, op, root, team);
}
dart_ret_t dart_ireduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                        dart_team_unit_t root, dart_team_t team, dart_handle_t *handle) {
  return run_reduce(TSR_DART_HOW(STARTS, REDUCE, handle), sendbuf, recvbuf, nelem, dtype, op, root, team);
}

static dart_ret_t run_allreduce(const how *how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                dart_operation_t op, dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, false);
  check_reduction(s, sendbuf, nelem, op);
  tsr_dart_check_buffer(s, recvbuf, "recvbuf");
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  const struct tsr_dart_reduction *combine = &s->reduction;
  s->send = tsr_dart_block_to_send(&s->shape, sendbuf, 1);
  s->receive = tsr_dart_block_for(&s->shape, recvbuf, 1);
  if (how->mode == TSR_DART_WAITS)
    return tsr_dart_coll_end(s, tsr_allreduce(s->team, s->send.data, s->receive.data, combine->n, &combine->how));
  return tsr_dart_coll_run(s, tsr_nb_allreduce(s->team, s->send.data, s->receive.data, combine->n, &combine->how));
}

dart_ret_t dart_allreduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                          dart_team_t team) {
  return run_allreduce(TSR_DART_HOW(WAITS, ALLREDUCE, NULL), sendbuf, recvbuf, nelem, dtype, op, team);
}
dart_ret_t dart_iallreduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                           dart_team_t team, dart_handle_t *handle) {
  return run_allreduce(TSR_DART_HOW(STARTS, ALLREDUCE, handle), sendbuf, recvbuf, nelem, dtype, op, team);
}

/* Runs a reduce-scatter of parts of nelem[i] elements; if `nelem` is NULL, of `each` elements. The core gets the size of a part in
 * the items that it combines: elements, or pairs of elements. */
static dart_ret_t run_parts(coll *s, void *recvbuf, const size_t nelem[], size_t each) {
  int32_t units_n = s->team->size;
  size_t *parts = tsr_coll_memory((size_t)units_n * sizeof *parts);
  size_t per = s->reduction.how.elem_bytes / s->shape.elem_bytes;
  for (int32_t i = 0; i < units_n; i++) parts[i] = (nelem ? nelem[i] : each) / per;
  s->receive = tsr_dart_block_for(&s->shape, recvbuf, 1);
  tsr_schedule *schedule = tsr_nb_reduce_scatter(s->team, s->send.data, s->receive.data, parts, &s->reduction.how);
  free(parts);
  return tsr_dart_coll_run(s, schedule);
}

static dart_ret_t scatter_block(const how *how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                dart_operation_t op, dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, false);
  check_reduction(s, sendbuf, nelem, op);
  tsr_dart_check_buffer(s, recvbuf, "recvbuf");
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  s->send = tsr_dart_block_to_send(&s->shape, sendbuf, s->team->size);
  return run_parts(s, recvbuf, NULL, nelem);
}

dart_ret_t dart_reduce_scatter_block(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                     dart_operation_t op, dart_team_t team) {
  return scatter_block(TSR_DART_HOW(RUNS, REDUCE_SCATTER, NULL), sendbuf, recvbuf, nelem, dtype, op, team);
}
dart_ret_t dart_ireduce_scatter_block(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                      dart_operation_t op, dart_team_t team, dart_handle_t *handle) {
  return scatter_block(TSR_DART_HOW(STARTS, REDUCE_SCATTER, handle), sendbuf, recvbuf, nelem, dtype, op, team);
}

/* Replaces a shape. After an error the shape is unchanged. */
static dart_ret_t measure_again(const coll *s, dart_datatype_t dtype, size_t nelem, struct tsr_dart_shape *shape) {
  struct tsr_dart_shape made;
  dart_ret_t result = tsr_dart_shape_make(s->how.call, dtype, nelem, &made);
  if (result != DART_OK) return result;
  tsr_dart_shape_release(shape);
  *shape = made;
  return DART_OK;
}

/* Checks each part. The call gets this unit's own part, and `all` becomes the whole of sendbuf. */
static dart_ret_t measure_parts(coll *s, const size_t nelem[], dart_datatype_t dtype, dart_operation_t op,
                                struct tsr_dart_shape *all) {
  size_t total = 0;
  dart_ret_t result = DART_OK;
  if (!nelem) return tsr_dart_invalid("TSR-2048 %s: nelem is NULL; pass one number for each unit of the team", s->how.call);
  for (int32_t i = 0; result == DART_OK && i < s->team->size; i++) {
    result = make_reduction(s->how.call, nelem[i], s->shape.base, op, &s->reduction);
    if (result == DART_OK) result = measure_again(s, dtype, nelem[i], all);
    if (result == DART_OK && __builtin_add_overflow(total, nelem[i], &total))
      result = tsr_dart_invalid("TSR-2049 %s: the parts of all units exceed the address space; correct nelem", s->how.call);
  }
  if (result == DART_OK) result = measure_again(s, dtype, total, all);
  if (result == DART_OK) result = measure_again(s, dtype, nelem[s->team->self], &s->shape);
  return result;
}

static dart_ret_t scatter_parts(const how *how, const void *sendbuf, void *recvbuf, const size_t nelem[],
                                dart_datatype_t dtype, dart_operation_t op, dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, 0, dtype, true);
  struct tsr_dart_shape all = {.type = NULL};
  if (s->result == DART_OK) s->result = measure_parts(s, nelem, dtype, op, &all);
  tsr_dart_check_bytes(s, all.bytes, sendbuf, "sendbuf");
  tsr_dart_check_buffer(s, recvbuf, "recvbuf");
  bool goes_on = tsr_dart_coll_goes_on(s);
  if (goes_on) s->send = tsr_dart_block_to_send(&all, sendbuf, 1);
  tsr_dart_shape_release(&all);
  return goes_on ? run_parts(s, recvbuf, nelem, 0) : tsr_dart_coll_drop(s);
}

dart_ret_t dart_reduce_scatter(const void *sendbuf, void *recvbuf, const size_t *nelem, dart_datatype_t dtype,
                               dart_operation_t op, dart_team_t team) {
  return scatter_parts(TSR_DART_HOW(RUNS, REDUCE_SCATTER, NULL), sendbuf, recvbuf, nelem, dtype, op, team);
}
dart_ret_t dart_ireduce_scatter(const void *sendbuf, void *recvbuf, const size_t *nelem, dart_datatype_t dtype,
                                dart_operation_t op, dart_team_t team, dart_handle_t *handle) {
  return scatter_parts(TSR_DART_HOW(STARTS, REDUCE_SCATTER, handle), sendbuf, recvbuf, nelem, dtype, op, team);
}

static dart_ret_t run_scan(const how *how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                           dart_operation_t op, dart_team_t team, bool exclusive) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, false);
  bool receives = !exclusive || (s->team && s->team->self > 0);
  check_reduction(s, sendbuf, nelem, op);
  if (receives) tsr_dart_check_buffer(s, recvbuf, "recvbuf");
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  const struct tsr_dart_reduction *combine = &s->reduction;
  s->send = tsr_dart_block_to_send(&s->shape, sendbuf, 1);
  s->receive = tsr_dart_block_for(&s->shape, receives ? recvbuf : NULL, 1);
  return tsr_dart_coll_run(s, tsr_nb_scan(s->team, s->send.data, s->receive.data, combine->n, &combine->how, exclusive));
}

dart_ret_t dart_scan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                     dart_team_t team) {
  return run_scan(TSR_DART_HOW(RUNS, SCAN, NULL), sendbuf, recvbuf, nelem, dtype, op, team, false);
}
dart_ret_t dart_iscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                      dart_team_t team, dart_handle_t *handle) {
  return run_scan(TSR_DART_HOW(STARTS, SCAN, handle), sendbuf, recvbuf, nelem, dtype, op, team, false);
}
dart_ret_t dart_exscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                       dart_team_t team) {
  return run_scan(TSR_DART_HOW(RUNS, SCAN, NULL), sendbuf, recvbuf, nelem, dtype, op, team, true);
}
dart_ret_t dart_iexscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                        dart_team_t team, dart_handle_t *handle) {
  return run_scan(TSR_DART_HOW(STARTS, SCAN, handle), sendbuf, recvbuf, nelem, dtype, op, team, true);
}
