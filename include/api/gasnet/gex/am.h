/* GASNet-EX: active messages. Part of gasnetex.h.
 *
 * Whatever a call sends is consumed when it returns, but for data whose `lc_opt` says otherwise. Handlers run in threads that
 * are inside the library: when they poll, wait, or send. From a handler only its reply may be sent, and nothing waited for.
 *
 * A handler that is not registered, a length beyond the limit, or a place outside the target's segment ends the job with a
 * message; TESSERA_CHECK=1 also finds wrong numbers of arguments, handlers of another kind, and calls from where none may be.
 */
#ifndef TSR_GASNET_GEX_AM_H
#define TSR_GASNET_GEX_AM_H

#include <gex/client.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Handlers ---- */

typedef uint8_t gex_AM_Index_t;
typedef int32_t gex_AM_Arg_t;
typedef struct gexi_token *gex_Token_t; /* the message that a handler runs for, until it returns */

/* Any handler: void (gex_Token_t, gex_AM_Arg_t...) of short messages, void (gex_Token_t, void *, size_t, gex_AM_Arg_t...) of
 * others. In C such functions convert to this type by themselves; since C23 () means no arguments, so that it is another. */
#if defined(__cplusplus) && !defined(GASNET_USE_STRICT_PROTOTYPES)
typedef void (*gex_AM_Fn_t)();
#elif defined(GASNET_USE_STRICT_PROTOTYPES) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
typedef void *gex_AM_Fn_t;
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
typedef void (*gex_AM_Fn_t)();
#pragma GCC diagnostic pop
#endif

#define GEX_AM_INDEX_BASE 128 /* the least index of a program's handlers; the greatest is 255 */

typedef struct {
  gex_AM_Index_t gex_index; /* 0: the call chooses one and stores it here */
  gex_AM_Fn_t gex_fnptr;
  gex_Flags_t gex_flags;    /* one GEX_FLAG_AM_ of SHORT, MEDIUM, LONG, MEDLONG, and one of REQUEST, REPLY, REQREP */
  unsigned int gex_nargs;
  const void *gex_cdata;    /* the program's own; */
  const char *gex_name;     /* for messages, or NULL: stays the program's */
} gex_AM_Entry_t;

/* Adds handlers to the endpoint's; as often as wanted, each index once. Those without an index get the greatest free ones, in
 * the order of the table. Not collective: nobody may send to a handler before it is there. GASNET_ERR_BAD_ARG: an index, a
 * function or a number of arguments is none; GASNET_ERR_RESOURCE: no index is left. Then nothing is added. */
int gex_EP_RegisterHandlers(gex_EP_t ep, gex_AM_Entry_t *table, size_t numentries);

/* ---- What a handler may ask of its message ---- */

typedef struct {
  gex_Rank_t gex_srcrank; /* of the job */
  gex_EP_t gex_ep;
  const gex_AM_Entry_t *gex_entry;
  uint8_t gex_is_req, gex_is_long;
} gex_Token_Info_t;

typedef uint32_t gex_TI_t;
#define GEX_TI_SRCRANK (1u << 0)
#define GEX_TI_EP (1u << 1)
#define GEX_TI_ENTRY (1u << 2)
#define GEX_TI_IS_REQ (1u << 3)
#define GEX_TI_IS_LONG (1u << 4)
#define GEX_TI_ALL ((1u << 5) - 1)

/* Fills in all of `info`, and says so. */
gex_TI_t gex_Token_Info(gex_Token_t token, gex_Token_Info_t *info, gex_TI_t mask);

/* ---- Limits: the same between all, for the life of the job ---- */

static inline unsigned int gex_AM_MaxArgs(void) { return 16; }

/* Most bytes of a message; with GEX_FLAG_AM_PREPARE_LEAST_CLIENT or _ALLOC the most that a Prepare call may ask for at least.
 * `other_rank` may be GEX_RANK_INVALID: of any peer. */
size_t gex_AM_MaxRequestMedium(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                        unsigned int numargs);
size_t gex_AM_MaxReplyMedium(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                      unsigned int numargs);
size_t gex_AM_MaxRequestLong(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                      unsigned int numargs);
size_t gex_AM_MaxReplyLong(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                    unsigned int numargs);
/* The same for the reply to a request, from its handler. */
size_t gex_Token_MaxReplyMedium(gex_Token_t token, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                         unsigned int numargs);
size_t gex_Token_MaxReplyLong(gex_Token_t token, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                       unsigned int numargs);
/* What all of the above are at least, without the two flags. Any time, also before gex_Client_Init. */
size_t gex_AM_LUBRequestMedium(void);
size_t gex_AM_LUBReplyMedium(void);
size_t gex_AM_LUBRequestLong(void);
size_t gex_AM_LUBReplyLong(void);

/* ---- Negotiated payload: room first, then the data, then the message ---- */

typedef struct gexi_source *gex_AM_SrcDesc_t; /* of the thread that has prepared it, until it is committed or cancelled */
#define GEX_AM_SRCDESC_NO_OP ((gex_AM_SrcDesc_t)0)

/* Prepares a message with between `least_payload` and `most_payload` bytes of data that lie at `client_buf`, or, when that is
 * NULL, that will be written where gex_AM_SrcDescAddr says, for any type; then `lc_opt` is NULL. `dest_addr`, unless NULL, is
 * what the commit names too. With GEX_FLAG_IMMEDIATE the answer may be GEX_AM_SRCDESC_NO_OP: come back later. Between Prepare
 * and Commit or Cancel the thread is restricted as in a handler. */
gex_AM_SrcDesc_t gex_AM_PrepareRequestMedium(gex_TM_t tm, gex_Rank_t rank, const void *client_buf,
                                                      size_t least_payload, size_t most_payload, gex_Event_t *lc_opt,
                                                      gex_Flags_t flags, unsigned int numargs);
gex_AM_SrcDesc_t gex_AM_PrepareReplyMedium(gex_Token_t token, const void *client_buf, size_t least_payload,
                                                    size_t most_payload, gex_Event_t *lc_opt, gex_Flags_t flags,
                                                    unsigned int numargs);
gex_AM_SrcDesc_t gex_AM_PrepareRequestLong(gex_TM_t tm, gex_Rank_t rank, const void *client_buf,
                                                    size_t least_payload, size_t most_payload, void *dest_addr,
                                                    gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs);
gex_AM_SrcDesc_t gex_AM_PrepareReplyLong(gex_Token_t token, const void *client_buf, size_t least_payload,
                                                  size_t most_payload, void *dest_addr, gex_Event_t *lc_opt,
                                                  gex_Flags_t flags, unsigned int numargs);
void *gex_AM_SrcDescAddr(gex_AM_SrcDesc_t sd);
size_t gex_AM_SrcDescSize(gex_AM_SrcDesc_t sd);

/* Gives the room back, and the right to reply. Always 0. */
int gex_AM_CancelRequestMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelReplyMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelRequestLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelReplyLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags);

/* ---- The library's side of the calls in am_calls.h: only these refer to it ---- */

int gexi_request_short(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, gex_Flags_t flags,
                                unsigned int numargs, const gex_AM_Arg_t *args);
int gexi_request_medium(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, const void *source_addr,
                                 size_t nbytes, gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs,
                                 const gex_AM_Arg_t *args);
int gexi_request_long(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, const void *source_addr,
                               size_t nbytes, void *dest_addr, gex_Event_t *lc_opt, gex_Flags_t flags,
                               unsigned int numargs, const gex_AM_Arg_t *args);
int gexi_reply_short(gex_Token_t token, gex_AM_Index_t handler, gex_Flags_t flags, unsigned int numargs,
                              const gex_AM_Arg_t *args);
int gexi_reply_medium(gex_Token_t token, gex_AM_Index_t handler, const void *source_addr, size_t nbytes,
                               gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs, const gex_AM_Arg_t *args);
int gexi_reply_long(gex_Token_t token, gex_AM_Index_t handler, const void *source_addr, size_t nbytes,
                             void *dest_addr, gex_Event_t *lc_opt, gex_Flags_t flags, unsigned int numargs,
                             const gex_AM_Arg_t *args);

/* Which Prepare a Commit belongs to. */
enum gexi_commit { GEXI_REQUEST_MEDIUM, GEXI_REPLY_MEDIUM, GEXI_REQUEST_LONG, GEXI_REPLY_LONG };
int gexi_commit(enum gexi_commit which, gex_AM_SrcDesc_t sd, gex_AM_Index_t handler, size_t nbytes,
                         void *dest_addr, gex_Flags_t commit_flags, unsigned int numargs, const gex_AM_Arg_t *args);

#ifdef __cplusplus
}
#endif

#include <gex/am_calls.h>

#endif
