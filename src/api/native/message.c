#include <tessera/message.h>

#include <stdint.h>
#include <stdlib.h>

#include "core/place.h"
#include "api/native/native_api.h"
#include "p2p/p2p.h"

/* One end of a message: the arguments of a call. */
struct end {
  const char *name;
  const void *buffer; /* a receive writes it */
  size_t bytes;
  int32_t unit, tag;
  bool receives; /* a receive or probe, whose unit and tag may be wildcards */
};

static bool is_any_unit(const struct end *end) { return end->receives && end->unit == TESSERA_ANY_UNIT; }
static bool is_any_tag(const struct end *end) { return end->receives && end->tag == TESSERA_ANY_TAG; }
static tsr_unit source_of(const struct end *end) { return TSR_UNIT(is_any_unit(end) ? TSR_ANY_SOURCE : end->unit); }
static int32_t tag_of(const struct end *end) { return is_any_tag(end) ? TSR_ANY_TAG : end->tag; }

static tessera_status_t check_message(const struct end *end) {
  if (!tsr_api_is_up[TSR_API_NATIVE]) return tsr_native_no_team(end->name, tessera_team_world());
  if (!is_any_unit(end) && !tsr_team_has(tsr_team_world, TSR_MEMBER(end->unit)))
    return tsr_fail(TESSERA_ERR_RANGE, "TSR-1033 %s: there is no unit %d; pass 0 to %d", end->name, end->unit,
                    tsr_place.units_n - 1);
  if (!is_any_tag(end) && end->tag < 0)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1034 %s: tag %d is negative; use 0 to INT32_MAX", end->name, end->tag);
  if (end->bytes > PTRDIFF_MAX)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1035 %s: %zu bytes exceed the address space; correct the size", end->name,
                    end->bytes);
  if (end->bytes && !end->buffer)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1036 %s: the buffer for %zu bytes is NULL; pass it, or size 0", end->name,
                    end->bytes);
  return TESSERA_OK;
}

static tessera_status_t check_request(const struct end *end, const tessera_request_t *request) {
  tessera_status_t status = check_message(end);
  if (status || request) return status;
  return tsr_fail(TESSERA_ERR_ARG, "TSR-1037 %s: request is NULL; pass where to store it", end->name);
}

/* Stores the result of a receive. A receive that tessera_exit ends has no source. */
static tessera_status_t conclude_receive(const tsr_incoming *in, const char *name, size_t room, tessera_message_t *message) {
  tessera_status_t status = TESSERA_OK;
  bool met = in->source.id >= 0;
  if (met && in->bytes > room)
    status = tsr_fail(TESSERA_ERR_ARG, "TSR-1038 %s: the message from unit %d with tag %d has %zu bytes, the buffer %zu; the "
                      "rest was dropped, receive at least as many as are sent", name, in->source.id, in->tag, in->bytes,
                      room);
  if (message) *message = (tessera_message_t){met ? in->source.id : -1, in->tag, in->bytes, status};
  return status;
}

/* A non-blocking message. Its completion ends `op` and frees the record. */
struct going {
  const char *name;
  size_t room;
  tessera_message_t *message;
  uint64_t begun_ns;
  tsr_op *op;
  tsr_handle handle;
  union {
    tsr_outgoing out;
    tsr_incoming in;
  };
};

static struct going *begin_request(const struct end *end, struct tsr_wait_why why) {
  struct going *going = malloc(sizeof *going);
  if (!going) {
    tsr_fail(TESSERA_ERR_MEMORY, "TSR-1039 %s: no private memory for one more message; wait for some", end->name);
    return NULL;
  }
  *going = (struct going){.name = end->name, .room = end->bytes, .begun_ns = tsr_stats_begin()};
  if (tsr_handle_create(TSR_UNIT(-1), &going->handle, &going->op)) {
    free(going);
    return NULL;
  }
  tsr_handle_explain(going->op, why);
  tsr_op_begin(going->op);
  return going;
}

static void finish_request(struct going *going) {
  tsr_op *op = going->op;
  free(going);
  tsr_op_end(op);
}

static void on_sent(tsr_outgoing *out) {
  struct going *going = (struct going *)((char *)out - offsetof(struct going, out));
  tsr_stats_end_at(TSR_STAT_SEND, going->begun_ns, going->room, out->to);
  finish_request(going);
}

static void on_received(tsr_incoming *in) {
  struct going *going = (struct going *)((char *)in - offsetof(struct going, in));
  conclude_receive(in, going->name, going->room, going->message);
  tsr_stats_end_at(TSR_STAT_RECEIVE, going->begun_ns, in->bytes, in->source);
  finish_request(going);
}

static tessera_status_t start_send(struct end end, enum tsr_p2p_mode mode, tessera_request_t *request) {
  tessera_status_t status = check_request(&end, request);
  if (status) return status;
  struct going *going = begin_request(&end, tsr_p2p_send_why(TSR_UNIT(end.unit), end.tag));
  if (!going) return TESSERA_ERR_MEMORY;
  tsr_handle handle = going->handle;
  status = tsr_p2p_send_start_then(&going->out, TSR_UNIT(end.unit), TSR_P2P_NATIVE, end.tag, end.buffer, end.bytes, mode,
                                   on_sent);
  if (status) {
    finish_request(going);
    tsr_handle_release(handle);
  } else {
    tsr_native_store_request(handle, request);
  }
  return status;
}

static tessera_status_t send_all(struct end end, tessera_status_t (*send)(tsr_unit, enum tsr_p2p_context, int32_t,
                                                                         const void *, size_t)) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = check_message(&end);
  if (!status) status = send(TSR_UNIT(end.unit), TSR_P2P_NATIVE, end.tag, end.buffer, end.bytes);
  if (!status) tsr_stats_end_at(TSR_STAT_SEND, begun_ns, end.bytes, TSR_UNIT(end.unit));
  return status;
}

#define SEND_END ((struct end){__func__, data, bytes, unit, tag, false})
#define RECEIVE_END ((struct end){__func__, buffer, room, unit, tag, true})
#define PROBE_END ((struct end){__func__, NULL, 0, unit, tag, true})

tessera_status_t tessera_send(const void *data, size_t bytes, int32_t unit, int32_t tag) {
  return send_all(SEND_END, tsr_p2p_send);
}
tessera_status_t tessera_send_sync(const void *data, size_t bytes, int32_t unit, int32_t tag) {
  return send_all(SEND_END, tsr_p2p_send_synchronous);
}
tessera_status_t tessera_send_buffered(const void *data, size_t bytes, int32_t unit, int32_t tag) {
  return send_all(SEND_END, tsr_p2p_send_buffered);
}
tessera_status_t tessera_send_nb(const void *data, size_t bytes, int32_t unit, int32_t tag, tessera_request_t *request) {
  return start_send(SEND_END, TSR_P2P_STANDARD, request);
}
tessera_status_t tessera_send_sync_nb(const void *data, size_t bytes, int32_t unit, int32_t tag,
                                      tessera_request_t *request) {
  return start_send(SEND_END, TSR_P2P_SYNCHRONOUS, request);
}

static tessera_status_t receive_message(const struct end *end, tessera_message_t *message) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_incoming in;
  tsr_p2p_receive(&in, source_of(end), TSR_P2P_NATIVE, tag_of(end), (void *)end->buffer, end->bytes);
  tsr_stats_end_at(TSR_STAT_RECEIVE, begun_ns, in.bytes, in.source);
  return conclude_receive(&in, end->name, end->bytes, message);
}

tessera_status_t tessera_receive(void *buffer, size_t room, int32_t unit, int32_t tag, tessera_message_t *message) {
  struct end end = RECEIVE_END;
  tessera_status_t status = check_message(&end);
  return status ? status : receive_message(&end, message);
}

tessera_status_t tessera_receive_nb(void *buffer, size_t room, int32_t unit, int32_t tag, tessera_message_t *message,
                                    tessera_request_t *request) {
  struct end end = RECEIVE_END;
  tessera_status_t status = check_request(&end, request);
  if (status) return status;
  struct going *going = begin_request(&end, tsr_p2p_receive_why(source_of(&end), tag_of(&end)));
  if (!going) return TESSERA_ERR_MEMORY;
  tsr_handle handle = going->handle;
  going->message = message;
  tsr_p2p_receive_start_then(&going->in, source_of(&end), TSR_P2P_NATIVE, tag_of(&end), buffer, room, on_received);
  tsr_native_store_request(handle, request);
  return TESSERA_OK;
}

/* The send starts first: it may fail, and a started receive cannot be cancelled. */
tessera_status_t tessera_send_receive(const void *data, size_t bytes, int32_t to, int32_t send_tag, void *buffer,
                                      size_t room, int32_t from, int32_t receive_tag, tessera_message_t *message) {
  uint64_t begun_ns = tsr_stats_begin();
  struct end send = {__func__, data, bytes, to, send_tag, false}, get = {__func__, buffer, room, from, receive_tag, true};
  tsr_outgoing out;
  tessera_status_t status = check_message(&send);
  if (!status) status = check_message(&get);
  if (!status) status = tsr_p2p_send_start(&out, TSR_UNIT(to), TSR_P2P_NATIVE, send_tag, data, bytes);
  if (status) return status;
  status = receive_message(&get, message);
  tsr_p2p_send_wait(&out);
  tsr_stats_end_at(TSR_STAT_SEND, begun_ns, bytes, TSR_UNIT(to));
  return status;
}

tessera_status_t tessera_probe(int32_t unit, int32_t tag, tessera_message_t *message) {
  struct end end = PROBE_END;
  struct tsr_p2p_found found;
  tessera_status_t status = check_message(&end);
  if (status) return status;
  tsr_p2p_probe_wait(source_of(&end), TSR_P2P_NATIVE, tag_of(&end), &found);
  if (message) *message = (tessera_message_t){found.source.id, found.tag, found.bytes, TESSERA_OK};
  return TESSERA_OK;
}

tessera_status_t tessera_probe_now(int32_t unit, int32_t tag, bool *found, tessera_message_t *message) {
  struct end end = PROBE_END;
  struct tsr_p2p_found what;
  tessera_status_t status = check_message(&end);
  if (status) return status;
  if (!found) return tsr_fail(TESSERA_ERR_ARG, "TSR-1040 %s: found is NULL; pass where to store the answer", __func__);
  *found = tsr_p2p_probe(source_of(&end), TSR_P2P_NATIVE, tag_of(&end), &what);
  if (*found && message) *message = (tessera_message_t){what.source.id, what.tag, what.bytes, TESSERA_OK};
  return TESSERA_OK;
}
