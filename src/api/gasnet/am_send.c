/* Requests and replies with fixed payload. */
#include "api/gasnet/am.h"
#include "api/gasnet/gasnet_api.h"

static const char *const requests[] = {"gex_AM_RequestShort", "gex_AM_RequestMedium", "gex_AM_RequestLong"};
static const char *const replies[] = {"gex_AM_ReplyShort", "gex_AM_ReplyMedium", "gex_AM_ReplyLong"};

static inline enum tsr_am_patience patience_of(gex_Flags_t flags) {
  return flags & GEX_FLAG_IMMEDIATE ? TSR_AM_IMMEDIATE : TSR_AM_WAITS;
}

static void check_data(const char *call, enum tsr_am_kind kind, const void *data, size_t bytes) {
  if (__builtin_expect(bytes > tsr_gex_am_most(kind), 0))
    tsr_gex_die("TSR-4047 %s: %zu bytes are too long for one message, %zu is the limit; send several, or ask the gex_AM_Max... "
                "call", call, bytes, tsr_gex_am_most(kind));
  if (__builtin_expect(bytes && !data, 0))
    tsr_gex_die("TSR-4048 %s: %zu bytes are to be sent from NULL; pass the address of the data", call, bytes);
}

static inline int send_request(gex_TM_t tm, gex_Rank_t rank, struct tsr_am_message *message, const void *dest_addr,
                               gex_Event_t *lc_opt, gex_Flags_t flags) {
  const char *call = requests[message->kind];
  tsr_gex_check_context(call);
  tsr_unit unit = tsr_gex_unit(call, tm, rank);
  struct tsr_gex_am_local local = {0};
  if (message->kind != TSR_AM_SHORT) {
    message->data = tsr_gex_ours(call, message->data, message->bytes, flags);
    check_data(call, message->kind, message->data, message->bytes);
    if (message->kind == TSR_AM_LONG) dest_addr = tsr_gex_theirs(call, unit, dest_addr, message->bytes, flags);
    if (message->kind == TSR_AM_LONG && !tsr_gex_am_aim(call, unit, dest_addr, flags, message)) return 1;
    local = tsr_gex_am_local(call, lc_opt, true);
  }
  bool sent = tsr_gex_am_sent(call, tsr_am_request(unit, message, patience_of(flags), local.op));
  tsr_gex_am_to_self(unit);
  if (local.out) tsr_gex_am_local_done(&local, sent);
  return !sent;
}

static inline int send_reply(gex_Token_t to, struct tsr_am_message *message, const void *dest_addr, gex_Event_t *lc_opt,
                             gex_Flags_t flags) {
  const char *call = replies[message->kind];
  tsr_am_token *token = tsr_gex_am_answerable(call, to);
  struct tsr_gex_am_local local = {0};
  if (message->kind != TSR_AM_SHORT) {
    message->data = tsr_gex_ours(call, message->data, message->bytes, flags);
    check_data(call, message->kind, message->data, message->bytes);
    if (message->kind == TSR_AM_LONG) dest_addr = tsr_gex_theirs(call, token->source, dest_addr, message->bytes, flags);
    if (message->kind == TSR_AM_LONG && !tsr_gex_am_aim(call, token->source, dest_addr, flags, message)) return 1;
    local = tsr_gex_am_local(call, lc_opt, false);
  }
  bool sent = tsr_gex_am_sent(call, tsr_am_reply(token, message, patience_of(flags), local.op));
  if (local.out) tsr_gex_am_local_done(&local, sent);
  return !sent;
}

static inline struct tsr_am_message message_of(enum tsr_am_kind kind, gex_AM_Index_t handler, unsigned int numargs,
                                               const gex_AM_Arg_t *args) {
  return (struct tsr_am_message){
      .family = TSR_AM_GASNET, .kind = (uint8_t)kind, .handler = handler, .args_n = (uint8_t)numargs, .args = args};
}

static inline struct tsr_am_message message_with(enum tsr_am_kind kind, gex_AM_Index_t handler, const void *data, size_t bytes,
                                                 unsigned int numargs, const gex_AM_Arg_t *args) {
  struct tsr_am_message message = message_of(kind, handler, numargs, args);
  message.data = data;
  message.bytes = bytes;
  return message;
}

int gexi_request_short(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, gex_Flags_t flags, unsigned int numargs,
                       const gex_AM_Arg_t *args) {
  struct tsr_am_message message = message_of(TSR_AM_SHORT, handler, numargs, args);
  return send_request(tm, rank, &message, NULL, GEX_EVENT_NOW, flags);
}

int gexi_request_medium(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, const void *source_addr, size_t nbytes,
                        gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs, const gex_AM_Arg_t *args) {
  struct tsr_am_message message = message_with(TSR_AM_MEDIUM, handler, source_addr, nbytes, numargs, args);
  return send_request(tm, rank, &message, NULL, lc_opt, flags);
}

int gexi_request_long(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, const void *source_addr, size_t nbytes,
                      void *dest_addr, gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs, const gex_AM_Arg_t *args) {
  struct tsr_am_message message = message_with(TSR_AM_LONG, handler, source_addr, nbytes, numargs, args);
  return send_request(tm, rank, &message, dest_addr, lc_opt, flags);
}

int gexi_reply_short(gex_Token_t token, gex_AM_Index_t handler, gex_Flags_t flags, unsigned int numargs,
                     const gex_AM_Arg_t *args) {
  struct tsr_am_message message = message_of(TSR_AM_SHORT, handler, numargs, args);
  return send_reply(token, &message, NULL, GEX_EVENT_NOW, flags);
}

int gexi_reply_medium(gex_Token_t token, gex_AM_Index_t handler, const void *source_addr, size_t nbytes, gex_Event_t *lc_opt,
                      gex_Flags_t flags, unsigned int numargs, const gex_AM_Arg_t *args) {
  struct tsr_am_message message = message_with(TSR_AM_MEDIUM, handler, source_addr, nbytes, numargs, args);
  return send_reply(token, &message, NULL, lc_opt, flags);
}

int gexi_reply_long(gex_Token_t token, gex_AM_Index_t handler, const void *source_addr, size_t nbytes, void *dest_addr,
                    gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs, const gex_AM_Arg_t *args) {
  struct tsr_am_message message = message_with(TSR_AM_LONG, handler, source_addr, nbytes, numargs, args);
  return send_reply(token, &message, dest_addr, lc_opt, flags);
}
