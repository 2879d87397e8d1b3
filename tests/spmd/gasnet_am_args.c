/* Active messages of each category with 0 to 16 arguments between all units: requests and replies, fixed and negotiated.
 * Group: gasnet_demanding
 */
#include "gasnet_am.h"

enum { SHORT = GEX_AM_INDEX_BASE, MEDIUM = SHORT + 17, LONG = MEDIUM + 17 };

/* How requests are sent and answered, at any time the same on all units. */
enum way { FIXED, COMMITTED, COMMITTED_V2, WAYS_N };
static volatile enum way way;

static volatile int requests_n, replies_n;
static const unsigned char *data_of[17]; /* the bytes of a message with this number of arguments */
static unsigned char data[17][17 * 13];

/* Argument i of n. */
static gex_AM_Arg_t value(int n, int i) { return (gex_AM_Arg_t)((unsigned)n * 2654435761u + (unsigned)i * 1640531527u); }

static bool count(gex_Token_t token, int n, const gex_AM_Arg_t *args) {
  for (int i = 1; i <= n; i++) CHECK_EQ(args[i], value(n, i));
  bool request = is_request(token);
  if (request) requests_n++;
  else replies_n++;
  return request;
}

static size_t bytes_of(int n) { return (size_t)n * 13; }

static void check_data(int n, const void *buffer, size_t bytes) {
  CHECK_EQ(bytes, bytes_of(n));
  CHECK_EQ(memcmp(buffer, data_of[n], bytes), 0);
}

/* The place of this unit's long messages at a target. */
static char *place(int unit, bool request) { return segments[unit] + (size_t)self * 2 * 256 + (request ? 0 : 256); }
static char *place_from(int unit, bool request) { return segments[self] + (size_t)unit * 2 * 256 + (request ? 0 : 256); }

/* A buffer of the library, filled with the data. */
static gex_AM_SrcDesc_t filled(gex_AM_SrcDesc_t sd, int n) {
  CHECK(gex_AM_SrcDescSize(sd) >= bytes_of(n));
  memcpy(gex_AM_SrcDescAddr(sd), data_of[n], bytes_of(n));
  return sd;
}
static gex_AM_SrcDesc_t medium_for(gex_Rank_t to, int n) {
  return filled(gex_AM_PrepareRequestMedium(all, to, NULL, bytes_of(n), bytes_of(n), NULL, 0, (unsigned)n), n);
}
static gex_AM_SrcDesc_t long_for(gex_Rank_t to, int n) {
  return filled(gex_AM_PrepareRequestLong(all, to, NULL, bytes_of(n), bytes_of(n), NULL, NULL, 0, (unsigned)n), n);
}
static gex_AM_SrcDesc_t medium_back(gex_Token_t token, int n) {
  return filled(gex_AM_PrepareReplyMedium(token, NULL, bytes_of(n), bytes_of(n), NULL, 0, (unsigned)n), n);
}
static gex_AM_SrcDesc_t long_back(gex_Token_t token, int n) {
  return filled(gex_AM_PrepareReplyLong(token, NULL, bytes_of(n), bytes_of(n), NULL, NULL, 0, (unsigned)n), n);
}

#define PARAMETERS_0
#define PARAMETERS_1 , gex_AM_Arg_t a1
#define PARAMETERS_2 PARAMETERS_1, gex_AM_Arg_t a2
#define PARAMETERS_3 PARAMETERS_2, gex_AM_Arg_t a3
#define PARAMETERS_4 PARAMETERS_3, gex_AM_Arg_t a4
#define PARAMETERS_5 PARAMETERS_4, gex_AM_Arg_t a5
#define PARAMETERS_6 PARAMETERS_5, gex_AM_Arg_t a6
#define PARAMETERS_7 PARAMETERS_6, gex_AM_Arg_t a7
#define PARAMETERS_8 PARAMETERS_7, gex_AM_Arg_t a8
#define PARAMETERS_9 PARAMETERS_8, gex_AM_Arg_t a9
#define PARAMETERS_10 PARAMETERS_9, gex_AM_Arg_t a10
#define PARAMETERS_11 PARAMETERS_10, gex_AM_Arg_t a11
#define PARAMETERS_12 PARAMETERS_11, gex_AM_Arg_t a12
#define PARAMETERS_13 PARAMETERS_12, gex_AM_Arg_t a13
#define PARAMETERS_14 PARAMETERS_13, gex_AM_Arg_t a14
#define PARAMETERS_15 PARAMETERS_14, gex_AM_Arg_t a15
#define PARAMETERS_16 PARAMETERS_15, gex_AM_Arg_t a16
#define NAMES_0
#define NAMES_1 , a1
#define NAMES_2 NAMES_1, a2
#define NAMES_3 NAMES_2, a3
#define NAMES_4 NAMES_3, a4
#define NAMES_5 NAMES_4, a5
#define NAMES_6 NAMES_5, a6
#define NAMES_7 NAMES_6, a7
#define NAMES_8 NAMES_7, a8
#define NAMES_9 NAMES_8, a9
#define NAMES_10 NAMES_9, a10
#define NAMES_11 NAMES_10, a11
#define NAMES_12 NAMES_11, a12
#define NAMES_13 NAMES_12, a13
#define NAMES_14 NAMES_13, a14
#define NAMES_15 NAMES_14, a15
#define NAMES_16 NAMES_15, a16
#define VALUES_0(n)
#define VALUES_1(n) , value(n, 1)
#define VALUES_2(n) VALUES_1(n), value(n, 2)
#define VALUES_3(n) VALUES_2(n), value(n, 3)
#define VALUES_4(n) VALUES_3(n), value(n, 4)
#define VALUES_5(n) VALUES_4(n), value(n, 5)
#define VALUES_6(n) VALUES_5(n), value(n, 6)
#define VALUES_7(n) VALUES_6(n), value(n, 7)
#define VALUES_8(n) VALUES_7(n), value(n, 8)
#define VALUES_9(n) VALUES_8(n), value(n, 9)
#define VALUES_10(n) VALUES_9(n), value(n, 10)
#define VALUES_11(n) VALUES_10(n), value(n, 11)
#define VALUES_12(n) VALUES_11(n), value(n, 12)
#define VALUES_13(n) VALUES_12(n), value(n, 13)
#define VALUES_14(n) VALUES_13(n), value(n, 14)
#define VALUES_15(n) VALUES_14(n), value(n, 15)
#define VALUES_16(n) VALUES_15(n), value(n, 16)
#define FOR_EACH_COUNT(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15) F(16)

#define CALLS(n)                                                                                                       \
  static void short_##n(gex_Token_t token PARAMETERS_##n) {                                                            \
    const gex_AM_Arg_t args[] = {0 NAMES_##n};                                                                         \
    if (count(token, n, args)) CHECK_EQ(gex_AM_ReplyShort##n(token, SHORT + n, 0 VALUES_##n(n)), 0);                   \
  }                                                                                                                    \
  static void answer_medium_##n(gex_Token_t token, const void *buffer, size_t bytes) {                                 \
    if (way == FIXED)                                                                                                  \
      CHECK_EQ(gex_AM_ReplyMedium##n(token, MEDIUM + n, buffer, bytes, GEX_EVENT_NOW, 0 VALUES_##n(n)), 0);            \
    else if (way == COMMITTED)                                                                                         \
      gex_AM_CommitReplyMedium##n(medium_back(token, n), MEDIUM + n, bytes VALUES_##n(n));                             \
    else                                                                                                               \
      CHECK_EQ(gex_AM_CommitReplyMedium##n##_v2(medium_back(token, n), MEDIUM + n, bytes, 0 VALUES_##n(n)), 0);        \
  }                                                                                                                    \
  static void medium_##n(gex_Token_t token, void *buffer, size_t bytes PARAMETERS_##n) {                               \
    const gex_AM_Arg_t args[] = {0 NAMES_##n};                                                                         \
    check_data(n, buffer, bytes);                                                                                      \
    if (count(token, n, args)) answer_medium_##n(token, buffer, bytes);                                                \
  }                                                                                                                    \
  static void answer_long_##n(gex_Token_t token, size_t bytes, char *there) {                                          \
    if (way == FIXED)                                                                                                  \
      CHECK_EQ(gex_AM_ReplyLong##n(token, LONG + n, data_of[n], bytes, there, GEX_EVENT_NOW, 0 VALUES_##n(n)), 0);     \
    else if (way == COMMITTED)                                                                                         \
      gex_AM_CommitReplyLong##n(long_back(token, n), LONG + n, bytes, there VALUES_##n(n));                            \
    else                                                                                                               \
      CHECK_EQ(gex_AM_CommitReplyLong##n##_v2(long_back(token, n), LONG + n, bytes, there, 0 VALUES_##n(n)), 0);       \
  }                                                                                                                    \
  static void long_##n(gex_Token_t token, void *buffer, size_t bytes PARAMETERS_##n) {                                 \
    const gex_AM_Arg_t args[] = {0 NAMES_##n};                                                                         \
    int source = source_of(token);                                                                                     \
    CHECK(buffer == place_from(source, is_request(token)));                                                            \
    check_data(n, buffer, bytes);                                                                                      \
    if (count(token, n, args)) answer_long_##n(token, bytes, place(source, false));                                    \
  }                                                                                                                    \
  static void send_##n(gex_Rank_t to) {                                                                                \
    const size_t bytes = bytes_of(n);                                                                                  \
    char *there = place((int)to, true);                                                                                \
    CHECK_EQ(gex_AM_RequestShort##n(all, to, SHORT + n, 0 VALUES_##n(n)), 0);                                          \
    if (way == FIXED) {                                                                                                \
      CHECK_EQ(gex_AM_RequestMedium##n(all, to, MEDIUM + n, data_of[n], bytes, GEX_EVENT_NOW, 0 VALUES_##n(n)), 0);    \
      CHECK_EQ(gex_AM_RequestLong##n(all, to, LONG + n, data_of[n], bytes, there, GEX_EVENT_NOW, 0 VALUES_##n(n)), 0); \
    } else if (way == COMMITTED) {                                                                                     \
      gex_AM_CommitRequestMedium##n(medium_for(to, n), MEDIUM + n, bytes VALUES_##n(n));                               \
      gex_AM_CommitRequestLong##n(long_for(to, n), LONG + n, bytes, there VALUES_##n(n));                              \
    } else {                                                                                                           \
      CHECK_EQ(gex_AM_CommitRequestMedium##n##_v2(medium_for(to, n), MEDIUM + n, bytes, 0 VALUES_##n(n)), 0);          \
      CHECK_EQ(gex_AM_CommitRequestLong##n##_v2(long_for(to, n), LONG + n, bytes, there, 0 VALUES_##n(n)), 0);         \
    }                                                                                                                  \
  }
FOR_EACH_COUNT(CALLS)

#define ENTRIES(n)                                                                                 \
  {SHORT + n, (gex_AM_Fn_t)short_##n, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQREP, n, NULL, NULL},      \
  {MEDIUM + n, (gex_AM_Fn_t)medium_##n, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQREP, n, NULL, NULL},   \
  {LONG + n, (gex_AM_Fn_t)long_##n, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQREP, n, NULL, NULL},
#define SENDER(n) send_##n,

static void (*const senders[])(gex_Rank_t to) = {FOR_EACH_COUNT(SENDER)};

static void send_all(void) {
  int goal = replies_n;
  for (int n = 0; n <= 16; n++) {
    memset(segments[self], 0, (size_t)units_n * 512);
    barrier();
    for (int i = 0; i < units_n; i++) senders[n]((gex_Rank_t)((self + i) % units_n));
    goal += units_n * 3;
    GASNET_BLOCKUNTIL(replies_n == goal);
    barrier();
  }
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {FOR_EACH_COUNT(ENTRIES)};
  for (int n = 0; n <= 16; n++) {
    fill(data[n], (unsigned)n, bytes_of(n));
    data_of[n] = data[n];
  }
  start(&argc, &argv, table, LENGTH(table), 512);
  CHECK_EQ(gex_AM_MaxArgs(), 16);
  for (int w = 0; w < WAYS_N; w++) {
    way = (enum way)w;
    barrier();
    send_all();
    barrier();
    CHECK_EQ(requests_n, (w + 1) * 17 * 3 * units_n);
  }
  return finish();
}
