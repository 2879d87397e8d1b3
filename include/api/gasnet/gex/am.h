/* GASNet-EX: active messages. Part of gasnetex.h.
 *
 * When a call returns, everything it sends may be reused, except data for which `lc_opt` says otherwise. Handlers run
 * in threads that are inside the library: when they poll, wait, or send. A handler may send only its reply, and must
 * not wait.
 *
 * A handler that is not registered, a length above the limit, or an address outside the target's segment ends the job
 * with a message. TESSERA_CHECK=1 also detects wrong numbers of arguments, handlers of another kind, and calls where
 * none are allowed. */
#ifndef TSR_GASNET_GEX_AM_H
#define TSR_GASNET_GEX_AM_H

#include <gex/client.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Handlers ---- */

typedef uint8_t gex_AM_Index_t;
typedef int32_t gex_AM_Arg_t;
typedef struct gexi_token *gex_Token_t; /* the message of a handler, valid until the handler returns */

/* The type of any handler: void (gex_Token_t, gex_AM_Arg_t...) for short messages, void (gex_Token_t, void *, size_t,
 * gex_AM_Arg_t...) for others. In C such functions convert to this type implicitly; since C23 () means no arguments,
 * so the type is a different one then. */
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

#define GEX_AM_INDEX_BASE 128 /* the smallest index of a program's handlers; the largest is 255 */

typedef struct {
  gex_AM_Index_t gex_index; /* 0: the call chooses an index and stores it here */
  gex_AM_Fn_t gex_fnptr;
  gex_Flags_t gex_flags;    /* one GEX_FLAG_AM_ of SHORT, MEDIUM, LONG, MEDLONG, and one of REQUEST, REPLY, REQREP */
  unsigned int gex_nargs;
  const void *gex_cdata;    /* private to the program */
  const char *gex_name;     /* for messages, or NULL; the string stays the program's */
} gex_AM_Entry_t;

/* Adds handlers to those of the endpoint. It may be called any number of times, but once per index. Handlers without
 * an index get the largest free ones, in the order of the table. Not collective: no process may send to a handler
 * before it is registered. GASNET_ERR_BAD_ARG: an invalid index, function or number of arguments;
 * GASNET_ERR_RESOURCE: no index is left. On an error nothing is added. */
int gex_EP_RegisterHandlers(gex_EP_t ep, gex_AM_Entry_t *table, size_t numentries);

/* ---- Queries about the message of a handler ---- */

typedef struct {
  gex_Rank_t gex_srcrank; /* in the job */
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

/* Fills in all members of `info`, and returns GEX_TI_ALL. */
gex_TI_t gex_Token_Info(gex_Token_t token, gex_Token_Info_t *info, gex_TI_t mask);

/* ---- Limits; the same between all processes, for the life of the job ---- */

/* Returns the largest number of arguments. */
static inline unsigned int gex_AM_MaxArgs(void) { return 16; }

/* Return the largest length of a message in bytes; with GEX_FLAG_AM_PREPARE_LEAST_CLIENT or _ALLOC the largest
 * least_payload of a Prepare call. `other_rank` may be GEX_RANK_INVALID, for any peer. */
size_t gex_AM_MaxRequestMedium(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                        unsigned int numargs);
size_t gex_AM_MaxReplyMedium(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                      unsigned int numargs);
size_t gex_AM_MaxRequestLong(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                      unsigned int numargs);
size_t gex_AM_MaxReplyLong(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                    unsigned int numargs);
/* As gex_AM_MaxReplyMedium and gex_AM_MaxReplyLong, for the reply to a request, in its handler. */
size_t gex_Token_MaxReplyMedium(gex_Token_t token, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                         unsigned int numargs);
size_t gex_Token_MaxReplyLong(gex_Token_t token, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                       unsigned int numargs);
/* Return a lower bound of the largest lengths of messages, without the two flags. Any time, also before gex_Client_Init. */
size_t gex_AM_LUBRequestMedium(void);
size_t gex_AM_LUBReplyMedium(void);
size_t gex_AM_LUBRequestLong(void);
size_t gex_AM_LUBReplyLong(void);

/* ---- Negotiated payload: allocate the room, write the data, send the message ---- */

typedef struct gexi_source *gex_AM_SrcDesc_t; /* owned by the thread that prepared it, until it is committed or
                                               * cancelled */
#define GEX_AM_SRCDESC_NO_OP ((gex_AM_SrcDesc_t)0)

/* Prepare a message with between `least_payload` and `most_payload` bytes of data. If `client_buf` is not NULL the
 * data is there; otherwise the program writes the data to the address that gex_AM_SrcDescAddr returns, aligned for
 * any type, and `lc_opt` is NULL. gex_AM_SrcDescSize returns how many bytes there is room for. `dest_addr`, unless NULL,
 * is the address that the commit will name, too. With GEX_FLAG_IMMEDIATE the result may be GEX_AM_SRCDESC_NO_OP: try
 * again later. Between Prepare and Commit or Cancel the thread has the restrictions of a handler. */
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

/* Give back the room, and the right to reply. They always return 0. */
int gex_AM_CancelRequestMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelReplyMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelRequestLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelReplyLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags);

/* ---- The library's functions for the calls in am_calls.h; programs do not call them ---- */

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

/* The Prepare call that a Commit belongs to. */
enum gexi_commit { GEXI_REQUEST_MEDIUM, GEXI_REPLY_MEDIUM, GEXI_REQUEST_LONG, GEXI_REPLY_LONG };
int gexi_commit(enum gexi_commit which, gex_AM_SrcDesc_t sd, gex_AM_Index_t handler, size_t nbytes,
                         void *dest_addr, gex_Flags_t commit_flags, unsigned int numargs, const gex_AM_Arg_t *args);

#ifdef __cplusplus
}
#endif

#include <gex/am_calls.h>

#endif
