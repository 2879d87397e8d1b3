/* Blocking reductions: with predefined operations, of pairs, and with operations that the program made. */
#include <dash/dart/if/dart_communication.h>

#include <limits.h>

#include "coll/coll.h"
#include "api/dart/collective.h"
#include "api/dart/dart_api.h"
#include "api/dart/op.h"
#include "api/dart/reduction.h"
#include "api/dart/counts.h"

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

static dart_ret_t check_custom(const char *call, size_t nelem, dart_datatype_t base, struct tsr_dart_reduction *out) {
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
static dart_ret_t check_pairs(const char *call, size_t nelem, tsr_type type, struct tsr_dart_reduction *out) {
  if (type == TSR_U8 && CHAR_MIN < 0) type = TSR_I8;
  if (nelem % 2)
    return tsr_dart_invalid("TSR-2116 %s: nelem %zu is odd; DART_OP_MINMAX takes pairs of two elements", call, nelem);
  out->how = (tsr_reducer){.elem_bytes = 2 * tsr_type_bytes(type), .apply = combine_pairs, .commutes = true,
                           .type = type};
  out->n = nelem / 2;
  return DART_OK;
}

dart_ret_t tsr_dart_reduction_make(const char *call, size_t nelem, dart_datatype_t base, dart_operation_t op,
                                   struct tsr_dart_reduction *out) {
  if (tsr_dart_custom_op_find(op, &out->custom)) return check_custom(call, nelem, base, out);
  if (op >= DART_OP_LAST) return tsr_dart_refuse_op(call, op, base);
  if (!tsr_dart_is_basic(base))
    return tsr_dart_invalid("TSR-2117 %s: %s is not defined for a custom type; create an operation with dart_op_create", call,
                            tsr_dart_ops[op].name);
  tsr_type type = (tsr_type)tsr_dart_basics[base].type;
  tsr_arith arith;
  if (op == DART_OP_MINMAX) return check_pairs(call, nelem, type, out);
  if (!tsr_dart_arith(op, &arith) || arith == TSR_REPLACE || arith == TSR_NO_OP || !tsr_arith_defined(type, arith))
    return tsr_dart_refuse_op(call, op, base);
  out->how = tsr_reducer_make(type, arith);
  out->n = nelem;
  return DART_OK;
}

dart_ret_t dart_allreduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                          dart_team_t team) {
  struct tsr_dart_share share;
  struct tsr_dart_reduction reduction;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_reduction_make(__func__, nelem, share.shape.base, op, &reduction);
  if (result == DART_OK) result = tsr_dart_check_buffer(&share, sendbuf, "sendbuf");
  if (result == DART_OK) result = tsr_dart_check_buffer(&share, recvbuf, "recvbuf");
  if (tsr_dart_share_goes_on(&share, result)) {
    struct tsr_dart_block send = tsr_dart_block_to_send(&share, sendbuf, 1);
    struct tsr_dart_block receive = tsr_dart_block_for(&share, recvbuf, 1);
    result = tsr_dart_code(tsr_allreduce(share.team, send.data, receive.data, reduction.n, &reduction.how));
    tsr_dart_block_receive(&share, &receive, result);
    tsr_dart_block_drop(&send);
  }
  return tsr_dart_share_end(&share, TSR_STAT_ALLREDUCE, result);
}

dart_ret_t dart_reduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                       dart_team_unit_t root, dart_team_t team) {
  struct tsr_dart_share share;
  struct tsr_dart_reduction reduction;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_check_root(&share, root);
  if (result == DART_OK) result = tsr_dart_reduction_make(__func__, nelem, share.shape.base, op, &reduction);
  if (result == DART_OK) result = tsr_dart_check_buffer(&share, sendbuf, "sendbuf");
  if (result == DART_OK) result = tsr_dart_check_at_root(&share, root, recvbuf, "recvbuf of the root");
  if (tsr_dart_share_goes_on(&share, result)) {
    bool is_root = share.team->self == root.id;
    struct tsr_dart_block send = tsr_dart_block_to_send(&share, sendbuf, 1);
    struct tsr_dart_block receive = tsr_dart_block_for(&share, is_root ? recvbuf : NULL, 1);
    tsr_member to = TSR_MEMBER(root.id);
    result = tsr_dart_code(tsr_reduce(share.team, send.data, receive.data, reduction.n, &reduction.how, to));
    tsr_dart_block_receive(&share, &receive, result);
    tsr_dart_block_drop(&send);
  }
  return tsr_dart_share_end(&share, TSR_STAT_REDUCE, result);
}
