#include "api/native/am_call.h"

tessera_status_t tsr_native_am_check_up(const char *name) {
  return tsr_api_is_up[TSR_API_NATIVE] ? TESSERA_OK : tsr_runtime_not_up(name);
}

tessera_status_t tsr_native_am_check_unit(const char *name, int32_t unit) {
  if (tsr_team_has(tsr_team_world, TSR_MEMBER(unit))) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_RANGE, "TSR-1006 %s: there is no unit %d; pass 0 to %d", name, unit, tsr_place.units_n - 1);
}

tessera_status_t tsr_native_am_check_flags(const char *name, unsigned flags) {
  if (!(flags & ~(unsigned)TESSERA_AM_IMMEDIATE)) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_ARG, "TSR-1007 %s: flags %#x are unknown; pass 0 or TESSERA_AM_IMMEDIATE", name, flags);
}

tessera_status_t tsr_native_am_check_place(const struct tsr_native_am *call) {
  uint64_t slice = tsr_heap_slice_bytes();
  if (call->kind != TSR_AM_LONG || (call->place <= slice && call->bytes <= slice - call->place)) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_RANGE, "TSR-1008 %s: %zu bytes at place %llu are not inside a heap; pass a place that "
                  "tessera_am_place stored on the target", call->name, call->bytes, (unsigned long long)call->place);
}

tessera_status_t tsr_native_am_check_data(const struct tsr_native_am *call) {
  size_t most = call->kind == TSR_AM_LONG ? TSR_AM_LONG_BYTES : TSR_AM_MEDIUM_BYTES;
  if (call->kind == TSR_AM_SHORT) return TESSERA_OK;
  if (call->bytes > most)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1009 %s: %zu bytes are more than the %zu of one message; send several", call->name,
                    call->bytes, most);
  if (call->bytes && !call->data)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1010 %s: the buffer for %zu bytes is NULL; pass it, or size 0", call->name,
                    call->bytes);
  return tsr_native_am_check_place(call);
}

tessera_status_t tsr_native_am_check_args(const struct tsr_native_am *call) {
  if (call->handler < 0 || call->handler >= TESSERA_AM_HANDLERS_MAX)
    return tsr_fail(TESSERA_ERR_RANGE, "TSR-1011 %s: there is no handler %d; pass 0 to %d", call->name, call->handler,
                    TESSERA_AM_HANDLERS_MAX - 1);
  if (call->args_n < 0 || call->args_n > TESSERA_AM_ARGS_MAX || (call->args_n > 0 && !call->args))
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1012 %s: %d arguments at %p; pass 0 to %d", call->name, call->args_n,
                    (const void *)call->args, TESSERA_AM_ARGS_MAX);
  return tsr_native_am_check_flags(call->name, call->flags);
}

tessera_status_t tsr_native_am_check_outside(const char *name) {
  if (!tsr_am_running()) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_STATE, "TSR-1013 %s: called from a handler, which may only reply; do this after it has returned",
                  name);
}

tessera_status_t tsr_native_am_check_request(const struct tsr_native_am *call, int32_t unit) {
  tessera_status_t status = tsr_native_am_check_up(call->name);
  if (!status) status = tsr_native_am_check_outside(call->name);
  if (!status) status = tsr_native_am_check_unit(call->name, unit);
  return status;
}

tessera_status_t tsr_native_am_check_reply(const struct tsr_native_am *call, const tessera_am_t *to) {
  const char *name = call->name;
  const tsr_am_token *token = tsr_am_running();
  tessera_status_t status = tsr_native_am_check_up(name);
  if (status) return status;
  if (!token || !to || to->token != token || !token->is_request)
    return tsr_fail(TESSERA_ERR_STATE, "TSR-1014 %s: `to` is not the request whose handler runs; reply in the request's "
                    "handler",
                    name);
  if (token->replied) return tsr_fail(TESSERA_ERR_STATE, "TSR-1015 %s: the request has its reply already; send one only", name);
  return TESSERA_OK;
}
