#include <dash/dart/if/dart_communication.h>

#include "base/bits.h"
#include "base/stats.h"
#include "core/place.h"
#include "faces/dart/face.h"
#include "faces/dart/type.h"
#include "p2p/p2p.h"

/* One end of a message. */
struct end {
  const char *call, *buffer_name;
  const void *buffer; /* written by a receive */
  size_t nelem;
  dart_datatype_t dtype;
  int tag;
  dart_global_unit_t unit;
  size_t bytes; /* set by check */
};

static dart_ret_t check(struct end *end) {
  if (!tsr_dart_up) return tsr_dart_no_team(end->call, DART_TEAM_ALL);
  size_t elem_bytes = tsr_dart_basic_bytes(end->dtype);
  if (!elem_bytes) return tsr_dart_refuse_type(end->call, end->dtype);
  if (!tsr_team_has(tsr_team_world, TSR_MEMBER(end->unit.id)))
    return tsr_dart_invalid("%s: there is no unit %d; name one of DART_TEAM_ALL, 0 to %d", end->call, end->unit.id,
                            tsr_place.units_n - 1);
  if (end->tag < 0) return tsr_dart_invalid("%s: tag %d is negative; use 0 to INT_MAX", end->call, end->tag);
  if (!tsr_mul_size(end->nelem, elem_bytes, &end->bytes) || end->bytes > PTRDIFF_MAX)
    return tsr_dart_invalid("%s: %zu elements of %s are more bytes than memory can have; correct nelem", end->call,
                            end->nelem, tsr_dart_basics[end->dtype].name);
  if (end->bytes && !end->buffer)
    return tsr_dart_invalid("%s: %s is NULL; pass the buffer, or nelem 0", end->call, end->buffer_name);
  return DART_OK;
}

static dart_ret_t start_send(tsr_outgoing *out, const struct end *end) {
  tsr_unit to = TSR_UNIT(end->unit.id);
  return tsr_dart_code(tsr_p2p_send_start(out, to, TSR_P2P_DART, end->tag, end->buffer, end->bytes));
}

static dart_ret_t receive(const struct end *end) {
  tsr_incoming in;
  tsr_p2p_receive(&in, TSR_UNIT(end->unit.id), TSR_P2P_DART, end->tag, (void *)end->buffer, end->bytes);
  if (TSR_LIKELY(in.bytes <= end->bytes)) return DART_OK;
  return tsr_dart_invalid("%s: the message from unit %d with tag %d has %zu bytes, %s has room for %zu; the rest was "
                          "dropped, receive as many elements as are sent", end->call, end->unit.id, end->tag, in.bytes,
                          end->buffer_name, end->bytes);
}

static size_t remote_bytes(const struct end *end) {
  return tsr_place_is_here(TSR_UNIT(end->unit.id)) ? 0 : end->bytes;
}

dart_ret_t dart_send(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit) {
  uint64_t begun_ns = tsr_stats_begin();
  struct end to = {__func__, "sendbuf", sendbuf, nelem, dtype, tag, unit, 0};
  tsr_outgoing out;
  dart_ret_t result = check(&to);
  if (result == DART_OK) result = start_send(&out, &to);
  if (result != DART_OK) return result;
  tsr_p2p_send_wait(&out);
  tsr_stats_end(TSR_STAT_SEND, begun_ns, to.bytes, remote_bytes(&to));
  return DART_OK;
}

dart_ret_t dart_recv(void *recvbuf, size_t nelem, dart_datatype_t dtype, int tag, dart_global_unit_t unit) {
  uint64_t begun_ns = tsr_stats_begin();
  struct end from = {__func__, "recvbuf", recvbuf, nelem, dtype, tag, unit, 0};
  dart_ret_t result = check(&from);
  if (result == DART_OK) result = receive(&from);
  if (result != DART_OK) return result;
  tsr_stats_end(TSR_STAT_RECEIVE, begun_ns, from.bytes, remote_bytes(&from));
  return DART_OK;
}

/* The send first: it may fail, a receive that has started cannot be taken back. */
dart_ret_t dart_sendrecv(const void *sendbuf, size_t send_nelem, dart_datatype_t send_dtype, int send_tag,
                         dart_global_unit_t dest, void *recvbuf, size_t recv_nelem, dart_datatype_t recv_dtype,
                         int recv_tag, dart_global_unit_t src) {
  uint64_t begun_ns = tsr_stats_begin();
  struct end to = {__func__, "sendbuf", sendbuf, send_nelem, send_dtype, send_tag, dest, 0};
  struct end from = {__func__, "recvbuf", recvbuf, recv_nelem, recv_dtype, recv_tag, src, 0};
  tsr_outgoing out;
  dart_ret_t result = check(&to);
  if (result == DART_OK) result = check(&from);
  if (result == DART_OK) result = start_send(&out, &to);
  if (result != DART_OK) return result;
  result = receive(&from);
  tsr_p2p_send_wait(&out);
  tsr_stats_end(TSR_STAT_SEND, begun_ns, to.bytes, remote_bytes(&to));
  return result;
}
