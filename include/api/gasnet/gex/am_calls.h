/* GASNet-EX: the calls that send active messages, one for each number of arguments. Part of gex/am.h.
 *
 *   gex_AM_{Request,Reply}Short[N](whom, handler, flags, arguments...)
 *   gex_AM_{Request,Reply}Medium[N](whom, handler, source_addr, nbytes, lc_opt, flags, arguments...)
 *   gex_AM_{Request,Reply}Long[N](whom, handler, source_addr, nbytes, dest_addr, lc_opt, flags, arguments...)
 *   gex_AM_Commit{Request,Reply}Medium[N](sd, handler, nbytes, arguments...)
 *   gex_AM_Commit{Request,Reply}Medium[N]_v2(sd, handler, nbytes, commit_flags, arguments...)
 *   gex_AM_Commit{Request,Reply}Long[N](sd, handler, nbytes, dest_addr, arguments...)
 *   gex_AM_Commit{Request,Reply}Long[N]_v2(sd, handler, nbytes, dest_addr, commit_flags, arguments...)
 *
 * `whom` is (tm, rank) of the target for a request, and the token for a reply. N is 0 to 16; without N the arguments
 * are counted. Arguments convert to gex_AM_Arg_t as in any call. All return 0. With GEX_FLAG_IMMEDIATE they return
 * another value if there was no room, and then had no effect; there never is room for a long message whose data goes
 * to a segment of the program's own memory (gex_Segment_Create). Commits without _v2 return nothing. What was
 * prepared stays valid until a commit has returned 0. */
#ifndef TSR_GASNET_GEX_AM_CALLS_H
#define TSR_GASNET_GEX_AM_CALLS_H

#include <gex/am.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parameter lists of functions with N arguments, and the values for their arrays. */
#define GEXI_PARAMETERS_0
#define GEXI_PARAMETERS_1 , gex_AM_Arg_t a1
#define GEXI_PARAMETERS_2 GEXI_PARAMETERS_1, gex_AM_Arg_t a2
#define GEXI_PARAMETERS_3 GEXI_PARAMETERS_2, gex_AM_Arg_t a3
#define GEXI_PARAMETERS_4 GEXI_PARAMETERS_3, gex_AM_Arg_t a4
#define GEXI_PARAMETERS_5 GEXI_PARAMETERS_4, gex_AM_Arg_t a5
#define GEXI_PARAMETERS_6 GEXI_PARAMETERS_5, gex_AM_Arg_t a6
#define GEXI_PARAMETERS_7 GEXI_PARAMETERS_6, gex_AM_Arg_t a7
#define GEXI_PARAMETERS_8 GEXI_PARAMETERS_7, gex_AM_Arg_t a8
#define GEXI_PARAMETERS_9 GEXI_PARAMETERS_8, gex_AM_Arg_t a9
#define GEXI_PARAMETERS_10 GEXI_PARAMETERS_9, gex_AM_Arg_t a10
#define GEXI_PARAMETERS_11 GEXI_PARAMETERS_10, gex_AM_Arg_t a11
#define GEXI_PARAMETERS_12 GEXI_PARAMETERS_11, gex_AM_Arg_t a12
#define GEXI_PARAMETERS_13 GEXI_PARAMETERS_12, gex_AM_Arg_t a13
#define GEXI_PARAMETERS_14 GEXI_PARAMETERS_13, gex_AM_Arg_t a14
#define GEXI_PARAMETERS_15 GEXI_PARAMETERS_14, gex_AM_Arg_t a15
#define GEXI_PARAMETERS_16 GEXI_PARAMETERS_15, gex_AM_Arg_t a16

#define GEXI_VALUES_0 0 /* not read: arrays have at least one element */
#define GEXI_VALUES_1 a1
#define GEXI_VALUES_2 GEXI_VALUES_1, a2
#define GEXI_VALUES_3 GEXI_VALUES_2, a3
#define GEXI_VALUES_4 GEXI_VALUES_3, a4
#define GEXI_VALUES_5 GEXI_VALUES_4, a5
#define GEXI_VALUES_6 GEXI_VALUES_5, a6
#define GEXI_VALUES_7 GEXI_VALUES_6, a7
#define GEXI_VALUES_8 GEXI_VALUES_7, a8
#define GEXI_VALUES_9 GEXI_VALUES_8, a9
#define GEXI_VALUES_10 GEXI_VALUES_9, a10
#define GEXI_VALUES_11 GEXI_VALUES_10, a11
#define GEXI_VALUES_12 GEXI_VALUES_11, a12
#define GEXI_VALUES_13 GEXI_VALUES_12, a13
#define GEXI_VALUES_14 GEXI_VALUES_13, a14
#define GEXI_VALUES_15 GEXI_VALUES_14, a15
#define GEXI_VALUES_16 GEXI_VALUES_15, a16

#define GEXI_ARRAY(N) const gex_AM_Arg_t args[] = {GEXI_VALUES_##N}

/* ---- One function for each number of arguments ---- */

#define GEXI_CALLS(N)                                                                                                   \
  /* Sends a request without data. */                                                                                   \
  static inline int gex_AM_RequestShort##N(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler,                        \
                                           gex_Flags_t flags GEXI_PARAMETERS_##N) {                                     \
    GEXI_ARRAY(N);                                                                                                      \
    return gexi_request_short(tm, rank, handler, flags, N, args);                                                       \
  }                                                                                                                     \
  /* Sends a request with `nbytes` bytes of data, which the handler gets in memory of the library. */                   \
  static inline int gex_AM_RequestMedium##N(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler,                       \
                                            const void *source_addr, size_t nbytes, gex_Event_t *lc_opt,                \
                                            gex_Flags_t flags GEXI_PARAMETERS_##N) {                                    \
    GEXI_ARRAY(N);                                                                                                      \
    return gexi_request_medium(tm, rank, handler, source_addr, nbytes, lc_opt, flags, N, args);                         \
  }                                                                                                                     \
  /* Sends a request with `nbytes` bytes of data, which are put to dest_addr of the peer before the handler runs. */    \
  static inline int gex_AM_RequestLong##N(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler,                         \
                                          const void *source_addr, size_t nbytes, void *dest_addr,                      \
                                          gex_Event_t *lc_opt, gex_Flags_t flags GEXI_PARAMETERS_##N) {                 \
    GEXI_ARRAY(N);                                                                                                      \
    return gexi_request_long(tm, rank, handler, source_addr, nbytes, dest_addr, lc_opt, flags, N, args);                \
  }                                                                                                                     \
  /* Replies to a request, in its handler, without data. */                                                             \
  static inline int gex_AM_ReplyShort##N(gex_Token_t token, gex_AM_Index_t handler,                                     \
                                         gex_Flags_t flags GEXI_PARAMETERS_##N) {                                       \
    GEXI_ARRAY(N);                                                                                                      \
    return gexi_reply_short(token, handler, flags, N, args);                                                            \
  }                                                                                                                     \
  /* Replies to a request, in its handler, with `nbytes` bytes of data, which the handler of the reply gets in memory   \
   * of the library. */                                                                                                 \
  static inline int gex_AM_ReplyMedium##N(gex_Token_t token, gex_AM_Index_t handler, const void *source_addr,           \
                                          size_t nbytes, gex_Event_t *lc_opt, gex_Flags_t flags GEXI_PARAMETERS_##N) {  \
    GEXI_ARRAY(N);                                                                                                      \
    return gexi_reply_medium(token, handler, source_addr, nbytes, lc_opt, flags, N, args);                              \
  }                                                                                                                     \
  /* Replies to a request, in its handler, with `nbytes` bytes of data, which are put to dest_addr of the peer before   \
   * the handler of the reply runs. */                                                                                  \
  static inline int gex_AM_ReplyLong##N(gex_Token_t token, gex_AM_Index_t handler, const void *source_addr,             \
                                        size_t nbytes, void *dest_addr, gex_Event_t *lc_opt,                            \
                                        gex_Flags_t flags GEXI_PARAMETERS_##N) {                                        \
    GEXI_ARRAY(N);                                                                                                      \
    return gexi_reply_long(token, handler, source_addr, nbytes, dest_addr, lc_opt, flags, N, args);                     \
  }                                                                                                                     \
  GEXI_COMMIT_MEDIUM(N, Request, GEXI_REQUEST_MEDIUM)                                                                   \
  GEXI_COMMIT_MEDIUM(N, Reply, GEXI_REPLY_MEDIUM)                                                                       \
  GEXI_COMMIT_LONG(N, Request, GEXI_REQUEST_LONG)                                                                       \
  GEXI_COMMIT_LONG(N, Reply, GEXI_REPLY_LONG)

#define GEXI_COMMIT_MEDIUM(N, Direction, which)                                                                         \
  /* Sends a message that was prepared: the program has written its data. */                                            \
  static inline int gex_AM_Commit##Direction##Medium##N##_v2(gex_AM_SrcDesc_t sd, gex_AM_Index_t handler,               \
                                                             size_t nbytes,                                             \
                                                             gex_Flags_t commit_flags GEXI_PARAMETERS_##N) {            \
    GEXI_ARRAY(N);                                                                                                      \
    return gexi_commit(which, sd, handler, nbytes, NULL, commit_flags, N, args);                                        \
  }                                                                                                                     \
  /* Sends a message that was prepared: the program has written its data. */                                            \
  static inline void gex_AM_Commit##Direction##Medium##N(gex_AM_SrcDesc_t sd, gex_AM_Index_t handler,                   \
                                                         size_t nbytes GEXI_PARAMETERS_##N) {                           \
    GEXI_ARRAY(N);                                                                                                      \
    (void)gexi_commit(which, sd, handler, nbytes, NULL, 0, N, args);                                                    \
  }
#define GEXI_COMMIT_LONG(N, Direction, which)                                                                           \
  /* Sends a message that was prepared: the program has written its data. It is put to dest_addr of the peer. */        \
  static inline int gex_AM_Commit##Direction##Long##N##_v2(gex_AM_SrcDesc_t sd, gex_AM_Index_t handler, size_t nbytes,  \
                                                           void *dest_addr,                                             \
                                                           gex_Flags_t commit_flags GEXI_PARAMETERS_##N) {              \
    GEXI_ARRAY(N);                                                                                                      \
    return gexi_commit(which, sd, handler, nbytes, dest_addr, commit_flags, N, args);                                   \
  }                                                                                                                     \
  /* Sends a message that was prepared: the program has written its data. It is put to dest_addr of the peer. */        \
  static inline void gex_AM_Commit##Direction##Long##N(gex_AM_SrcDesc_t sd, gex_AM_Index_t handler, size_t nbytes,      \
                                                       void *dest_addr GEXI_PARAMETERS_##N) {                           \
    GEXI_ARRAY(N);                                                                                                      \
    (void)gexi_commit(which, sd, handler, nbytes, dest_addr, 0, N, args);                                               \
  }

GEXI_CALLS(0)
GEXI_CALLS(1)
GEXI_CALLS(2)
GEXI_CALLS(3)
GEXI_CALLS(4)
GEXI_CALLS(5)
GEXI_CALLS(6)
GEXI_CALLS(7)
GEXI_CALLS(8)
GEXI_CALLS(9)
GEXI_CALLS(10)
GEXI_CALLS(11)
GEXI_CALLS(12)
GEXI_CALLS(13)
GEXI_CALLS(14)
GEXI_CALLS(15)
GEXI_CALLS(16)

/* ---- Without N: the arguments after the fixed ones are counted ---- */

/* Selects the token after the first 24. Applied to an argument list followed by the numbers from 24 down, without the
 * number of fixed arguments, it gives the number of arguments that follow the fixed ones. */
#define GEXI_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, picked, ...) picked
#define GEXI_AFTER_3(...)                                                                                               \
  GEXI_PICK(__VA_ARGS__, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, none, none, none)
#define GEXI_AFTER_4(...)                                                                                               \
  GEXI_PICK(__VA_ARGS__, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, none, none, none, none)
#define GEXI_AFTER_5(...)                                                                                               \
  GEXI_PICK(__VA_ARGS__, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, none, none, none, none,  \
            none)
#define GEXI_AFTER_6(...)                                                                                               \
  GEXI_PICK(__VA_ARGS__, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, none, none, none, none,      \
            none, none)
#define GEXI_AFTER_7(...)                                                                                               \
  GEXI_PICK(__VA_ARGS__, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, none, none, none, none, none,    \
            none, none)
#define GEXI_AFTER_8(...)                                                                                               \
  GEXI_PICK(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, none, none, none, none, none, none,  \
            none, none)

#define GEXI_JOIN(name, number, end) GEXI_JOIN_(name, number, end)
#define GEXI_JOIN_(name, number, end) name##number##end

#define gex_AM_RequestShort(...) GEXI_JOIN(gex_AM_RequestShort, GEXI_AFTER_4(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_RequestMedium(...) GEXI_JOIN(gex_AM_RequestMedium, GEXI_AFTER_7(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_RequestLong(...) GEXI_JOIN(gex_AM_RequestLong, GEXI_AFTER_8(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_ReplyShort(...) GEXI_JOIN(gex_AM_ReplyShort, GEXI_AFTER_3(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_ReplyMedium(...) GEXI_JOIN(gex_AM_ReplyMedium, GEXI_AFTER_6(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_ReplyLong(...) GEXI_JOIN(gex_AM_ReplyLong, GEXI_AFTER_7(__VA_ARGS__), )(__VA_ARGS__)

#define gex_AM_CommitRequestMedium(...) GEXI_JOIN(gex_AM_CommitRequestMedium, GEXI_AFTER_3(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_CommitReplyMedium(...) GEXI_JOIN(gex_AM_CommitReplyMedium, GEXI_AFTER_3(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_CommitRequestLong(...) GEXI_JOIN(gex_AM_CommitRequestLong, GEXI_AFTER_4(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_CommitReplyLong(...) GEXI_JOIN(gex_AM_CommitReplyLong, GEXI_AFTER_4(__VA_ARGS__), )(__VA_ARGS__)

#define gex_AM_CommitRequestMedium_v2(...) \
  GEXI_JOIN(gex_AM_CommitRequestMedium, GEXI_AFTER_4(__VA_ARGS__), _v2)(__VA_ARGS__)
#define gex_AM_CommitReplyMedium_v2(...) \
  GEXI_JOIN(gex_AM_CommitReplyMedium, GEXI_AFTER_4(__VA_ARGS__), _v2)(__VA_ARGS__)
#define gex_AM_CommitRequestLong_v2(...) GEXI_JOIN(gex_AM_CommitRequestLong, GEXI_AFTER_5(__VA_ARGS__), _v2)(__VA_ARGS__)
#define gex_AM_CommitReplyLong_v2(...) GEXI_JOIN(gex_AM_CommitReplyLong, GEXI_AFTER_5(__VA_ARGS__), _v2)(__VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif
