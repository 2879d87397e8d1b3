/* Messages of GASNet-EX with any number of arguments from 2 to 16: their handlers, which call two functions of the
 * test, and their calls, as one function with the number as a parameter. */
#ifndef GASNET_RANDOM_H
#define GASNET_RANDOM_H

#include <stddef.h>
#include <stdint.h>

enum kind { SHORT, MEDIUM, LONG };

/* A request, or with a token a reply. */
struct message {
  gex_Token_t token;
  gex_TM_t tm;
  gex_Rank_t rank;
  enum kind kind;
  int args_n;
  gex_AM_Arg_t args[16];
  void *data, *there;
  size_t bytes;
};

void on_request(gex_Token_t token, void *data, size_t bytes, const gex_AM_Arg_t *args, int args_n);
void on_reply(gex_Token_t token, void *data, size_t bytes, const gex_AM_Arg_t *args, int args_n);

/* Pseudo-random numbers that follow from a seed. */
static inline uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  return x ^ x >> 32;
}
static inline uint64_t word(uint32_t seed, size_t i) { return mix((uint64_t)seed << 32 | (uint32_t)(i + 1)); }

/* ---- Handlers: of short messages and of others, of requests and of replies; the number of arguments is added ---- */

enum { SHORT_REQUEST = 128, DATA_REQUEST = 150, SHORT_REPLY = 170, DATA_REPLY = 190 };

#define FOR_EACH(F) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15) F(16)
#define TYPES_2 gex_AM_Arg_t a0, gex_AM_Arg_t a1
#define TYPES_3 TYPES_2, gex_AM_Arg_t a2
#define TYPES_4 TYPES_3, gex_AM_Arg_t a3
#define TYPES_5 TYPES_4, gex_AM_Arg_t a4
#define TYPES_6 TYPES_5, gex_AM_Arg_t a5
#define TYPES_7 TYPES_6, gex_AM_Arg_t a6
#define TYPES_8 TYPES_7, gex_AM_Arg_t a7
#define TYPES_9 TYPES_8, gex_AM_Arg_t a8
#define TYPES_10 TYPES_9, gex_AM_Arg_t a9
#define TYPES_11 TYPES_10, gex_AM_Arg_t a10
#define TYPES_12 TYPES_11, gex_AM_Arg_t a11
#define TYPES_13 TYPES_12, gex_AM_Arg_t a12
#define TYPES_14 TYPES_13, gex_AM_Arg_t a13
#define TYPES_15 TYPES_14, gex_AM_Arg_t a14
#define TYPES_16 TYPES_15, gex_AM_Arg_t a15
#define NAMES_2 a0, a1
#define NAMES_3 NAMES_2, a2
#define NAMES_4 NAMES_3, a3
#define NAMES_5 NAMES_4, a4
#define NAMES_6 NAMES_5, a5
#define NAMES_7 NAMES_6, a6
#define NAMES_8 NAMES_7, a7
#define NAMES_9 NAMES_8, a8
#define NAMES_10 NAMES_9, a9
#define NAMES_11 NAMES_10, a10
#define NAMES_12 NAMES_11, a11
#define NAMES_13 NAMES_12, a12
#define NAMES_14 NAMES_13, a13
#define NAMES_15 NAMES_14, a14
#define NAMES_16 NAMES_15, a15
#define VALUES_2 a[0], a[1]
#define VALUES_3 VALUES_2, a[2]
#define VALUES_4 VALUES_3, a[3]
#define VALUES_5 VALUES_4, a[4]
#define VALUES_6 VALUES_5, a[5]
#define VALUES_7 VALUES_6, a[6]
#define VALUES_8 VALUES_7, a[7]
#define VALUES_9 VALUES_8, a[8]
#define VALUES_10 VALUES_9, a[9]
#define VALUES_11 VALUES_10, a[10]
#define VALUES_12 VALUES_11, a[11]
#define VALUES_13 VALUES_12, a[12]
#define VALUES_14 VALUES_13, a[13]
#define VALUES_15 VALUES_14, a[14]
#define VALUES_16 VALUES_15, a[15]

#define HANDLERS(n)                                                                              \
  static void short_request_##n(gex_Token_t token, TYPES_##n) {                                  \
    on_request(token, NULL, 0, (const gex_AM_Arg_t[]){NAMES_##n}, n);                            \
  }                                                                                              \
  static void data_request_##n(gex_Token_t token, void *data, size_t bytes, TYPES_##n) {         \
    on_request(token, data, bytes, (const gex_AM_Arg_t[]){NAMES_##n}, n);                        \
  }                                                                                              \
  static void short_reply_##n(gex_Token_t token, TYPES_##n) {                                    \
    on_reply(token, NULL, 0, (const gex_AM_Arg_t[]){NAMES_##n}, n);                              \
  }                                                                                              \
  static void data_reply_##n(gex_Token_t token, void *data, size_t bytes, TYPES_##n) {           \
    on_reply(token, data, bytes, (const gex_AM_Arg_t[]){NAMES_##n}, n);                          \
  }
FOR_EACH(HANDLERS)

#define ENTRIES(n)                                                                                                          \
  {SHORT_REQUEST + n, (gex_AM_Fn_t)short_request_##n, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, n, NULL, "short request"},   \
  {DATA_REQUEST + n, (gex_AM_Fn_t)data_request_##n, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQUEST, n, NULL, "request"},         \
  {SHORT_REPLY + n, (gex_AM_Fn_t)short_reply_##n, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, n, NULL, "short reply"},           \
  {DATA_REPLY + n, (gex_AM_Fn_t)data_reply_##n, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REPLY, n, NULL, "reply"},

static inline size_t make_table(gex_AM_Entry_t *table) {
  const gex_AM_Entry_t entries[] = {FOR_EACH(ENTRIES)};
  memcpy(table, entries, sizeof entries);
  return sizeof entries / sizeof *entries;
}

/* ---- Calls ---- */

static inline gex_AM_Index_t handler_of(const struct message *m) {
  int base = m->token ? (m->kind == SHORT ? SHORT_REPLY : DATA_REPLY) : (m->kind == SHORT ? SHORT_REQUEST : DATA_REQUEST);
  return (gex_AM_Index_t)(base + m->args_n);
}

#define FIXED(n)                                                                                                             \
  static inline int fixed_##n(const struct message *m, gex_AM_Index_t h, gex_Event_t *lc, gex_Flags_t flags) {               \
    const gex_AM_Arg_t *a = m->args;                                                                                         \
    if (m->kind == SHORT)                                                                                                    \
      return m->token ? gex_AM_ReplyShort##n(m->token, h, flags, VALUES_##n)                                                 \
                      : gex_AM_RequestShort##n(m->tm, m->rank, h, flags, VALUES_##n);                                        \
    if (m->kind == MEDIUM)                                                                                                   \
      return m->token ? gex_AM_ReplyMedium##n(m->token, h, m->data, m->bytes, lc, flags, VALUES_##n)                         \
                      : gex_AM_RequestMedium##n(m->tm, m->rank, h, m->data, m->bytes, lc, flags, VALUES_##n);                \
    return m->token ? gex_AM_ReplyLong##n(m->token, h, m->data, m->bytes, m->there, lc, flags, VALUES_##n)                   \
                    : gex_AM_RequestLong##n(m->tm, m->rank, h, m->data, m->bytes, m->there, lc, flags, VALUES_##n);          \
  }
FOR_EACH(FIXED)

#define COMMIT(n)                                                                                                            \
  static inline int commit_##n(gex_AM_SrcDesc_t sd, const struct message *m, gex_AM_Index_t h, gex_Flags_t flags) {          \
    const gex_AM_Arg_t *a = m->args;                                                                                         \
    if (m->kind == MEDIUM)                                                                                                   \
      return m->token ? gex_AM_CommitReplyMedium##n##_v2(sd, h, m->bytes, flags, VALUES_##n)                                 \
                      : gex_AM_CommitRequestMedium##n##_v2(sd, h, m->bytes, flags, VALUES_##n);                              \
    return m->token ? gex_AM_CommitReplyLong##n##_v2(sd, h, m->bytes, m->there, flags, VALUES_##n)                           \
                    : gex_AM_CommitRequestLong##n##_v2(sd, h, m->bytes, m->there, flags, VALUES_##n);                        \
  }
FOR_EACH(COMMIT)

#define CALL_FIXED(n) case n: return fixed_##n(m, handler_of(m), lc, flags);
static inline int call_fixed(const struct message *m, gex_Event_t *lc, gex_Flags_t flags) {
  switch (m->args_n) { FOR_EACH(CALL_FIXED) }
  abort();
}

#define CALL_COMMIT(n) case n: return commit_##n(sd, m, handler_of(m), flags);
static inline int call_commit(gex_AM_SrcDesc_t sd, const struct message *m, gex_Flags_t flags) {
  switch (m->args_n) { FOR_EACH(CALL_COMMIT) }
  abort();
}

static inline gex_AM_SrcDesc_t call_prepare(const struct message *m, void *own, size_t most, gex_Event_t *lc, void *there,
                                            gex_Flags_t flags) {
  unsigned n = (unsigned)m->args_n;
  if (m->kind == MEDIUM)
    return m->token ? gex_AM_PrepareReplyMedium(m->token, own, m->bytes, most, lc, flags, n)
                    : gex_AM_PrepareRequestMedium(m->tm, m->rank, own, m->bytes, most, lc, flags, n);
  return m->token ? gex_AM_PrepareReplyLong(m->token, own, m->bytes, most, there, lc, flags, n)
                  : gex_AM_PrepareRequestLong(m->tm, m->rank, own, m->bytes, most, there, lc, flags, n);
}

static inline void call_cancel(gex_AM_SrcDesc_t sd, const struct message *m) {
  if (m->kind == MEDIUM) m->token ? gex_AM_CancelReplyMedium(sd, 0) : gex_AM_CancelRequestMedium(sd, 0);
  else m->token ? gex_AM_CancelReplyLong(sd, 0) : gex_AM_CancelRequestLong(sd, 0);
}

#endif
