/* Active messages: registration, requests and replies, and messages whose room is taken first. */
#include <tessera/am.h>

#include <string.h>

#include "am/am.h"
#include "am/pool.h"
#include "am/remote.h"
#include "base/wait.h"
#include "core/place.h"
#include "api/native/native_api.h"

/* ---- Handlers ---- */

static struct entry {
  tessera_am_handler_t handler;
  void *context;
} table[TESSERA_AM_HANDLERS_MAX];

static void dispatch_message(tsr_am_token *token) {
  struct entry entry = table[token->handler];
  if (!entry.handler)
    tsr_abort(1, "TSR-1000 unit %d sends an active message to handler %d, which this unit has not registered; call "
              "tessera_am_register, then a barrier, before the first message", token->source.id, token->handler);
  tessera_am_t message = {.unit = token->source.id, .args_n = token->args_n, .args = token->args, .data = token->data,
                          .bytes = token->bytes, .is_request = token->is_request, .token = token};
  entry.handler(&message, entry.context);
}

__attribute__((constructor)) static void register_family(void) { tsr_am_register(TSR_AM_NATIVE, dispatch_message); }

void tsr_native_am_forget(void) { memset(table, 0, sizeof table); }

/* ---- Checks, which log errors ---- */

static tessera_status_t check_up(const char *name) {
  return tsr_api_is_up[TSR_API_NATIVE] ? TESSERA_OK : tsr_runtime_not_up(name);
}

/* The interface is up, and the call is not made in a handler. */
static tessera_status_t check_outside(const char *name) {
  tessera_status_t status = check_up(name);
  if (status || !tsr_am_running()) return status;
  return tsr_fail(TESSERA_ERR_STATE, "TSR-1013 %s: called from a handler, which may only reply; do this after it has returned",
                  name);
}

static tessera_status_t check_unit(const char *name, int32_t unit) {
  if (tsr_team_has(tsr_team_world, TSR_MEMBER(unit))) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_RANGE, "TSR-1006 %s: there is no unit %d; pass 0 to %d", name, unit, tsr_place.units_n - 1);
}

static tessera_status_t check_request(const char *name, int32_t unit) {
  tessera_status_t status = check_outside(name);
  return status ? status : check_unit(name, unit);
}

static tessera_status_t check_reply(const char *name, const tessera_am_t *to) {
  const tsr_am_token *token = tsr_am_running();
  tessera_status_t status = check_up(name);
  if (status) return status;
  if (!token || !to || to->token != token || !token->is_request)
    return tsr_fail(TESSERA_ERR_STATE, "TSR-1014 %s: `to` is not the request whose handler runs; reply in the request's "
                    "handler", name);
  if (token->replied) return tsr_fail(TESSERA_ERR_STATE, "TSR-1015 %s: the request has its reply already; send one only", name);
  return TESSERA_OK;
}

/* The arguments of a call that sends or prepares a message. */
struct arguments {
  const char *name;
  const void *data;
  size_t bytes;
  uint64_t place;
  const int32_t *args;
  int32_t handler, args_n;
  enum tsr_am_kind kind;
  unsigned flags;
};

static tessera_status_t check_flags(const char *name, unsigned flags) {
  if (!(flags & ~(unsigned)TESSERA_AM_IMMEDIATE)) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_ARG, "TSR-1007 %s: flags %#x are unknown; pass 0 or TESSERA_AM_IMMEDIATE", name, flags);
}

static tessera_status_t check_place(const struct arguments *call) {
  uint64_t slice = tsr_heap_slice_bytes();
  if (call->kind != TSR_AM_LONG || (call->place <= slice && call->bytes <= slice - call->place)) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_RANGE, "TSR-1008 %s: %zu bytes at place %llu are not inside a heap; pass a place that "
                  "tessera_am_place stored on the target", call->name, call->bytes, (unsigned long long)call->place);
}

/* Handler, arguments and flags. */
static tessera_status_t check_args(const struct arguments *call) {
  if (call->handler < 0 || call->handler >= TESSERA_AM_HANDLERS_MAX)
    return tsr_fail(TESSERA_ERR_RANGE, "TSR-1011 %s: there is no handler %d; pass 0 to %d", call->name, call->handler,
                    TESSERA_AM_HANDLERS_MAX - 1);
  if (call->args_n < 0 || call->args_n > TESSERA_AM_ARGS_MAX || (call->args_n > 0 && !call->args))
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1012 %s: %d arguments at %p; pass 0 to %d", call->name, call->args_n,
                    (const void *)call->args, TESSERA_AM_ARGS_MAX);
  return check_flags(call->name, call->flags);
}

/* All arguments of a call that sends. */
static tessera_status_t check_message(const struct arguments *call) {
  size_t most = call->kind == TSR_AM_LONG ? TSR_AM_LONG_BYTES : TSR_AM_MEDIUM_BYTES;
  tessera_status_t status = check_args(call);
  if (status || call->kind == TSR_AM_SHORT) return status;
  if (call->bytes > most)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1009 %s: %zu bytes are more than the %zu of one message; send several", call->name,
                    call->bytes, most);
  if (call->bytes && !call->data)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1010 %s: the buffer for %zu bytes is NULL; pass it, or size 0", call->name,
                    call->bytes);
  return check_place(call);
}

static struct tsr_am_message message_of(const struct arguments *call) {
  return (struct tsr_am_message){.family = TSR_AM_NATIVE, .handler = (uint8_t)call->handler, .kind = (uint8_t)call->kind,
                                 .args_n = (uint8_t)call->args_n, .args = call->args, .data = call->data,
                                 .bytes = call->bytes, .dest_off = call->place};
}

static enum tsr_am_wait wait_of(unsigned flags) {
  return flags & TESSERA_AM_IMMEDIATE ? TSR_AM_IMMEDIATE : TSR_AM_WAITS;
}

/* ---- Registration, progress, queries ---- */

size_t tessera_am_medium_max(void) { return tsr_runtime_is_up ? TSR_AM_MEDIUM_BYTES : 0; }
size_t tessera_am_long_max(void) { return TSR_AM_LONG_BYTES; }
size_t tessera_am_room_max(void) { return tsr_runtime_is_up ? tsr_am_room_bytes(TSR_AM_MEDIUM, false) : 0; }

tessera_status_t tessera_am_register(int32_t number, tessera_am_handler_t handler, void *context) {
  tessera_status_t status = check_outside(__func__);
  if (status) return status;
  if (number < 0 || number >= TESSERA_AM_HANDLERS_MAX)
    return tsr_fail(TESSERA_ERR_RANGE, "TSR-1001 %s: there is no handler %d; pass 0 to %d", __func__, number,
                    TESSERA_AM_HANDLERS_MAX - 1);
  table[number] = (struct entry){handler, context};
  return TESSERA_OK;
}

tessera_status_t tessera_am_place(const void *memory, uint64_t *place) {
  uint32_t local;
  tessera_status_t status = check_up(__func__);
  if (status) return status;
  if (!memory || !place)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1002 %s: memory or place is NULL; pass an address, and where to store its place",
                    __func__);
  uint64_t off;
  if (!tsr_heap_contains(memory, &local, &off) || local != tsr_heap.self)
    return tsr_fail(TESSERA_ERR_RANGE, "TSR-1003 %s: %p is not in the heap of this unit; pass memory that this unit allocated",
                    __func__, memory);
  *place = off;
  return TESSERA_OK;
}

tessera_status_t tessera_am_poll(void) {
  tessera_status_t status = check_outside(__func__);
  if (!status) tsr_am_poll();
  return status;
}

tessera_status_t tessera_am_wait(bool (*ready)(const void *arg), const void *arg) {
  tessera_status_t status = check_outside(__func__);
  if (status) return status;
  if (!ready) return tsr_fail(TESSERA_ERR_ARG, "TSR-1004 %s: ready is NULL; pass the condition to wait for", __func__);
  tsr_wait(ready, arg, (struct tsr_wait_why){TSR_WAIT_AM, 0, 0});
  return TESSERA_OK;
}

tessera_status_t tessera_am_state(int32_t unit, tessera_am_state_t *state) {
  tessera_status_t status = check_up(__func__);
  if (!status) status = check_unit(__func__, unit);
  if (status) return status;
  if (!state) return tsr_fail(TESSERA_ERR_ARG, "TSR-1005 %s: state is NULL; pass where to store it", __func__);
  *state = (tessera_am_state_t){.blocks = tsr_am_pool_taken(), .waits_for = -1};
  int32_t local = tsr_place_local(TSR_UNIT(unit));
  if (local < 0) {
    state->under_way = tsr_am_remote_n(TSR_UNIT(unit));
    return TESSERA_OK;
  }
  struct tsr_node_memory *memory = tsr_heap.memory;
  state->requests_queued = (int32_t)tsr_ring_depth(tsr_memory_ring(memory, (uint32_t)local, TSR_RING_AM_REQUESTS));
  state->replies_queued = (int32_t)tsr_ring_depth(tsr_memory_ring(memory, (uint32_t)local, TSR_RING_AM_REPLIES));
  state->queue_lines = TSR_RING_SLOTS;
  struct tsr_wait_why why = tsr_wait_reason(&tsr_heap_unit((uint32_t)local)->why);
  bool for_room = why.kind == TSR_WAIT_ROOM || why.kind == TSR_WAIT_AM_BLOCK || why.kind == TSR_WAIT_AM_TAKEN;
  if (for_room) state->waits_for = why.who;
  return TESSERA_OK;
}

/* ---- Requests and replies ---- */

static tessera_status_t send_request(const struct arguments *call, int32_t unit, tsr_op *local) {
  tessera_status_t status = check_request(call->name, unit);
  if (!status) status = check_message(call);
  if (status) return status;
  struct tsr_am_message message = message_of(call);
  return tsr_am_request(TSR_UNIT(unit), &message, wait_of(call->flags), local);
}

static tessera_status_t request_nb(const struct arguments *call, int32_t unit, tessera_request_t *out) {
  tsr_handle handle;
  tsr_op *op;
  tessera_status_t status = check_up(call->name);
  if (status) return status;
  if (!out) return tsr_fail(TESSERA_ERR_ARG, "TSR-1020 %s: request is NULL; pass where to store it", call->name);
  status = tsr_handle_create(TSR_UNIT(-1), &handle, &op);
  if (status) return status;
  tsr_handle_explain(op, (struct tsr_wait_why){.kind = TSR_WAIT_REPLY, .who = unit});
  status = send_request(call, unit, op);
  if (status) tsr_handle_release(handle);
  else tsr_native_store_request(handle, out);
  return status;
}

static tessera_status_t send_reply(const struct arguments *call, const tessera_am_t *to) {
  tessera_status_t status = check_reply(call->name, to);
  if (!status) status = check_message(call);
  if (status) return status;
  struct tsr_am_message message = message_of(call);
  return tsr_am_reply(to->token, &message, wait_of(call->flags), NULL);
}

#define SHORT_CALL (&(struct arguments){__func__, NULL, 0, 0, args, handler, args_n, TSR_AM_SHORT, flags})
#define MEDIUM_CALL (&(struct arguments){__func__, data, bytes, 0, args, handler, args_n, TSR_AM_MEDIUM, flags})
#define LONG_CALL (&(struct arguments){__func__, data, bytes, place, args, handler, args_n, TSR_AM_LONG, flags})

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

/* ---- Room that is taken first ---- */

_Static_assert(sizeof(tsr_am_room) <= sizeof(((tessera_am_room_t *)0)->kept), "a room is kept in the program's memory");

/* The core's room is stored in an opaque field of the program's. */
static tsr_am_room *kept_in(tessera_am_room_t *room) { return (tsr_am_room *)(void *)room->kept; }

/* `to`: the request that this replies to; NULL: a request to `unit`. `call->bytes`: the least room that is enough. */
static tessera_status_t prepare_room(const struct arguments *call, tessera_am_room_t *room, int32_t unit,
                                     const tessera_am_t *to, size_t most) {
  struct tsr_am_wanted room_wanted = {.kind = (uint8_t)call->kind, .args_n = TESSERA_AM_ARGS_MAX, .least = call->bytes,
                                      .most = most, .dest_off = call->place};
  enum tsr_am_wait wait = wait_of(call->flags);
  tessera_status_t status = check_flags(call->name, call->flags);
  if (status) return status;
  if (!room) return tsr_fail(TESSERA_ERR_ARG, "TSR-1016 %s: room is NULL; pass where to store it", call->name);
  if (call->bytes > most || call->bytes > tessera_am_room_max())
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1017 %s: least is %zu bytes, most is %zu; pass least <= %zu, and most >= least",
                    call->name, call->bytes, most, tessera_am_room_max());
  status = check_place(call);
  if (status) return status;
  tsr_am_room *kept = kept_in(room);
  status = to ? tsr_am_prepare_reply(kept, to->token, &room_wanted, wait, NULL)
              : tsr_am_prepare_request(kept, TSR_UNIT(unit), &room_wanted, wait, NULL);
  if (status) return status;
  room->data = kept->data;
  room->bytes = kept->bytes;
  return TESSERA_OK;
}

static tessera_status_t prepare_request(const struct arguments *call, tessera_am_room_t *room, int32_t unit,
                                        size_t most) {
  tessera_status_t status = check_request(call->name, unit);
  return status ? status : prepare_room(call, room, unit, NULL, most);
}

static tessera_status_t prepare_reply(const struct arguments *call, tessera_am_room_t *room, const tessera_am_t *to,
                                      size_t most) {
  tessera_status_t status = check_reply(call->name, to);
  return status ? status : prepare_room(call, room, -1, to, most);
}

#define MEDIUM_ROOM (&(struct arguments){__func__, NULL, least, 0, NULL, 0, 0, TSR_AM_MEDIUM, flags})
#define LONG_ROOM (&(struct arguments){__func__, NULL, least, place, NULL, 0, 0, TSR_AM_LONG, flags})

tessera_status_t tessera_am_prepare_medium(tessera_am_room_t *room, int32_t unit, size_t least, size_t most,
                                           unsigned flags) {
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

static tessera_status_t check_kept(const char *name, const tessera_am_room_t *room) {
  tessera_status_t status = check_up(name);
  if (!status && (!room || !room->data))
    status = tsr_fail(TESSERA_ERR_ARG, "TSR-1018 %s: the room was not prepared, or was committed or cancelled; prepare one",
                      name);
  return status;
}

tessera_status_t tessera_am_commit(tessera_am_room_t *room, int32_t handler, size_t bytes, const int32_t args[],
                                   int32_t args_n, unsigned flags) {
  tessera_status_t status = check_kept(__func__, room);
  if (status) return status;
  tsr_am_room *kept = kept_in(room);
  struct arguments call = {__func__, kept->data, bytes, kept->wanted.dest_off, args, handler, args_n,
                               (enum tsr_am_kind)kept->wanted.kind, flags};
  status = check_args(&call);
  if (!status && bytes > kept->bytes)
    status = tsr_fail(TESSERA_ERR_ARG, "TSR-1019 %s: %zu bytes are more than the room for %zu; send no more than that",
                      __func__, bytes, kept->bytes);
  if (!status) status = check_place(&call);
  if (status) return status;
  struct tsr_am_message message = message_of(&call);
  status = tsr_am_commit(kept, &message, wait_of(flags));
  if (status) return status;
  room->data = NULL;
  return TESSERA_OK;
}

tessera_status_t tessera_am_cancel(tessera_am_room_t *room) {
  tessera_status_t status = check_kept(__func__, room);
  if (status) return status;
  tsr_am_cancel(kept_in(room));
  room->data = NULL;
  return TESSERA_OK;
}
