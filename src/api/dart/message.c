#include <dash/dart/if/dart_communication.h>
#include <dash/dart/if/dart_ext_message.h>

#include <stdlib.h>

#include "base/stats.h"
#include "core/place.h"
#include "api/dart/dart_api.h"
#include "api/dart/message.h"
#include "p2p/p2p.h"

static bool is_any_unit(const struct tsr_dart_end *end) { return end->takes_any && end->unit.id == DART_ANY_UNIT.id; }
static bool is_any_tag(const struct tsr_dart_end *end) { return end->takes_any && end->tag == DART_ANY_TAG; }

tsr_unit tsr_dart_end_unit(const struct tsr_dart_end *end) {
  return TSR_UNIT(is_any_unit(end) ? TSR_ANY_SOURCE : end->unit.id);
}
int32_t tsr_dart_end_tag(const struct tsr_dart_end *end) { return is_any_tag(end) ? TSR_ANY_TAG : end->tag; }

dart_ret_t tsr_dart_end_check(const struct tsr_dart_end *end) {
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

/* Non-contiguous elements are packed, in a receive, too: a message that is shorter than the buffer must leave the rest
 * of the buffer unchanged. */
static dart_ret_t pack_elements(struct tsr_dart_end *end) {
  end->packed = malloc(end->shape.bytes);
  if (!end->packed)
    return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2100 %s: no private memory to pack %zu bytes of %s; send parts of it",
                         end->call, end->shape.bytes, end->buffer_name);
  tsr_dart_pack(&end->shape, end->packed, end->buffer);
  end->block = end->packed;
  return DART_OK;
}

dart_ret_t tsr_dart_end_open(struct tsr_dart_end *end) {
  dart_ret_t result = tsr_dart_end_check(end);
  if (result == DART_OK) result = tsr_dart_shape_make(end->call, end->dtype, end->nelem, &end->shape);
  if (result != DART_OK) return result;
  if (end->shape.bytes) end->block = (char *)end->buffer + end->shape.low_bytes;
  if (!end->shape.contiguous) result = pack_elements(end);
  if (result != DART_OK) tsr_dart_shape_release(&end->shape);
  return result;
}

void tsr_dart_end_close(struct tsr_dart_end *end) {
  free(end->packed);
  tsr_dart_shape_release(&end->shape);
}

size_t tsr_dart_end_remote_bytes(const struct tsr_dart_end *end) {
  return tsr_place_is_local(TSR_UNIT(end->unit.id)) ? 0 : end->shape.bytes;
}

static dart_ret_t start_send(tsr_outgoing *out, const struct tsr_dart_end *end) {
  tsr_unit to = TSR_UNIT(end->unit.id);
  return tsr_dart_code(tsr_p2p_send_start(out, to, TSR_P2P_DART, end->tag, end->block, end->shape.bytes));
}

static void finish_send(tsr_outgoing *out, const struct tsr_dart_end *end, uint64_t begun_ns) {
  tsr_p2p_send_wait(out);
  tsr_stats_end(TSR_STAT_SEND, begun_ns, end->shape.bytes, tsr_dart_end_remote_bytes(end));
}

static dart_ret_t too_long(const char *call, const char *buffer_name, size_t room, const tsr_incoming *in) {
  return tsr_dart_invalid("TSR-2101 %s: the message from unit %d with tag %d has %zu bytes, %s has room for %zu; the rest was "
                          "dropped, receive at least as many elements as are sent", call, in->source.id, in->tag,
                          in->bytes, buffer_name, room);
}

dart_ret_t tsr_dart_end_receive(const struct tsr_dart_end *end, const tsr_incoming *in) {
  if (end->packed) tsr_dart_unpack(&end->shape, (void *)end->buffer, end->packed);
  if (TSR_LIKELY(in->bytes <= end->shape.bytes)) return DART_OK;
  return too_long(end->call, end->buffer_name, end->shape.bytes, in);
}

static dart_ret_t receive_message(const struct tsr_dart_end *end) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_incoming in;
  tsr_p2p_receive(&in, TSR_UNIT(end->unit.id), TSR_P2P_DART, end->tag, end->block, end->shape.bytes);
  dart_ret_t result = tsr_dart_end_receive(end, &in);
  tsr_stats_end(TSR_STAT_RECEIVE, begun_ns, end->shape.bytes, tsr_dart_end_remote_bytes(end));
  return result;
}

/* The fast path: contiguous elements, no wildcard, no statistics, no error. The general path does the rest. */
static inline bool is_plain(const void *buffer, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit,
                            size_t *bytes) {
  size_t elem_bytes = tsr_dart_basic_bytes(dtype);
  bool named = tag >= 0 && (uint32_t)unit.id < (uint32_t)tsr_place.units_n;
  return TSR_LIKELY(tsr_dart_up && named && elem_bytes && buffer && !tsr_stats_on) && tsr_mul_size(nelem, elem_bytes, bytes);
}

dart_ret_t dart_send(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit) {
  size_t bytes;
  if (is_plain(sendbuf, nelem, dtype, tag, unit, &bytes))
    return tsr_dart_code(tsr_p2p_send(TSR_UNIT(unit.id), TSR_P2P_DART, tag, sendbuf, bytes));
  uint64_t begun_ns = tsr_stats_begin();
  struct tsr_dart_end to = {__func__, "sendbuf", sendbuf, nelem, dtype, tag, unit, false, {0}, NULL, NULL};
  tsr_outgoing out;
  dart_ret_t result = tsr_dart_end_open(&to);
  if (result != DART_OK) return result;
  result = start_send(&out, &to);
  if (result == DART_OK) finish_send(&out, &to, begun_ns);
  tsr_dart_end_close(&to);
  return result;
}

dart_ret_t dart_recv(void *recvbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit) {
  size_t bytes;
  if (is_plain(recvbuf, nelem, dtype, tag, unit, &bytes)) {
    tsr_incoming in;
    tsr_p2p_receive(&in, TSR_UNIT(unit.id), TSR_P2P_DART, tag, recvbuf, bytes);
    return TSR_LIKELY(in.bytes <= bytes) ? DART_OK : too_long(__func__, "recvbuf", bytes, &in);
  }
  struct tsr_dart_end from = {__func__, "recvbuf", recvbuf, nelem, dtype, tag, unit, false, {0}, NULL, NULL};
  dart_ret_t result = tsr_dart_end_open(&from);
  if (result != DART_OK) return result;
  result = receive_message(&from);
  tsr_dart_end_close(&from);
  return result;
}

/* The send starts first: it may fail, and a started receive cannot be cancelled. */
dart_ret_t dart_sendrecv(const void *sendbuf, size_t send_nelem, dart_datatype_t send_dtype, int send_tag,
                         dart_global_unit_t dest, void *recvbuf, size_t recv_nelem, dart_datatype_t recv_dtype,
                         int recv_tag, dart_global_unit_t src) {
  uint64_t begun_ns = tsr_stats_begin();
  struct tsr_dart_end to = {__func__, "sendbuf", sendbuf, send_nelem, send_dtype, send_tag, dest, false, {0}, NULL, NULL};
  struct tsr_dart_end from = {__func__, "recvbuf", recvbuf, recv_nelem, recv_dtype, recv_tag, src, false, {0}, NULL, NULL};
  tsr_outgoing out;
  dart_ret_t result = tsr_dart_end_open(&to);
  if (result != DART_OK) return result;
  result = tsr_dart_end_open(&from);
  if (result != DART_OK) goto fail_from;
  result = start_send(&out, &to);
  if (result == DART_OK) {
    result = receive_message(&from);
    finish_send(&out, &to, begun_ns);
  }
  tsr_dart_end_close(&from);
fail_from:
  tsr_dart_end_close(&to);
  return result;
}
