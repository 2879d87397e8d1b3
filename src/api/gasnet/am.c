/* Active messages: restrictions on calls, requests and replies with fixed payload, tokens, and limits. */
#include "api/gasnet/am.h"

#include "core/heap_base.h"
#include "api/gasnet/gasnet_api.h"
#include "rma/rma.h"

/* ---- Restrictions ---- */

_Thread_local struct tsr_gex_thread tsr_gex_thread;

static void check_free(const char *call) {
  if (tsr_gex_thread.held)
    tsr_gex_die("TSR-4010 %s: the caller holds a handler-safe lock; release it first with gex_HSL_Unlock", call);
  if (tsr_gex_thread.prepared)
    tsr_gex_die("TSR-4011 %s: the caller has called %s; commit or cancel that message first", call, tsr_gex_thread.prepared);
}

void tsr_gex_forbid_context(const char *call) {
  const tsr_am_token *running = tsr_am_running();
  if (running)
    tsr_gex_die("TSR-4012 %s: called from handler %d, of a message of rank %d of the job; a handler may only reply and take "
                "locks, do the rest after it has returned", call, running->handler, running->source.id);
  check_free(call);
}

tsr_am_token *tsr_gex_am_answerable(const char *call, gex_Token_t token) {
  tsr_am_token *message = (tsr_am_token *)token;
  if (__builtin_expect(tsr_config_check(), 0)) check_free(call);
  if (__builtin_expect(!message || message != tsr_am_running(), 0))
    tsr_gex_die("TSR-4013 %s: the token is not that of the message whose handler runs; pass the token that the handler got, before "
                "the handler returns",
                call);
  if (__builtin_expect(!message->is_request, 0))
    tsr_gex_die("TSR-4014 %s: handler %d runs for a reply; reply to requests only", call, message->handler);
  if (__builtin_expect(message->replied, 0))
    tsr_gex_die("TSR-4015 %s: handler %d has replied already; a request has one reply at most", call, message->handler);
  return message;
}

/* ---- Parts of a call that sends ---- */

struct tsr_gex_am_local tsr_gex_am_local(const char *call, gex_Event_t *lc_opt, bool is_request) {
  struct tsr_gex_am_local local = {0};
  if (__builtin_expect(lc_opt == GEX_EVENT_NOW, 1)) return local;
  if (lc_opt == GEX_EVENT_GROUP && is_request) {
    local.op = tsr_gex_nbi(TSR_GEX_AM);
    return local;
  }
  if (!lc_opt || lc_opt == GEX_EVENT_DEFER || lc_opt == GEX_EVENT_GROUP)
    tsr_gex_die("TSR-4016 %s: lc_opt is %s; pass GEX_EVENT_NOW%s or the address of an event", call,
                !lc_opt ? "NULL" : lc_opt == GEX_EVENT_DEFER ? "GEX_EVENT_DEFER" : "GEX_EVENT_GROUP",
                is_request ? ", GEX_EVENT_GROUP" : "");
  local.out = lc_opt;
  local.event = tsr_gex_event(&local.op, TSR_GEX_AM);
  return local;
}

void tsr_gex_am_local_done(const struct tsr_gex_am_local *local, bool sent) {
  if (sent) *local->out = tsr_gex_event_started(local->event);
  else tsr_gex_event_drop(local->event);
}

bool tsr_gex_am_aim(const char *call, tsr_unit unit, const void *dest_addr, gex_Flags_t flags, struct tsr_am_message *message) {
  message->dest_off = (uintptr_t)dest_addr - tsr_heap_base(unit);
  if (!message->bytes) return true;
  tsr_addr remote_addr = tsr_gex_address(call, unit, dest_addr, message->bytes);
  if (__builtin_expect(!tsr_addr_is_outside(remote_addr), 1)) return true;
  if (flags & GEX_FLAG_IMMEDIATE) return false;
  tsr_op op = {0};
  if (tsr_put(remote_addr, message->data, message->bytes, &op))
    tsr_gex_die("TSR-4017 %s: the put of the data to job rank %d failed; see the message above", call, unit.id);
  tsr_op_wait_remote(&op, unit);
  message->data = NULL;
  return true;
}

bool tsr_gex_am_sent(const char *call, tessera_status_t status) {
  if (__builtin_expect(status == TESSERA_OK, 1)) return true;
  if (status != TESSERA_ERR_AGAIN) tsr_gex_die("TSR-4018 %s: the message cannot be sent; see the message above", call);
  return false;
}

/* ---- Fixed payload ---- */

static size_t most_bytes(enum tsr_am_kind kind) { return kind == TSR_AM_LONG ? TSR_AM_LONG_BYTES : TSR_AM_MEDIUM_BYTES; }

static void check_data(const char *call, enum tsr_am_kind kind, const void *data, size_t bytes) {
  if (__builtin_expect(bytes > most_bytes(kind), 0))
    tsr_gex_die("TSR-4047 %s: %zu bytes are too long for one message, %zu is the limit; send several, or ask the gex_AM_Max... "
                "call", call, bytes, most_bytes(kind));
  if (__builtin_expect(bytes && !data, 0))
    tsr_gex_die("TSR-4048 %s: %zu bytes are to be sent from NULL; pass the address of the data", call, bytes);
}

/* Sends a reply to `token`, or, if that is NULL, a request to `unit`. Returns 1 if it was not sent. */
static inline int send_message(const char *call, tsr_am_token *token, tsr_unit unit, struct tsr_am_message *message,
                               const void *dest_addr, gex_Event_t *lc_opt, gex_Flags_t flags) {
  struct tsr_gex_am_local local = {0};
  if (message->kind != TSR_AM_SHORT) {
    message->data = tsr_gex_ours(call, message->data, message->bytes, flags);
    check_data(call, message->kind, message->data, message->bytes);
    if (message->kind == TSR_AM_LONG) {
      dest_addr = tsr_gex_theirs(call, unit, dest_addr, message->bytes, flags);
      if (!tsr_gex_am_aim(call, unit, dest_addr, flags, message)) return 1;
    }
    local = tsr_gex_am_local(call, lc_opt, !token);
  }
  enum tsr_am_wait wait = tsr_gex_am_wait(flags);
  bool sent = tsr_gex_am_sent(call, token ? tsr_am_reply(token, message, wait, local.op)
                                          : tsr_am_request(unit, message, wait, local.op));
  if (!token) tsr_gex_am_to_self(unit);
  if (local.out) tsr_gex_am_local_done(&local, sent);
  return !sent;
}

static inline int send_request(gex_TM_t tm, gex_Rank_t rank, struct tsr_am_message *message, const void *dest_addr,
                               gex_Event_t *lc_opt, gex_Flags_t flags) {
  static const char *const calls[] = {"gex_AM_RequestShort", "gex_AM_RequestMedium", "gex_AM_RequestLong"};
  const char *call = calls[message->kind];
  tsr_gex_check_context(call);
  return send_message(call, NULL, tsr_gex_unit(call, tm, rank), message, dest_addr, lc_opt, flags);
}

static inline int send_reply(gex_Token_t to, struct tsr_am_message *message, const void *dest_addr, gex_Event_t *lc_opt,
                             gex_Flags_t flags) {
  static const char *const calls[] = {"gex_AM_ReplyShort", "gex_AM_ReplyMedium", "gex_AM_ReplyLong"};
  const char *call = calls[message->kind];
  tsr_am_token *token = tsr_gex_am_answerable(call, to);
  return send_message(call, token, token->source, message, dest_addr, lc_opt, flags);
}

int gexi_request_short(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, gex_Flags_t flags, unsigned int numargs,
                       const gex_AM_Arg_t *args) {
  struct tsr_am_message message = tsr_gex_am_message(TSR_AM_SHORT, handler, NULL, 0, numargs, args);
  return send_request(tm, rank, &message, NULL, GEX_EVENT_NOW, flags);
}

int gexi_request_medium(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, const void *source_addr, size_t nbytes,
                        gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs, const gex_AM_Arg_t *args) {
  struct tsr_am_message message = tsr_gex_am_message(TSR_AM_MEDIUM, handler, source_addr, nbytes, numargs, args);
  return send_request(tm, rank, &message, NULL, lc_opt, flags);
}

int gexi_request_long(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, const void *source_addr, size_t nbytes,
                      void *dest_addr, gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs, const gex_AM_Arg_t *args) {
  struct tsr_am_message message = tsr_gex_am_message(TSR_AM_LONG, handler, source_addr, nbytes, numargs, args);
  return send_request(tm, rank, &message, dest_addr, lc_opt, flags);
}

int gexi_reply_short(gex_Token_t token, gex_AM_Index_t handler, gex_Flags_t flags, unsigned int numargs,
                     const gex_AM_Arg_t *args) {
  struct tsr_am_message message = tsr_gex_am_message(TSR_AM_SHORT, handler, NULL, 0, numargs, args);
  return send_reply(token, &message, NULL, GEX_EVENT_NOW, flags);
}

int gexi_reply_medium(gex_Token_t token, gex_AM_Index_t handler, const void *source_addr, size_t nbytes, gex_Event_t *lc_opt,
                      gex_Flags_t flags, unsigned int numargs, const gex_AM_Arg_t *args) {
  struct tsr_am_message message = tsr_gex_am_message(TSR_AM_MEDIUM, handler, source_addr, nbytes, numargs, args);
  return send_reply(token, &message, NULL, lc_opt, flags);
}

int gexi_reply_long(gex_Token_t token, gex_AM_Index_t handler, const void *source_addr, size_t nbytes, void *dest_addr,
                    gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs, const gex_AM_Arg_t *args) {
  struct tsr_am_message message = tsr_gex_am_message(TSR_AM_LONG, handler, source_addr, nbytes, numargs, args);
  return send_reply(token, &message, dest_addr, lc_opt, flags);
}

/* ---- Tokens, and the maximal length of messages, which is the same for all peers and numbers of arguments ---- */

gex_TI_t gex_Token_Info(gex_Token_t token, gex_Token_Info_t *info, gex_TI_t mask) {
  const tsr_am_token *message = (const tsr_am_token *)token;
  if (!message || !info) tsr_gex_die("TSR-4032 %s: %s is NULL; pass it", __func__, info ? "token" : "info");
  if (mask & ~GEX_TI_ALL) tsr_gex_die("TSR-4033 %s: mask is 0x%x; pass GEX_TI_ bits only", __func__, (unsigned)mask);
  *info = (gex_Token_Info_t){.gex_srcrank = (gex_Rank_t)message->source.id,
                             .gex_ep = &tsr_gex_ep,
                             .gex_entry = tsr_gex_entry(message),
                             .gex_is_req = message->is_request,
                             .gex_is_long = message->kind == TSR_AM_LONG};
  return GEX_TI_ALL;
}

static size_t max_bytes(const char *call, enum tsr_am_kind kind, gex_Flags_t flags, unsigned int numargs) {
  if (numargs > TSR_AM_ARGS_MAX)
    tsr_gex_die("TSR-4034 %s: %u arguments; messages have %d at most", call, numargs, TSR_AM_ARGS_MAX);
  bool client = flags & GEX_FLAG_AM_PREPARE_LEAST_CLIENT, alloc = flags & GEX_FLAG_AM_PREPARE_LEAST_ALLOC;
  if (client && alloc)
    tsr_gex_die("TSR-4035 %s: flags have GEX_FLAG_AM_PREPARE_LEAST_CLIENT and _ALLOC; pass one at most", call);
  return client || alloc ? tsr_am_room_bytes(kind, client) : most_bytes(kind);
}

#define MAX_TO(name, kind)                                                                                    \
  size_t gex_AM_Max##name(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt, gex_Flags_t flags,   \
                          unsigned int numargs) {                                                             \
    (void)lc_opt;                                                                                             \
    tsr_gex_check_up(__func__);                                                                               \
    if (other_rank != GEX_RANK_INVALID) tsr_gex_unit(__func__, tm, other_rank);                               \
    return max_bytes(__func__, kind, flags, numargs);                                                         \
  }                                                                                                           \
  size_t gex_AM_LUB##name(void) { return most_bytes(kind); }
MAX_TO(RequestMedium, TSR_AM_MEDIUM)
MAX_TO(ReplyMedium, TSR_AM_MEDIUM)
MAX_TO(RequestLong, TSR_AM_LONG)
MAX_TO(ReplyLong, TSR_AM_LONG)

static size_t max_reply(const char *call, gex_Token_t token, enum tsr_am_kind kind, gex_Flags_t flags, unsigned int numargs) {
  const tsr_am_token *message = (const tsr_am_token *)token;
  if (!message || !message->is_request)
    tsr_gex_die("TSR-4036 %s: the token is not that of a request; pass that of the request whose handler runs", call);
  return max_bytes(call, kind, flags, numargs);
}

size_t gex_Token_MaxReplyMedium(gex_Token_t token, const gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs) {
  (void)lc_opt;
  return max_reply(__func__, token, TSR_AM_MEDIUM, flags, numargs);
}

size_t gex_Token_MaxReplyLong(gex_Token_t token, const gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs) {
  (void)lc_opt;
  return max_reply(__func__, token, TSR_AM_LONG, flags, numargs);
}
