#include <string.h>

#include "core/handlers.h"
#include "core/runtime.h"
#include "rma/atomic.h"
#include "rma/rma.h"

enum { UNLOCKED = 1 << 16 }; /* in the argument with type and operation */

static tsr_type decode_operation(const struct tsr_net_in *in, tsr_arith *op) {
  tsr_type type;
  if (!tsr_arith_decode(in->args[2] & ~(uint64_t)UNLOCKED, &type, op))
    tsr_abort(1, "TSR-0600 a request of rank %d names operation %u on type %u, which do not exist; " TSR_REMEDY_ONE_BUILD,
              in->rank, (unsigned)*op, (unsigned)type);
  return type;
}

static struct tsr_net_request request_to(tsr_addr target, enum tsr_handler handler, tsr_type type, tsr_arith op) {
  return (struct tsr_net_request){.rank = tsr_place_endpoint(target),
                                  .handler = (uint8_t)handler,
                                  .args = {(uint64_t)target.unit.id, target.off, tsr_arith_encode(type, op)}};
}

static tessera_status_t request_fetch(tsr_addr target, tsr_type type, tsr_arith op, uint64_t unlocked, const void *operand,
                                      void *result, tsr_op *op_) {
  struct tsr_net_request request = request_to(target, TSR_H_FETCH, type, op);
  request.args[2] |= unlocked;
  request.payload = operand;
  request.payload_bytes = operand ? tsr_type_bytes(type) : 0;
  request.reply = result;
  request.reply_bytes = result ? tsr_type_bytes(type) : 0;
  return tsr_op_request(op_, &request, NULL, NULL);
}

tessera_status_t tsr_fetch(tsr_addr target, tsr_type type, tsr_arith op, const void *operand, void *result, tsr_op *op_) {
  void *remote_addr = tsr_place_pointer(target);
  if (!remote_addr) return request_fetch(target, type, op, 0, operand, result, op_);
  tsr_atomic_apply(type, op, remote_addr, operand, result);
  return TESSERA_OK;
}

tessera_status_t tsr_fetch_unlocked(tsr_addr target, tsr_type type, tsr_arith op, const void *operand, void *result,
                                    tsr_op *op_) {
  void *remote_addr = tsr_place_pointer(target);
  if (!remote_addr) return request_fetch(target, type, op, UNLOCKED, operand, result, op_);
  tsr_atomic_apply_unlocked(type, op, remote_addr, operand, result);
  return TESSERA_OK;
}

tessera_status_t tsr_swap_if(tsr_addr target, tsr_type type, const void *expected, const void *desired, void *result,
                             tsr_op *op_) {
  void *remote_addr = tsr_place_pointer(target);
  if (remote_addr) {
    tsr_atomic_swap_if(type, remote_addr, expected, desired, result);
    return TESSERA_OK;
  }
  size_t bytes = tsr_type_bytes(type);
  char both[2 * sizeof(long double)];
  memcpy(both, expected, bytes);
  memcpy(both + bytes, desired, bytes);
  struct tsr_net_request request = request_to(target, TSR_H_SWAP_IF, type, TSR_REPLACE);
  request.payload = both;
  request.payload_bytes = 2 * bytes;
  request.reply = result;
  request.reply_bytes = result ? bytes : 0;
  return tsr_op_request(op_, &request, NULL, NULL);
}

tessera_status_t tsr_accumulate(tsr_addr target, tsr_type type, tsr_arith op, const void *operand, size_t n, tsr_op *op_) {
  void *remote_addr = tsr_place_pointer(target);
  if (remote_addr) {
    tsr_atomic_accumulate(type, op, remote_addr, operand, n);
    return TESSERA_OK;
  }
  size_t size = tsr_type_bytes(type), most = tsr_net_limits.payload_bytes / size;
  tessera_status_t status = TESSERA_OK;
  for (size_t at = 0; at < n && !status; at += most) {
    const tsr_addr part = {target.unit, target.off + at * size};
    struct tsr_net_request request = request_to(part, TSR_H_ACCUMULATE, type, op);
    request.payload = (const char *)operand + at * size;
    request.payload_bytes = (n - at < most ? n - at : most) * size;
    status = tsr_op_request(op_, &request, NULL, NULL);
  }
  return status;
}

/* If the origin has no room for the old value, none is returned. */
static void serve_fetch(const struct tsr_net_in *in, struct tsr_net_out *out) {
  tsr_arith op;
  tsr_type type = decode_operation(in, &op);
  size_t bytes = tsr_type_bytes(type);
  bool wanted = in->reply_bytes >= bytes;
  void *result = wanted ? out->scratch : NULL, *target = tsr_serve_range(in, in->args[1], bytes);
  if (in->args[2] & UNLOCKED) {
    if ((type != TSR_F32 && type != TSR_F64) || in->payload_bytes != bytes)
      tsr_abort(1, "TSR-0601 a request of rank %d asks for an atomic without a lock, but does not carry one floating-point "
                "number; " TSR_REMEDY_ONE_BUILD, in->rank);
    tsr_atomic_apply_unlocked(type, op, target, in->payload, result);
  } else {
    tsr_atomic_apply(type, op, target, in->payload_bytes ? in->payload : NULL, result);
  }
  out->reply = out->scratch;
  out->reply_bytes = wanted ? bytes : 0;
  tsr_serve_changed(in);
}

static void serve_swap_if(const struct tsr_net_in *in, struct tsr_net_out *out) {
  tsr_arith op;
  tsr_type type = decode_operation(in, &op);
  size_t bytes = tsr_type_bytes(type);
  bool wanted = in->reply_bytes >= bytes;
  if (in->payload_bytes != 2 * bytes)
    tsr_abort(1, "TSR-0602 a compare-and-swap of rank %d does not bring two values; " TSR_REMEDY_ONE_BUILD, in->rank);
  const char *expected = in->payload;
  tsr_atomic_swap_if(type, tsr_serve_range(in, in->args[1], bytes), expected, expected + bytes, wanted ? out->scratch : NULL);
  out->reply = out->scratch;
  out->reply_bytes = wanted ? bytes : 0;
  tsr_serve_changed(in);
}

static void serve_accumulate(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  tsr_arith op;
  tsr_type type = decode_operation(in, &op);
  if (in->payload_bytes % tsr_type_bytes(type) != 0)
    tsr_abort(1, "TSR-0614 an accumulate of rank %d has %zu bytes, which are not a multiple of the element size, %zu; "
              TSR_REMEDY_ONE_BUILD, in->rank, in->payload_bytes, tsr_type_bytes(type));
  void *target = tsr_serve_range(in, in->args[1], in->payload_bytes);
  tsr_atomic_accumulate(type, op, target, in->payload, in->payload_bytes / tsr_type_bytes(type));
  tsr_serve_changed(in);
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_FETCH, serve_fetch);
  tsr_net_register(TSR_H_SWAP_IF, serve_swap_if);
  tsr_net_register(TSR_H_ACCUMULATE, serve_accumulate);
}
