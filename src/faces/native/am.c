#include <tessera/am.h>

#include <string.h>

#include "am/am.h"
#include "am/far.h"
#include "am/pool.h"
#include "base/wait.h"
#include "core/place.h"
#include "faces/native/native.h"

struct entry {
  tessera_am_handler_t handler;
  void *context;
};
static struct entry table[TESSERA_AM_HANDLERS_MAX];

/* A message as the program names it. */
struct call {
  const char *name;
  const void *data;
  size_t bytes;
  uint64_t place;
  const int32_t *args;
  int32_t handler, args_n;
  enum tsr_am_kind kind;
  unsigned flags;
};

static void dispatch(tsr_am_token *token) {
  struct entry entry = table[token->handler];
  if (!entry.handler)
    tsr_abort(1, "unit %d sends an active message to handler %d, which has none here; call tessera_am_register, and a barrier, "
              "before anybody sends one", token->source.id, token->handler);
  tessera_am_t message = {.unit = token->source.id, .args_n = token->args_n, .args = token->args, .data = token->data,
                          .bytes = token->bytes, .is_request = token->is_request, .token = token};
  entry.handler(&message, entry.context);
}

static tessera_status_t check_up(const char *name) {
  return tsr_face_is_up[TSR_FACE_NATIVE] ? TESSERA_OK : tsr_runtime_not_up(name);
}

static tessera_status_t check_unit(const char *name, int32_t unit) {
  if (tsr_team_has(tsr_team_world, TSR_MEMBER(unit))) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_RANGE, "%s: there is no unit %d; name one of 0 to %d", name, unit, tsr_place.units_n - 1);
}

static tessera_status_t check_flags(const char *name, unsigned flags) {
  if (!(flags & ~(unsigned)TESSERA_AM_IMMEDIATE)) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_ARG, "%s: flags %#x are unknown; pass 0 or TESSERA_AM_IMMEDIATE", name, flags);
}

static tessera_status_t check_place(const struct call *call) {
  uint64_t slice = tsr_heap_slice_bytes();
  if (call->kind != TSR_AM_LONG || (call->place <= slice && call->bytes <= slice - call->place)) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_RANGE, "%s: %zu bytes at place %llu are in no heap; pass a place that tessera_am_place gave the "
                  "target", call->name, call->bytes, (unsigned long long)call->place);
}

static tessera_status_t check_data(const struct call *call) {
  size_t most = call->kind == TSR_AM_LONG ? TSR_AM_LONG_BYTES : tsr_am_medium_bytes();
  if (call->kind == TSR_AM_SHORT) return TESSERA_OK;
  if (call->bytes > most)
    return tsr_fail(TESSERA_ERR_ARG, "%s: %zu bytes are more than the %zu of one message; send several", call->name,
                    call->bytes, most);
  if (call->bytes && !call->data)
    return tsr_fail(TESSERA_ERR_ARG, "%s: the buffer for %zu bytes is NULL; pass it, or size 0", call->name, call->bytes);
  return check_place(call);
}

static tessera_status_t check_args(const struct call *call) {
  if (call->handler < 0 || call->handler >= TESSERA_AM_HANDLERS_MAX)
    return tsr_fail(TESSERA_ERR_RANGE, "%s: there is no handler %d; name one of 0 to %d", call->name, call->handler,
                    TESSERA_AM_HANDLERS_MAX - 1);
  if (call->args_n < 0 || call->args_n > TESSERA_AM_ARGS_MAX || (call->args_n > 0 && !call->args))
    return tsr_fail(TESSERA_ERR_ARG, "%s: %d arguments at %p; pass 0 to %d", call->name, call->args_n,
                    (const void *)call->args, TESSERA_AM_ARGS_MAX);
  return check_flags(call->name, call->flags);
}

static tessera_status_t check_outside(const char *name) {
  if (!tsr_am_running()) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_STATE, "%s: called from a handler, which may reply and do nothing else; do this after it has "
                  "returned", name);
}

static tessera_status_t check_request(const struct call *call, int32_t unit) {
  tessera_status_t status = check_up(call->name);
  if (!status) status = check_outside(call->name);
  if (!status) status = check_unit(call->name, unit);
  return status;
}

static tessera_status_t check_reply(const char *name, const tessera_am_t *to) {
  const tsr_am_token *token = tsr_am_running();
  tessera_status_t status = check_up(name);
  if (status) return status;
  if (!token || !to || to->token != token || !token->is_request)
    return tsr_fail(TESSERA_ERR_STATE, "%s: not called from the handler of the request that is to be answered", name);
  if (token->replied) return tsr_fail(TESSERA_ERR_STATE, "%s: the request has its reply already; send one", name);
  return TESSERA_OK;
}

static struct tsr_am_message message_of(const struct call *call) {
  return (struct tsr_am_message){.family = TSR_AM_NATIVE, .handler = (uint8_t)call->handler, .kind = (uint8_t)call->kind,
                                 .args_n = (uint8_t)call->args_n, .args = call->args, .data = call->data,
                                 .bytes = call->bytes, .dest_off = call->place};
}

static enum tsr_am_patience patience_of(unsigned flags) {
  return flags & TESSERA_AM_IMMEDIATE ? TSR_AM_IMMEDIATE : TSR_AM_WAITS;
}

static void count(enum tsr_stat what, uint64_t begun_ns, tsr_unit to, size_t bytes) {
  tsr_stats_end(what, begun_ns, bytes, tsr_place_is_here(to) ? 0 : bytes);
}

static tessera_status_t request(const struct call *call, int32_t unit, tsr_op *local) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = check_request(call, unit);
  if (!status) status = check_args(call);
  if (!status) status = check_data(call);
  if (status) return status;
  struct tsr_am_message message = message_of(call);
  status = tsr_am_request(TSR_UNIT(unit), &message, patience_of(call->flags), local);
  if (!status) count(TSR_STAT_AM_REQUEST, begun_ns, TSR_UNIT(unit), call->bytes);
  return status;
}

static tessera_status_t request_nb(const struct call *call, int32_t unit, tessera_request_t *out) {
  tsr_handle handle;
  tsr_op *op;
  tessera_status_t status = check_up(call->name);
  if (status) return status;
  if (!out) return tsr_fail(TESSERA_ERR_ARG, "%s: request is NULL; pass where to store it", call->name);
  status = tsr_handle_create(TSR_UNIT(-1), &handle, &op);
  if (status) return status;
  status = request(call, unit, op);
  bool over = status || tsr_op_remote_done(op);
  if (over) tsr_handle_release(handle);
  if (!status) out->id = over ? 0 : handle;
  return status;
}

static tessera_status_t reply(const struct call *call, const tessera_am_t *to) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = check_reply(call->name, to);
  if (!status) status = check_args(call);
  if (!status) status = check_data(call);
  if (status) return status;
  struct tsr_am_message message = message_of(call);
  status = tsr_am_reply(to->token, &message, patience_of(call->flags), NULL);
  if (!status) count(TSR_STAT_AM_REPLY, begun_ns, TSR_UNIT(to->unit), call->bytes);
  return status;
}

#define SHORT_CALL (&(struct call){__func__, NULL, 0, 0, args, handler, args_n, TSR_AM_SHORT, flags})
#define MEDIUM_CALL (&(struct call){__func__, data, bytes, 0, args, handler, args_n, TSR_AM_MEDIUM, flags})
#define LONG_CALL (&(struct call){__func__, data, bytes, place, args, handler, args_n, TSR_AM_LONG, flags})

tessera_status_t tessera_am_request_short(int32_t unit, int32_t handler, const int32_t args[], int32_t args_n,
                                          unsigned flags) {
  return request(SHORT_CALL, unit, NULL);
}
tessera_status_t tessera_am_request_medium(int32_t unit, int32_t handler, const void *data, size_t bytes,
                                           const int32_t args[], int32_t args_n, unsigned flags) {
  return request(MEDIUM_CALL, unit, NULL);
}
tessera_status_t tessera_am_request_long(int32_t unit, int32_t handler, const void *data, size_t bytes, uint64_t place,
                                         const int32_t args[], int32_t args_n, unsigned flags) {
  return request(LONG_CALL, unit, NULL);
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
  return reply(SHORT_CALL, to);
}
tessera_status_t tessera_am_reply_medium(const tessera_am_t *to, int32_t handler, const void *data, size_t bytes,
                                         const int32_t args[], int32_t args_n, unsigned flags) {
  return reply(MEDIUM_CALL, to);
}
tessera_status_t tessera_am_reply_long(const tessera_am_t *to, int32_t handler, const void *data, size_t bytes,
                                       uint64_t place, const int32_t args[], int32_t args_n, unsigned flags) {
  return reply(LONG_CALL, to);
}

/* Negotiated data. */
_Static_assert(sizeof(tsr_am_room) <= sizeof(((tessera_am_room_t *)0)->kept), "a room is kept in the program's memory");

static tessera_status_t check_room(const char *name, const tessera_am_room_t *room, size_t least, size_t most) {
  if (!room) return tsr_fail(TESSERA_ERR_ARG, "%s: room is NULL; pass where to store it", name);
  if (least > most || least > tessera_am_room_max())
    return tsr_fail(TESSERA_ERR_ARG, "%s: %zu to %zu bytes cannot be had; ask for at least %zu or less, and not for less than "
                    "that at most", name, least, most, tessera_am_room_max());
  return TESSERA_OK;
}

static tessera_status_t show(tessera_am_room_t *room, const tsr_am_room *kept, tessera_status_t status) {
  if (status) return status;
  memcpy(room->kept, kept, sizeof *kept);
  room->data = kept->data;
  room->bytes = kept->bytes;
  return TESSERA_OK;
}

static tessera_status_t prepare_request(const struct call *call, tessera_am_room_t *room, int32_t unit, size_t most) {
  tsr_am_room kept;
  struct tsr_am_wish wish = {.kind = (uint8_t)call->kind, .args_n = TESSERA_AM_ARGS_MAX, .least = call->bytes, .most = most,
                             .dest_off = call->place};
  tessera_status_t status = check_request(call, unit);
  if (!status) status = check_flags(call->name, call->flags);
  if (!status) status = check_room(call->name, room, call->bytes, most);
  if (!status) status = check_place(call);
  if (status) return status;
  return show(room, &kept, tsr_am_prepare_request(&kept, TSR_UNIT(unit), &wish, patience_of(call->flags), NULL));
}

static tessera_status_t prepare_reply(const struct call *call, tessera_am_room_t *room, const tessera_am_t *to, size_t most) {
  tsr_am_room kept;
  struct tsr_am_wish wish = {.kind = (uint8_t)call->kind, .args_n = TESSERA_AM_ARGS_MAX, .least = call->bytes, .most = most,
                             .dest_off = call->place};
  tessera_status_t status = check_reply(call->name, to);
  if (!status) status = check_flags(call->name, call->flags);
  if (!status) status = check_room(call->name, room, call->bytes, most);
  if (!status) status = check_place(call);
  if (status) return status;
  return show(room, &kept, tsr_am_prepare_reply(&kept, to->token, &wish, patience_of(call->flags), NULL));
}

#define MEDIUM_ROOM (&(struct call){__func__, NULL, least, 0, NULL, 0, 0, TSR_AM_MEDIUM, flags})
#define LONG_ROOM (&(struct call){__func__, NULL, least, place, NULL, 0, 0, TSR_AM_LONG, flags})

tessera_status_t tessera_am_prepare_medium(tessera_am_room_t *room, int32_t unit, size_t least, size_t most, unsigned flags) {
  return prepare_request(MEDIUM_ROOM, room, unit, most);
}
tessera_status_t tessera_am_prepare_long(tessera_am_room_t *room, int32_t unit, uint64_t place, size_t least, size_t most,
                                         unsigned flags) {
  return prepare_request(LONG_ROOM, room, unit, most);
}
tessera_status_t tessera_am_prepare_reply_medium(tessera_am_room_t *room, const tessera_am_t *to, size_t least, size_t most,
                                                 unsigned flags) {
  return prepare_reply(MEDIUM_ROOM, room, to, most);
}
tessera_status_t tessera_am_prepare_reply_long(tessera_am_room_t *room, const tessera_am_t *to, uint64_t place, size_t least,
                                               size_t most, unsigned flags) {
  return prepare_reply(LONG_ROOM, room, to, most);
}

static tessera_status_t kept_of(const char *name, const tessera_am_room_t *room, tsr_am_room *kept) {
  if (!room || !room->data) return tsr_fail(TESSERA_ERR_ARG, "%s: the room was not prepared, or is gone; prepare one", name);
  memcpy(kept, room->kept, sizeof *kept);
  return TESSERA_OK;
}

tessera_status_t tessera_am_commit(tessera_am_room_t *room, int32_t handler, size_t bytes, const int32_t args[],
                                   int32_t args_n, unsigned flags) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_am_room kept;
  tessera_status_t status = check_up(__func__);
  if (!status) status = kept_of(__func__, room, &kept);
  if (status) return status;
  struct call call = {__func__, kept.data, bytes, kept.wish.dest_off, args, handler, args_n, (enum tsr_am_kind)kept.wish.kind, flags};
  status = check_args(&call);
  if (!status && bytes > kept.bytes)
    status = tsr_fail(TESSERA_ERR_ARG, "%s: %zu bytes are more than the room for %zu; send the first of them", __func__, bytes,
                      kept.bytes);
  if (!status) status = check_place(&call);
  if (status) return status;
  struct tsr_am_message message = message_of(&call);
  status = tsr_am_commit(&kept, &message, patience_of(flags));
  if (status) return status;
  room->data = NULL;
  count(kept.token ? TSR_STAT_AM_REPLY : TSR_STAT_AM_REQUEST, begun_ns, kept.to, bytes);
  return TESSERA_OK;
}

tessera_status_t tessera_am_cancel(tessera_am_room_t *room) {
  tsr_am_room kept;
  tessera_status_t status = check_up(__func__);
  if (!status) status = kept_of(__func__, room, &kept);
  if (status) return status;
  tsr_am_cancel(&kept);
  room->data = NULL;
  return TESSERA_OK;
}

size_t tessera_am_room_max(void) {
  return tsr_runtime_is_up ? tsr_am_room_bytes(TSR_AM_MEDIUM, false) : 0;
}
size_t tessera_am_medium_max(void) { return tsr_runtime_is_up ? tsr_am_medium_bytes() : 0; }
size_t tessera_am_long_max(void) { return TSR_AM_LONG_BYTES; }

tessera_status_t tessera_am_register(int32_t number, tessera_am_handler_t handler, void *context) {
  tessera_status_t status = check_up(__func__);
  if (!status) status = check_outside(__func__);
  if (status) return status;
  if (number < 0 || number >= TESSERA_AM_HANDLERS_MAX)
    return tsr_fail(TESSERA_ERR_RANGE, "%s: there is no handler %d; name one of 0 to %d", __func__, number,
                    TESSERA_AM_HANDLERS_MAX - 1);
  table[number] = (struct entry){handler, context};
  return TESSERA_OK;
}

tessera_status_t tessera_am_place(const void *memory, uint64_t *place) {
  uint32_t local;
  tessera_status_t status = check_up(__func__);
  if (status) return status;
  if (!memory || !place)
    return tsr_fail(TESSERA_ERR_ARG, "%s: memory or place is NULL; pass what to name and where to store it", __func__);
  uint64_t off;
  if (!tsr_heap_contains(memory, &local, &off) || local != tsr_heap.self)
    return tsr_fail(TESSERA_ERR_RANGE, "%s: %p is not in the heap of this unit; pass memory that an interface allocated for "
                    "it", __func__, memory);
  *place = off;
  return TESSERA_OK;
}

tessera_status_t tessera_am_poll(void) {
  tessera_status_t status = check_up(__func__);
  if (!status) status = check_outside(__func__);
  if (!status) tsr_am_poll();
  return status;
}

tessera_status_t tessera_am_wait(bool (*ready)(const void *arg), const void *arg) {
  tessera_status_t status = check_up(__func__);
  if (!status) status = check_outside(__func__);
  if (status) return status;
  if (!ready) return tsr_fail(TESSERA_ERR_ARG, "%s: ready is NULL; pass what says that the wait is over", __func__);
  tsr_wait(ready, arg, (struct tsr_wait_why){TSR_WAIT_AM, 0, 0});
  return TESSERA_OK;
}

static int32_t waits_for(const struct tsr_wait_why *why) {
  bool for_room = why->kind == TSR_WAIT_ROOM || why->kind == TSR_WAIT_AM_BLOCK || why->kind == TSR_WAIT_AM_TAKEN;
  return for_room ? why->who : -1;
}

tessera_status_t tessera_am_state(int32_t unit, tessera_am_state_t *state) {
  tessera_status_t status = check_up(__func__);
  if (!status) status = check_unit(__func__, unit);
  if (status) return status;
  if (!state) return tsr_fail(TESSERA_ERR_ARG, "%s: state is NULL; pass where to store it", __func__);
  *state = (tessera_am_state_t){.blocks = tsr_am_pool_taken(), .waits_for = -1};
  int32_t local = tsr_place_local(TSR_UNIT(unit));
  if (local < 0) {
    state->under_way = tsr_am_far_n(TSR_UNIT(unit));
    return TESSERA_OK;
  }
  struct tsr_node_memory *memory = tsr_heap.memory;
  state->requests_queued = (int32_t)tsr_ring_depth(tsr_memory_ring(memory, (uint32_t)local, TSR_RING_AM_REQUESTS));
  state->replies_queued = (int32_t)tsr_ring_depth(tsr_memory_ring(memory, (uint32_t)local, TSR_RING_AM_REPLIES));
  state->queue_lines = TSR_RING_SLOTS;
  state->waits_for = waits_for(&tsr_heap_unit((uint32_t)local)->why);
  return TESSERA_OK;
}

__attribute__((constructor)) static void register_family(void) { tsr_am_register(TSR_AM_NATIVE, dispatch); }
