#include <dash/dart/if/dart_ext_message.h>

#include <stdlib.h>

#include "base/stats.h"
#include "core/op.h"
#include "core/place.h"
#include "api/dart/dart_api.h"
#include "api/dart/message.h"
#include "p2p/p2p.h"

/* A non-blocking message. Its completion ends `op` and frees the record. */
struct request {
  struct tsr_dart_end end;
  tsr_op *op;
  uint64_t begun_ns;
  dart_message_status_t *status;
  union {
    tsr_outgoing out;
    tsr_incoming in;
  };
};

static void finish_request(struct request *request, enum tsr_stat what) {
  tsr_op *op = request->op;
  tsr_stats_end(what, request->begun_ns, request->end.shape.bytes, tsr_dart_end_remote_bytes(&request->end));
  tsr_dart_end_close(&request->end);
  free(request);
  tsr_op_end(op);
}

static void on_sent(tsr_outgoing *out) {
  finish_request((struct request *)((char *)out - offsetof(struct request, out)), TSR_STAT_SEND);
}

/* A receive that dart_exit ends has no source. */
static void on_received(tsr_incoming *in) {
  struct request *request = (struct request *)((char *)in - offsetof(struct request, in));
  bool met = in->source.id >= 0;
  dart_ret_t result = met ? tsr_dart_end_receive(&request->end, in) : DART_OK;
  dart_global_unit_t unit = DART_GLOBAL_UNIT_ID(in->source.id);
  if (request->status) *request->status = (dart_message_status_t){unit, in->tag, in->bytes, result};
  finish_request(request, TSR_STAT_RECEIVE);
}

static dart_ret_t check_handle(const char *call, const dart_handle_t *handle) {
  return handle ? DART_OK : tsr_dart_invalid("TSR-2030 %s: handle is NULL; pass where to store the handle", call);
}

/* A request that is counted in a new op. NULL: logged. */
static struct request *make_request(const struct tsr_dart_end *end, struct tsr_wait_why why, tsr_handle *number) {
  struct request *request = malloc(sizeof *request);
  if (!request) {
    tsr_fail(TESSERA_ERR_MEMORY, "TSR-2031 %s: no private memory for one more message; wait for some", end->call);
    return NULL;
  }
  request->end = *end;
  request->status = NULL;
  request->begun_ns = tsr_stats_begin();
  if (tsr_handle_create(TSR_UNIT(-1), number, &request->op)) {
    free(request);
    return NULL;
  }
  tsr_handle_explain(request->op, why);
  tsr_op_begin(request->op);
  return request;
}

static void give_handle(tsr_handle number, dart_handle_t *handle) {
  bool done = tsr_op_remote_done(tsr_handle_op(number));
  if (done) tsr_handle_release(number);
  *handle = done ? DART_HANDLE_NULL : (dart_handle_t)(uintptr_t)number;
}

/* Ends a request that failed to start. */
static dart_ret_t undo_request(struct request *request, tsr_handle number, tessera_status_t status) {
  tsr_op_end(request->op);
  tsr_handle_release(number);
  free(request);
  return tsr_dart_code(status);
}

static dart_ret_t start_send(struct tsr_dart_end *end, enum tsr_p2p_mode mode, dart_handle_t *handle) {
  tsr_handle number;
  tsr_unit to = TSR_UNIT(end->unit.id);
  struct request *request = make_request(end, tsr_p2p_send_why(to, end->tag), &number);
  if (!request) return tsr_dart_code(TESSERA_ERR_MEMORY);
  tessera_status_t status = tsr_p2p_send_start_then(&request->out, to, TSR_P2P_DART, end->tag, end->block,
                                                    end->shape.bytes, mode, on_sent);
  if (status) return undo_request(request, number, status);
  give_handle(number, handle);
  return DART_OK;
}

static dart_ret_t send_nb(struct tsr_dart_end end, enum tsr_p2p_mode mode, dart_handle_t *handle) {
  dart_ret_t result = check_handle(end.call, handle);
  if (result == DART_OK) result = tsr_dart_end_open(&end);
  if (result != DART_OK) return result;
  result = start_send(&end, mode, handle);
  if (result != DART_OK) tsr_dart_end_close(&end);
  return result;
}

typedef tessera_status_t (*send_fn)(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                    size_t bytes);

static dart_ret_t send_all(struct tsr_dart_end end, send_fn send) {
  uint64_t begun_ns = tsr_stats_begin();
  dart_ret_t result = tsr_dart_end_open(&end);
  if (result != DART_OK) return result;
  result = tsr_dart_code(send(TSR_UNIT(end.unit.id), TSR_P2P_DART, end.tag, end.block, end.shape.bytes));
  if (result == DART_OK) tsr_stats_end(TSR_STAT_SEND, begun_ns, end.shape.bytes, tsr_dart_end_remote_bytes(&end));
  tsr_dart_end_close(&end);
  return result;
}

#define SEND_END {.call = __func__, .buffer_name = "sendbuf", .buffer = sendbuf, .nelem = nelem, .dtype = dtype, \
                  .tag = tag, .unit = unit}

dart_ret_t dart_isend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit,
                      dart_handle_t *handle) {
  return send_nb((struct tsr_dart_end)SEND_END, TSR_P2P_STANDARD, handle);
}

dart_ret_t dart_issend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit,
                       dart_handle_t *handle) {
  return send_nb((struct tsr_dart_end)SEND_END, TSR_P2P_SYNCHRONOUS, handle);
}

dart_ret_t dart_ssend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit) {
  return send_all((struct tsr_dart_end)SEND_END, tsr_p2p_send_synchronous);
}

dart_ret_t dart_bsend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit) {
  return send_all((struct tsr_dart_end)SEND_END, tsr_p2p_send_buffered);
}

dart_ret_t dart_ibsend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit,
                       dart_handle_t *handle) {
  dart_ret_t result = check_handle(__func__, handle);
  if (result == DART_OK) result = send_all((struct tsr_dart_end)SEND_END, tsr_p2p_send_buffered);
  if (result == DART_OK) *handle = DART_HANDLE_NULL;
  return result;
}

dart_ret_t dart_irecv(void *recvbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit,
                      dart_message_status_t *status, dart_handle_t *handle) {
  struct tsr_dart_end end = {.call = __func__, .buffer_name = "recvbuf", .buffer = recvbuf, .nelem = nelem, .dtype = dtype,
                             .tag = tag, .unit = unit, .takes_any = true};
  dart_ret_t result = check_handle(__func__, handle);
  if (result == DART_OK) result = tsr_dart_end_open(&end);
  if (result != DART_OK) return result;
  tsr_handle number;
  tsr_unit from = tsr_dart_end_unit(&end);
  int32_t key = tsr_dart_end_tag(&end);
  struct request *request = make_request(&end, tsr_p2p_receive_why(from, key), &number);
  if (!request) {
    tsr_dart_end_close(&end);
    return tsr_dart_code(TESSERA_ERR_MEMORY);
  }
  request->status = status;
  tsr_p2p_receive_start_then(&request->in, from, TSR_P2P_DART, key, end.block, end.shape.bytes, on_received);
  give_handle(number, handle);
  return DART_OK;
}

static void store_status(dart_message_status_t *status, const struct tsr_p2p_found *found) {
  if (!status) return;
  *status = (dart_message_status_t){DART_GLOBAL_UNIT_ID(found->source.id), found->tag, found->bytes, DART_OK};
}

dart_ret_t dart_probe(int tag, dart_global_unit_t unit, dart_message_status_t *status) {
  struct tsr_dart_end end = {.call = __func__, .tag = tag, .unit = unit, .takes_any = true};
  struct tsr_p2p_found found;
  dart_ret_t result = tsr_dart_end_check(&end);
  if (result != DART_OK) return result;
  tsr_p2p_probe_wait(tsr_dart_end_unit(&end), TSR_P2P_DART, tsr_dart_end_tag(&end), &found);
  store_status(status, &found);
  return DART_OK;
}

dart_ret_t dart_iprobe(int tag, dart_global_unit_t unit, int32_t *found, dart_message_status_t *status) {
  struct tsr_dart_end end = {.call = __func__, .tag = tag, .unit = unit, .takes_any = true};
  struct tsr_p2p_found what;
  dart_ret_t result = tsr_dart_end_check(&end);
  if (result != DART_OK) return result;
  if (!found) return tsr_dart_invalid("TSR-2032 %s: found is NULL; pass where to store the answer", __func__);
  *found = tsr_p2p_probe(tsr_dart_end_unit(&end), TSR_P2P_DART, tsr_dart_end_tag(&end), &what);
  if (*found) store_status(status, &what);
  return DART_OK;
}
