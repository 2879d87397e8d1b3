/* Two-sided messages: the published calls and the extensions of dart_ext_message.h. */
#include <dash/dart/if/dart_ext_message.h>

#include <stdlib.h>

#include "core/place.h"
#include "core/stats.h"
#include "api/dart/dart_api.h"
#include "api/dart/type.h"
#include "p2p/p2p.h"

/* One end of a message. */
struct end {
  const char *call, *buffer_name;
  const void *buffer; /* a receive writes it */
  size_t nelem;
  dart_datatype_t dtype;
  int tag;
  dart_global_unit_t unit;
  bool takes_any; /* unit and tag may be DART_ANY_UNIT and DART_ANY_TAG */
  /* set by open_end */
  struct tsr_dart_shape shape;
  char *block;  /* the contiguous elements: in the buffer or in `packed` */
  void *packed; /* a copy; NULL: the elements in the buffer are contiguous */
};

static struct end end_of(const char *call, const char *buffer_name, const void *buffer, size_t nelem, dart_datatype_t dtype,
                         int tag, dart_global_unit_t unit) {
  return (struct end){.call = call, .buffer_name = buffer_name, .buffer = buffer, .nelem = nelem, .dtype = dtype, .tag = tag,
                      .unit = unit};
}

static bool is_any_unit(const struct end *end) { return end->takes_any && end->unit.id == DART_ANY_UNIT.id; }
static bool is_any_tag(const struct end *end) { return end->takes_any && end->tag == DART_ANY_TAG; }

/* Unit and tag as the core numbers them, wildcards included. */
static tsr_unit unit_of(const struct end *end) { return TSR_UNIT(is_any_unit(end) ? TSR_ANY_SOURCE : end->unit.id); }
static int32_t tag_of(const struct end *end) { return is_any_tag(end) ? TSR_ANY_TAG : end->tag; }

/* Checks unit, tag and buffer. */
static dart_ret_t check_end(const struct end *end) {
  if (!tsr_dart_up) return tsr_dart_no_team(end->call, DART_TEAM_ALL);
  if (!is_any_unit(end) && !tsr_team_has(tsr_team_world, TSR_MEMBER(end->unit.id)))
    return tsr_dart_invalid("TSR-2097 %s: there is no unit %d; pass a unit of DART_TEAM_ALL, 0 to %d", end->call, end->unit.id,
                            tsr_place.units_n - 1);
  if (!is_any_tag(end) && end->tag < 0)
    return tsr_dart_invalid("TSR-2098 %s: tag %d is negative; use 0 to INT_MAX", end->call, end->tag);
  if (end->nelem && !end->buffer)
    return tsr_dart_invalid("TSR-2099 %s: %s is NULL; pass the buffer, or nelem 0", end->call, end->buffer_name);
  return DART_OK;
}

/* Checks the end, and packs elements with gaps. A receive packs them, too, because a message that is shorter than the buffer must
 * leave the rest of the buffer unchanged. After DART_OK the caller closes the end. */
static dart_ret_t open_end(struct end *end) {
  dart_ret_t result = check_end(end);
  if (result == DART_OK) result = tsr_dart_shape_make(end->call, end->dtype, end->nelem, &end->shape);
  if (result != DART_OK) return result;
  if (end->shape.bytes) end->block = (char *)end->buffer + end->shape.low_bytes;
  if (end->shape.contiguous) return DART_OK;
  end->block = end->packed = malloc(end->shape.bytes);
  if (end->packed) {
    tsr_dart_pack(&end->shape, end->packed, end->buffer);
    return DART_OK;
  }
  tsr_dart_shape_release(&end->shape);
  return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2100 %s: no private memory to pack %zu bytes of %s; send parts of it",
                       end->call, end->shape.bytes, end->buffer_name);
}

static void close_end(struct end *end) {
  free(end->packed);
  tsr_dart_shape_release(&end->shape);
}

/* `bytes`: of the message, which a receive may have more room for. */
static void count_message(const struct end *end, enum tsr_stat what, uint64_t begun_ns, size_t bytes) {
  tsr_stats_end_at(what, begun_ns, bytes, TSR_UNIT(end->unit.id));
}

static dart_ret_t too_long(const char *call, const char *buffer_name, size_t room, const tsr_incoming *in) {
  return tsr_dart_invalid("TSR-2101 %s: the message from unit %d with tag %d has %zu bytes, %s has room for %zu; the rest was "
                          "dropped, receive at least as many elements as are sent", call, in->source.id, in->tag,
                          in->bytes, buffer_name, room);
}

/* Unpacks a completed receive. DART_ERR_INVAL, logged: the message was longer than the buffer. */
static dart_ret_t unpack_received(const struct end *end, const tsr_incoming *in) {
  if (end->packed) tsr_dart_unpack(&end->shape, (void *)end->buffer, end->packed);
  if (TSR_LIKELY(in->bytes <= end->shape.bytes)) return DART_OK;
  return too_long(end->call, end->buffer_name, end->shape.bytes, in);
}

/* ---- Blocking calls ---- */

typedef tessera_status_t (*send_fn)(tsr_unit to, enum tsr_p2p_context context, int32_t tag, const void *data,
                                    size_t bytes);

static dart_ret_t send_message(struct end end, send_fn send) {
  uint64_t begun_ns = tsr_stats_begin();
  dart_ret_t result = open_end(&end);
  if (result != DART_OK) return result;
  result = tsr_dart_code(send(TSR_UNIT(end.unit.id), TSR_P2P_DART, end.tag, end.block, end.shape.bytes));
  if (result == DART_OK) count_message(&end, TSR_STAT_SEND, begun_ns, end.shape.bytes);
  close_end(&end);
  return result;
}

static dart_ret_t receive_message(const struct end *end) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_incoming in;
  tsr_p2p_receive(&in, TSR_UNIT(end->unit.id), TSR_P2P_DART, end->tag, end->block, end->shape.bytes);
  dart_ret_t result = unpack_received(end, &in);
  count_message(end, TSR_STAT_RECEIVE, begun_ns, in.bytes);
  return result;
}

/* The fast path: contiguous elements, no wildcard, no statistics, no error. The general path does the rest. */
static inline bool is_plain(const void *buffer, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit,
                            size_t *bytes) {
  size_t elem_bytes = tsr_dart_basic_bytes(dtype);
  bool named = tag >= 0 && (uint32_t)unit.id < (uint32_t)tsr_place.units_n;
  return TSR_LIKELY(tsr_dart_up && named && elem_bytes && buffer && !tsr_stats_are_wanted()) &&
         tsr_mul_size(nelem, elem_bytes, bytes);
}

dart_ret_t dart_send(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit) {
  size_t bytes;
  if (is_plain(sendbuf, nelem, dtype, tag, unit, &bytes))
    return tsr_dart_code(tsr_p2p_send(TSR_UNIT(unit.id), TSR_P2P_DART, tag, sendbuf, bytes));
  return send_message(end_of(__func__, "sendbuf", sendbuf, nelem, dtype, tag, unit), tsr_p2p_send);
}

dart_ret_t dart_ssend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit) {
  return send_message(end_of(__func__, "sendbuf", sendbuf, nelem, dtype, tag, unit), tsr_p2p_send_synchronous);
}

dart_ret_t dart_bsend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit) {
  return send_message(end_of(__func__, "sendbuf", sendbuf, nelem, dtype, tag, unit), tsr_p2p_send_buffered);
}

dart_ret_t dart_recv(void *recvbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit) {
  size_t bytes;
  if (is_plain(recvbuf, nelem, dtype, tag, unit, &bytes)) {
    tsr_incoming in;
    tsr_p2p_receive(&in, TSR_UNIT(unit.id), TSR_P2P_DART, tag, recvbuf, bytes);
    return TSR_LIKELY(in.bytes <= bytes) ? DART_OK : too_long(__func__, "recvbuf", bytes, &in);
  }
  struct end from = end_of(__func__, "recvbuf", recvbuf, nelem, dtype, tag, unit);
  dart_ret_t result = open_end(&from);
  if (result != DART_OK) return result;
  result = receive_message(&from);
  close_end(&from);
  return result;
}

/* The send starts first: it may fail, and a started receive cannot be cancelled. */
dart_ret_t dart_sendrecv(const void *sendbuf, size_t send_nelem, dart_datatype_t send_dtype, int send_tag,
                         dart_global_unit_t dest, void *recvbuf, size_t recv_nelem, dart_datatype_t recv_dtype,
                         int recv_tag, dart_global_unit_t src) {
  uint64_t begun_ns = tsr_stats_begin();
  struct end to = end_of(__func__, "sendbuf", sendbuf, send_nelem, send_dtype, send_tag, dest);
  struct end from = end_of(__func__, "recvbuf", recvbuf, recv_nelem, recv_dtype, recv_tag, src);
  tsr_outgoing out;
  dart_ret_t result = open_end(&to);
  if (result != DART_OK) return result;
  result = open_end(&from);
  if (result != DART_OK) goto fail_from;
  result = tsr_dart_code(tsr_p2p_send_start(&out, TSR_UNIT(dest.id), TSR_P2P_DART, to.tag, to.block, to.shape.bytes));
  if (result == DART_OK) {
    result = receive_message(&from);
    tsr_p2p_send_wait(&out);
    count_message(&to, TSR_STAT_SEND, begun_ns, to.shape.bytes);
  }
  close_end(&from);
fail_from:
  close_end(&to);
  return result;
}

/* ---- Non-blocking calls ---- */

/* A non-blocking message. Its completion ends `op` and frees the record. */
struct request {
  struct end end;
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
  count_message(&request->end, what, request->begun_ns, what == TSR_STAT_SEND ? request->end.shape.bytes : request->in.bytes);
  close_end(&request->end);
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
  request->end.unit.id = met ? in->source.id : tsr_place.self; /* for the statistics: it may have been DART_ANY_UNIT */
  dart_ret_t result = met ? unpack_received(&request->end, in) : DART_OK;
  dart_global_unit_t unit = DART_GLOBAL_UNIT_ID(in->source.id);
  if (request->status) *request->status = (dart_message_status_t){unit, in->tag, in->bytes, result};
  finish_request(request, TSR_STAT_RECEIVE);
}

static dart_ret_t check_handle(const char *call, const dart_handle_t *handle) {
  return handle ? DART_OK : tsr_dart_invalid("TSR-2030 %s: handle is NULL; pass where to store the handle", call);
}

/* Opens the end and makes a request that is counted in a new op. After DART_OK the message must be started. */
static dart_ret_t make_request(struct end *end, struct tsr_wait_why why, dart_handle_t *handle, tsr_handle *number,
                               struct request **made) {
  dart_ret_t result = check_handle(end->call, handle);
  if (result == DART_OK) result = open_end(end);
  if (result != DART_OK) return result;
  struct request *request = malloc(sizeof *request);
  if (!request) {
    result = tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2031 %s: no private memory for one more message; wait for some", end->call);
    goto fail_request;
  }
  *request = (struct request){.end = *end, .begun_ns = tsr_stats_begin()};
  result = tsr_dart_code(tsr_handle_create(TSR_UNIT(-1), number, &request->op));
  if (result != DART_OK) goto fail_handle;
  tsr_handle_explain(request->op, why);
  tsr_op_begin(request->op);
  *made = request;
  return DART_OK;
fail_handle:
  free(request);
fail_request:
  close_end(end);
  return result;
}

static dart_ret_t send_nb(struct end end, enum tsr_p2p_mode mode, dart_handle_t *handle) {
  tsr_handle number;
  struct request *request;
  tsr_unit to = TSR_UNIT(end.unit.id);
  dart_ret_t result = make_request(&end, tsr_p2p_send_why(to, end.tag), handle, &number, &request);
  if (result != DART_OK) return result;
  tsr_op *op = request->op;
  tessera_status_t status = tsr_p2p_send_start_then(&request->out, to, TSR_P2P_DART, end.tag, end.block, end.shape.bytes, mode,
                                                    on_sent);
  if (status) {
    tsr_op_end(op);
    free(request);
    close_end(&end);
  }
  return tsr_dart_code(tsr_dart_store_handle(number, op, status, handle));
}

dart_ret_t dart_isend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit,
                      dart_handle_t *handle) {
  return send_nb(end_of(__func__, "sendbuf", sendbuf, nelem, dtype, tag, unit), TSR_P2P_STANDARD, handle);
}

dart_ret_t dart_issend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit,
                       dart_handle_t *handle) {
  return send_nb(end_of(__func__, "sendbuf", sendbuf, nelem, dtype, tag, unit), TSR_P2P_SYNCHRONOUS, handle);
}

dart_ret_t dart_ibsend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit,
                       dart_handle_t *handle) {
  dart_ret_t result = check_handle(__func__, handle);
  if (result == DART_OK)
    result = send_message(end_of(__func__, "sendbuf", sendbuf, nelem, dtype, tag, unit), tsr_p2p_send_buffered);
  if (result == DART_OK) *handle = DART_HANDLE_NULL;
  return result;
}

dart_ret_t dart_irecv(void *recvbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit,
                      dart_message_status_t *status, dart_handle_t *handle) {
  struct end end = end_of(__func__, "recvbuf", recvbuf, nelem, dtype, tag, unit);
  end.takes_any = true;
  tsr_handle number;
  struct request *request;
  dart_ret_t result = make_request(&end, tsr_p2p_receive_why(unit_of(&end), tag_of(&end)), handle, &number, &request);
  if (result != DART_OK) return result;
  tsr_op *op = request->op;
  request->status = status;
  tsr_p2p_receive_start_then(&request->in, unit_of(&end), TSR_P2P_DART, tag_of(&end), end.block, end.shape.bytes,
                             on_received);
  tsr_dart_store_handle(number, op, TESSERA_OK, handle);
  return DART_OK;
}

static void store_status(dart_message_status_t *status, const struct tsr_p2p_found *found) {
  if (!status) return;
  *status = (dart_message_status_t){DART_GLOBAL_UNIT_ID(found->source.id), found->tag, found->bytes, DART_OK};
}

dart_ret_t dart_probe(int tag, dart_global_unit_t unit, dart_message_status_t *status) {
  struct end end = {.call = __func__, .tag = tag, .unit = unit, .takes_any = true};
  struct tsr_p2p_found found;
  dart_ret_t result = check_end(&end);
  if (result != DART_OK) return result;
  tsr_p2p_probe_wait(unit_of(&end), TSR_P2P_DART, tag_of(&end), &found);
  store_status(status, &found);
  return DART_OK;
}

dart_ret_t dart_iprobe(int tag, dart_global_unit_t unit, int32_t *found, dart_message_status_t *status) {
  struct end end = {.call = __func__, .tag = tag, .unit = unit, .takes_any = true};
  struct tsr_p2p_found what;
  dart_ret_t result = check_end(&end);
  if (result != DART_OK) return result;
  if (!found) return tsr_dart_invalid("TSR-2032 %s: found is NULL; pass where to store the answer", __func__);
  *found = tsr_p2p_probe(unit_of(&end), TSR_P2P_DART, tag_of(&end), &what);
  if (*found) store_status(status, &what);
  return DART_OK;
}
