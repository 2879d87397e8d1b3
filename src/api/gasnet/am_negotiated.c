/* Negotiated payload. A thread has at most one prepared message, and, while the commit of a request waits and runs
 * handlers, also the prepared reply of a handler. */
#include "api/gasnet/am.h"
#include "api/gasnet/gasnet_api.h"

struct gexi_source {
  tsr_am_room room;
  struct tsr_gex_am_local local;
  const char *prepare;   /* the call that prepared it */
  const void *dest_addr; /* as passed to Prepare; NULL: not given yet */
  gex_Flags_t flags;
  enum gexi_commit which;
  bool is_open;
};
static _Thread_local struct gexi_source request_source, reply_source;

static enum tsr_am_kind kind_of(enum gexi_commit which) {
  return which == GEXI_REQUEST_LONG || which == GEXI_REPLY_LONG ? TSR_AM_LONG : TSR_AM_MEDIUM;
}

/* ---- Prepare ---- */

/* The arguments of a Prepare call, except the target. */
struct wanted {
  const char *call;
  enum gexi_commit which;
  const void *client_buf, *dest_addr;
  size_t least, most;
  gex_Event_t *lc_opt;
  gex_Flags_t flags;
  unsigned int numargs;
};

static void check_wanted(const struct wanted *wanted, const struct gexi_source *source) {
  const char *call = wanted->call;
  size_t limit = tsr_am_room_bytes(kind_of(wanted->which), wanted->client_buf);
  if (source->is_open)
    tsr_gex_die("TSR-4041 %s: the thread has called %s before; commit or cancel that message first", call, source->prepare);
  if (wanted->numargs > TSR_AM_ARGS_MAX)
    tsr_gex_die("TSR-4037 %s: %u arguments; messages have %d at most", call, wanted->numargs, TSR_AM_ARGS_MAX);
  if (wanted->least > wanted->most)
    tsr_gex_die("TSR-4038 %s: least_payload is %zu bytes, most_payload is %zu; pass least_payload <= most_payload", call,
                wanted->least, wanted->most);
  if (wanted->least > limit)
    tsr_gex_die("TSR-4039 %s: at least %zu bytes are more than a message can have, %zu; ask the gex_AM_Max... call with "
                "GEX_FLAG_AM_PREPARE_LEAST_%s", call, wanted->least, limit, wanted->client_buf ? "CLIENT" : "ALLOC");
  if (!wanted->client_buf && wanted->lc_opt && wanted->lc_opt != GEX_EVENT_NOW) /* which old programs pass, and asks for nothing */
    tsr_gex_die("TSR-4040 %s: without a buffer of the caller's there is nothing to complete; pass NULL as lc_opt", call);
}

/* Prepares a reply to `token`, or, if that is NULL, a request to `unit`. */
static gex_AM_SrcDesc_t prepare_message(struct wanted *wanted, tsr_am_token *token, tsr_unit unit) {
  const char *call = wanted->call;
  struct gexi_source *source = token ? &reply_source : &request_source;
  wanted->client_buf = tsr_gex_ours(call, wanted->client_buf, wanted->most, wanted->flags);
  check_wanted(wanted, source);
  struct tsr_am_wanted room_wanted = {.kind = (uint8_t)kind_of(wanted->which), .args_n = (uint8_t)wanted->numargs,
                             .data = wanted->client_buf, .least = wanted->least, .most = wanted->most};
  if (wanted->dest_addr) {
    const void *dest = tsr_gex_theirs(call, unit, wanted->dest_addr, wanted->least, wanted->flags);
    if (wanted->least) tsr_gex_address(call, unit, dest, wanted->least); /* an invalid one ends the job */
  }
  struct tsr_gex_am_local local = {0};
  if (wanted->client_buf) local = tsr_gex_am_local(call, wanted->lc_opt, !token);
  enum tsr_am_wait wait = tsr_gex_am_wait(wanted->flags);
  /* While this call waits, a handler may run and use the thread's other source. */
  tessera_status_t status = token ? tsr_am_prepare_reply(&source->room, token, &room_wanted, wait, local.op)
                                  : tsr_am_prepare_request(&source->room, unit, &room_wanted, wait, local.op);
  if (!tsr_gex_am_sent(call, status)) {
    if (local.out) tsr_gex_am_local_done(&local, false);
    return GEX_AM_SRCDESC_NO_OP;
  }
  source->local = local;
  source->prepare = call;
  source->dest_addr = wanted->dest_addr;
  source->flags = wanted->flags;
  source->which = wanted->which;
  source->is_open = true;
  tsr_gex_thread.prepared = call;
  return source;
}

static gex_AM_SrcDesc_t prepare_request(gex_TM_t tm, gex_Rank_t rank, struct wanted *wanted) {
  tsr_gex_check_context(wanted->call);
  return prepare_message(wanted, NULL, tsr_gex_unit(wanted->call, tm, rank));
}

static gex_AM_SrcDesc_t prepare_reply(gex_Token_t to, struct wanted *wanted) {
  tsr_am_token *token = tsr_gex_am_answerable(wanted->call, to);
  return prepare_message(wanted, token, token->source);
}

gex_AM_SrcDesc_t gex_AM_PrepareRequestMedium(gex_TM_t tm, gex_Rank_t rank, const void *client_buf, size_t least_payload,
                                             size_t most_payload, gex_Event_t *lc_opt, gex_Flags_t flags,
                                             unsigned int numargs) {
  return prepare_request(tm, rank, &(struct wanted){__func__, GEXI_REQUEST_MEDIUM, client_buf, NULL, least_payload,
                                                    most_payload, lc_opt, flags, numargs});
}

gex_AM_SrcDesc_t gex_AM_PrepareReplyMedium(gex_Token_t token, const void *client_buf, size_t least_payload,
                                           size_t most_payload, gex_Event_t *lc_opt, gex_Flags_t flags,
                                           unsigned int numargs) {
  return prepare_reply(token, &(struct wanted){__func__, GEXI_REPLY_MEDIUM, client_buf, NULL, least_payload, most_payload,
                                               lc_opt, flags, numargs});
}

gex_AM_SrcDesc_t gex_AM_PrepareRequestLong(gex_TM_t tm, gex_Rank_t rank, const void *client_buf, size_t least_payload,
                                           size_t most_payload, void *dest_addr, gex_Event_t *lc_opt, gex_Flags_t flags,
                                           unsigned int numargs) {
  return prepare_request(tm, rank, &(struct wanted){__func__, GEXI_REQUEST_LONG, client_buf, dest_addr, least_payload,
                                                    most_payload, lc_opt, flags, numargs});
}

gex_AM_SrcDesc_t gex_AM_PrepareReplyLong(gex_Token_t token, const void *client_buf, size_t least_payload, size_t most_payload,
                                         void *dest_addr, gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs) {
  return prepare_reply(token, &(struct wanted){__func__, GEXI_REPLY_LONG, client_buf, dest_addr, least_payload, most_payload,
                                               lc_opt, flags, numargs});
}

/* ---- Between Prepare and Commit ---- */

/* Ends the job unless the source belongs to the calling thread and is open. */
static void check_source(const char *call, const struct gexi_source *sd) {
  if (__builtin_expect((sd != &request_source && sd != &reply_source) || !sd->is_open, 0))
    tsr_gex_die("TSR-4042 %s: this thread has not prepared a message, or has committed or cancelled it; prepare each message once, "
                "and commit or cancel it once",
                call);
}

void *gex_AM_SrcDescAddr(gex_AM_SrcDesc_t sd) {
  check_source(__func__, sd);
  return sd->room.data;
}

size_t gex_AM_SrcDescSize(gex_AM_SrcDesc_t sd) {
  check_source(__func__, sd);
  return sd->room.bytes;
}

/* ---- Commit and Cancel ---- */

static void check_which(const char *call, const struct gexi_source *sd, enum gexi_commit which) {
  check_source(call, sd);
  if (sd->which != which)
    tsr_gex_die("TSR-4043 %s: the message was prepared by %s; call the function of the same kind", call, sd->prepare);
}

static void close_source(struct gexi_source *source, bool sent) {
  source->is_open = false;
  if (source->local.out) tsr_gex_am_local_done(&source->local, sent);
}

int gexi_commit(enum gexi_commit which, gex_AM_SrcDesc_t sd, gex_AM_Index_t handler, size_t nbytes, void *dest_addr,
                gex_Flags_t commit_flags, unsigned int numargs, const gex_AM_Arg_t *args) {
  static const char *const calls[] = {"gex_AM_CommitRequestMedium", "gex_AM_CommitReplyMedium", "gex_AM_CommitRequestLong",
                                      "gex_AM_CommitReplyLong"};
  const char *call = calls[which];
  check_which(call, sd, which);
  if (nbytes > sd->room.bytes)
    tsr_gex_die("TSR-4044 %s: %zu bytes; %s got room for %zu, as gex_AM_SrcDescSize says; send no more", call, nbytes,
                sd->prepare, sd->room.bytes);
  if (numargs != sd->room.wanted.args_n)
    tsr_gex_die("TSR-4045 %s: numargs is %u, but %s was called with %d; pass the same number", call, numargs, sd->prepare,
                sd->room.wanted.args_n);
  if (sd->dest_addr && dest_addr != sd->dest_addr && (nbytes || dest_addr))
    tsr_gex_die("TSR-4046 %s: dest_addr is %p, but %s was called with %p; pass the same address", call, dest_addr, sd->prepare,
                sd->dest_addr);
  struct tsr_am_message message = tsr_gex_am_message(kind_of(which), handler, sd->room.data, nbytes, numargs, args);
  tsr_unit to = sd->room.to;
  if (message.kind == TSR_AM_LONG) {
    const void *dest = tsr_gex_theirs(call, to, dest_addr, nbytes, sd->flags);
    if (!tsr_gex_am_aim(call, to, dest, commit_flags, &message)) return 1;
  }
  tsr_gex_thread.prepared = NULL; /* handlers may run in the commit */
  if (!tsr_gex_am_sent(call, tsr_am_commit(&sd->room, &message, tsr_gex_am_wait(commit_flags)))) {
    tsr_gex_thread.prepared = sd->prepare;
    return 1;
  }
  close_source(sd, true);
  if (sd == &request_source) tsr_gex_am_to_self(to);
  return 0;
}

static int cancel_message(const char *call, enum gexi_commit which, gex_AM_SrcDesc_t sd) {
  check_which(call, sd, which);
  tsr_am_cancel(&sd->room);
  tsr_gex_thread.prepared = NULL;
  close_source(sd, false);
  return 0;
}

int gex_AM_CancelRequestMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags) {
  (void)flags;
  return cancel_message(__func__, GEXI_REQUEST_MEDIUM, sd);
}

int gex_AM_CancelReplyMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags) {
  (void)flags;
  return cancel_message(__func__, GEXI_REPLY_MEDIUM, sd);
}

int gex_AM_CancelRequestLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags) {
  (void)flags;
  return cancel_message(__func__, GEXI_REQUEST_LONG, sd);
}

int gex_AM_CancelReplyLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags) {
  (void)flags;
  return cancel_message(__func__, GEXI_REPLY_LONG, sd);
}
