/* Queries of tokens and of the maximal length of messages, which is the same for all peers and numbers of arguments. */
#include "api/gasnet/am.h"
#include "api/gasnet/gasnet_api.h"

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

size_t tsr_gex_am_most(enum tsr_am_kind kind) { return kind == TSR_AM_LONG ? TSR_AM_LONG_BYTES : TSR_AM_MEDIUM_BYTES; }

static size_t max_bytes(const char *call, enum tsr_am_kind kind, gex_Flags_t flags, unsigned int numargs) {
  if (numargs > TSR_AM_ARGS_MAX)
    tsr_gex_die("TSR-4034 %s: %u arguments; messages have %d at most", call, numargs, TSR_AM_ARGS_MAX);
  bool client = flags & GEX_FLAG_AM_PREPARE_LEAST_CLIENT, alloc = flags & GEX_FLAG_AM_PREPARE_LEAST_ALLOC;
  if (client && alloc) tsr_gex_die("TSR-4035 %s: flags have GEX_FLAG_AM_PREPARE_LEAST_CLIENT and _ALLOC; pass one at most",
                                   call);
  return client || alloc ? tsr_am_room_bytes(kind, client) : tsr_gex_am_most(kind);
}

static size_t most_to(const char *call, gex_TM_t tm, gex_Rank_t rank, enum tsr_am_kind kind, gex_Flags_t flags,
                      unsigned int numargs) {
  tsr_gex_check_up(call);
  if (rank != GEX_RANK_INVALID) tsr_gex_unit(call, tm, rank);
  return max_bytes(call, kind, flags, numargs);
}

#define MAX_TO(name, kind)                                                                                    \
  size_t gex_AM_Max##name(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt, gex_Flags_t flags,   \
                          unsigned int numargs) {                                                             \
    (void)lc_opt;                                                                                             \
    return most_to(__func__, tm, other_rank, kind, flags, numargs);                                           \
  }                                                                                                           \
  size_t gex_AM_LUB##name(void) { return tsr_gex_am_most(kind); }

MAX_TO(RequestMedium, TSR_AM_MEDIUM)
MAX_TO(ReplyMedium, TSR_AM_MEDIUM)
MAX_TO(RequestLong, TSR_AM_LONG)
MAX_TO(ReplyLong, TSR_AM_LONG)

static size_t most_reply(const char *call, gex_Token_t token, enum tsr_am_kind kind, gex_Flags_t flags,
                         unsigned int numargs) {
  const tsr_am_token *message = (const tsr_am_token *)token;
  if (!message || !message->is_request)
    tsr_gex_die("TSR-4036 %s: the token is not that of a request; pass that of the request whose handler runs", call);
  return max_bytes(call, kind, flags, numargs);
}

size_t gex_Token_MaxReplyMedium(gex_Token_t token, const gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs) {
  (void)lc_opt;
  return most_reply(__func__, token, TSR_AM_MEDIUM, flags, numargs);
}

size_t gex_Token_MaxReplyLong(gex_Token_t token, const gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs) {
  (void)lc_opt;
  return most_reply(__func__, token, TSR_AM_LONG, flags, numargs);
}
