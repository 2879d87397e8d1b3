#include "api/native/am_call.h"

static tessera_status_t send_request(const struct tsr_native_am *call, int32_t unit, tsr_op *local) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = tsr_native_am_check_request(call, unit);
  if (!status) status = tsr_native_am_check_args(call);
  if (!status) status = tsr_native_am_check_data(call);
  if (status) return status;
  struct tsr_am_message message = tsr_native_am_message(call);
  status = tsr_am_request(TSR_UNIT(unit), &message, tsr_native_am_patience(call->flags), local);
  if (!status) tsr_native_am_count(TSR_STAT_AM_REQUEST, begun_ns, TSR_UNIT(unit), call->bytes);
  return status;
}

static tessera_status_t request_nb(const struct tsr_native_am *call, int32_t unit, tessera_request_t *out) {
  tsr_handle handle;
  tsr_op *op;
  tessera_status_t status = tsr_native_am_check_up(call->name);
  if (status) return status;
  if (!out) return tsr_fail(TESSERA_ERR_ARG, "TSR-1020 %s: request is NULL; pass where to store it", call->name);
  status = tsr_handle_create(TSR_UNIT(-1), &handle, &op);
  if (status) return status;
  tsr_handle_explain(op, (struct tsr_wait_why){.kind = TSR_WAIT_REPLY, .who = unit});
  status = send_request(call, unit, op);
  bool over = status || tsr_op_remote_done(op);
  if (over) tsr_handle_release(handle);
  if (!status) out->id = over ? 0 : handle;
  return status;
}

static tessera_status_t send_reply(const struct tsr_native_am *call, const tessera_am_t *to) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = tsr_native_am_check_reply(call, to);
  if (!status) status = tsr_native_am_check_args(call);
  if (!status) status = tsr_native_am_check_data(call);
  if (status) return status;
  struct tsr_am_message message = tsr_native_am_message(call);
  status = tsr_am_reply(to->token, &message, tsr_native_am_patience(call->flags), NULL);
  if (!status) tsr_native_am_count(TSR_STAT_AM_REPLY, begun_ns, TSR_UNIT(to->unit), call->bytes);
  return status;
}

#define SHORT_CALL (&(struct tsr_native_am){__func__, NULL, 0, 0, args, handler, args_n, TSR_AM_SHORT, flags})
#define MEDIUM_CALL (&(struct tsr_native_am){__func__, data, bytes, 0, args, handler, args_n, TSR_AM_MEDIUM, flags})
#define LONG_CALL (&(struct tsr_native_am){__func__, data, bytes, place, args, handler, args_n, TSR_AM_LONG, flags})

tessera_status_t tessera_am_request_short(int32_t unit, int32_t handler, const int32_t args[], int32_t args_n,
                                          unsigned flags) {
  return send_request(SHORT_CALL, unit, NULL);
}
tessera_status_t tessera_am_request_medium(int32_t unit, int32_t handler, const void *data, size_t bytes,
                                           const int32_t args[], int32_t args_n, unsigned flags) {
  return send_request(MEDIUM_CALL, unit, NULL);
}
tessera_status_t tessera_am_request_long(int32_t unit, int32_t handler, const void *data, size_t bytes, uint64_t place,
                                         const int32_t args[], int32_t args_n, unsigned flags) {
  return send_request(LONG_CALL, unit, NULL);
}
tessera_status_t tessera_am_request_medium_nb(int32_t unit, int32_t handler, const void *data, size_t bytes,
                                              const int32_t args[], int32_t args_n, unsigned flags,
                                              tessera_request_t *request) {
  return request_nb(MEDIUM_CALL, unit, request);
}
tessera_status_t tessera_am_request_long_nb(int32_t unit, int32_t handler, const void *data, size_t bytes, uint64_t place,
                                            const int32_t args[], int32_t args_n, unsigned flags,
                                            tessera_request_t *request) {
  return request_nb(LONG_CALL, unit, request);
}
tessera_status_t tessera_am_reply_short(const tessera_am_t *to, int32_t handler, const int32_t args[], int32_t args_n,
                                        unsigned flags) {
  return send_reply(SHORT_CALL, to);
}
tessera_status_t tessera_am_reply_medium(const tessera_am_t *to, int32_t handler, const void *data, size_t bytes,
                                         const int32_t args[], int32_t args_n, unsigned flags) {
  return send_reply(MEDIUM_CALL, to);
}
tessera_status_t tessera_am_reply_long(const tessera_am_t *to, int32_t handler, const void *data, size_t bytes,
                                       uint64_t place, const int32_t args[], int32_t args_n, unsigned flags) {
  return send_reply(LONG_CALL, to);
}
