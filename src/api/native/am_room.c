#include "api/native/am_call.h"

_Static_assert(sizeof(tsr_am_room) <= sizeof(((tessera_am_room_t *)0)->kept), "a room is kept in the program's memory");

static tessera_status_t check_room(const char *name, const tessera_am_room_t *room, size_t least, size_t most) {
  if (!room) return tsr_fail(TESSERA_ERR_ARG, "TSR-1016 %s: room is NULL; pass where to store it", name);
  if (least > most || least > tessera_am_room_max())
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1017 %s: least is %zu bytes, most %zu; pass at most %zu as least, and at least least "
                    "as most", name, least, most, tessera_am_room_max());
  return TESSERA_OK;
}

/* The core's room is stored in an opaque field of the program's. */
static tsr_am_room *kept_in(tessera_am_room_t *room) { return (tsr_am_room *)(void *)room->kept; }

/* `to`: the request that this replies to; NULL: a request to `unit`. `call->bytes`: the least room that is enough. */
static tessera_status_t prepare_room(const struct tsr_native_am *call, tessera_am_room_t *room, int32_t unit,
                                     const tessera_am_t *to, size_t most) {
  struct tsr_am_wish wish = {.kind = (uint8_t)call->kind, .args_n = TESSERA_AM_ARGS_MAX, .least = call->bytes, .most = most,
                             .dest_off = call->place};
  enum tsr_am_patience patience = tsr_native_am_patience(call->flags);
  tessera_status_t status = tsr_native_am_check_flags(call->name, call->flags);
  if (!status) status = check_room(call->name, room, call->bytes, most);
  if (!status) status = tsr_native_am_check_place(call);
  if (status) return status;
  tsr_am_room *kept = kept_in(room);
  status = to ? tsr_am_prepare_reply(kept, to->token, &wish, patience, NULL)
              : tsr_am_prepare_request(kept, TSR_UNIT(unit), &wish, patience, NULL);
  if (status) return status;
  room->data = kept->data;
  room->bytes = kept->bytes;
  return TESSERA_OK;
}

static tessera_status_t prepare_request(const struct tsr_native_am *call, tessera_am_room_t *room, int32_t unit,
                                        size_t most) {
  tessera_status_t status = tsr_native_am_check_request(call, unit);
  return status ? status : prepare_room(call, room, unit, NULL, most);
}

static tessera_status_t prepare_reply(const struct tsr_native_am *call, tessera_am_room_t *room, const tessera_am_t *to,
                                      size_t most) {
  tessera_status_t status = tsr_native_am_check_reply(call, to);
  return status ? status : prepare_room(call, room, -1, to, most);
}

#define MEDIUM_ROOM (&(struct tsr_native_am){__func__, NULL, least, 0, NULL, 0, 0, TSR_AM_MEDIUM, flags})
#define LONG_ROOM (&(struct tsr_native_am){__func__, NULL, least, place, NULL, 0, 0, TSR_AM_LONG, flags})

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
  tessera_status_t status = tsr_native_am_check_up(name);
  if (!status && (!room || !room->data))
    status = tsr_fail(TESSERA_ERR_ARG, "TSR-1018 %s: the room was not prepared, or was committed or cancelled; prepare one",
                      name);
  return status;
}

static tessera_status_t check_commit(const struct tsr_native_am *call, const tsr_am_room *kept) {
  tessera_status_t status = tsr_native_am_check_args(call);
  if (!status && call->bytes > kept->bytes)
    status = tsr_fail(TESSERA_ERR_ARG, "TSR-1019 %s: %zu bytes are more than the room for %zu; send no more than that",
                      call->name, call->bytes, kept->bytes);
  return status ? status : tsr_native_am_check_place(call);
}

tessera_status_t tessera_am_commit(tessera_am_room_t *room, int32_t handler, size_t bytes, const int32_t args[],
                                   int32_t args_n, unsigned flags) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = check_kept(__func__, room);
  if (status) return status;
  tsr_am_room *kept = kept_in(room);
  struct tsr_native_am call = {__func__, kept->data, bytes, kept->wish.dest_off, args, handler, args_n,
                               (enum tsr_am_kind)kept->wish.kind, flags};
  status = check_commit(&call, kept);
  if (status) return status;
  struct tsr_am_message message = tsr_native_am_message(&call);
  status = tsr_am_commit(kept, &message, tsr_native_am_patience(flags));
  if (status) return status;
  room->data = NULL;
  tsr_native_am_count(kept->token ? TSR_STAT_AM_REPLY : TSR_STAT_AM_REQUEST, begun_ns, kept->to, bytes);
  return TESSERA_OK;
}

tessera_status_t tessera_am_cancel(tessera_am_room_t *room) {
  tessera_status_t status = check_kept(__func__, room);
  if (status) return status;
  tsr_am_cancel(kept_in(room));
  room->data = NULL;
  return TESSERA_OK;
}

size_t tessera_am_room_max(void) { return tsr_runtime_is_up ? tsr_am_room_bytes(TSR_AM_MEDIUM, false) : 0; }
