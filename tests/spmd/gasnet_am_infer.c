/* Calls that count their arguments themselves, with arguments of many types.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

enum color { RED = 3, GREEN = -4 };
enum { PING = 200, PING_DATA, PONG, PONG_DATA, NOTHING };

static volatile int pongs_n, nothings_n;
static unsigned char data[64];

static void check_five(gex_AM_Arg_t i, gex_AM_Arg_t u, gex_AM_Arg_t color, gex_AM_Arg_t flag, gex_AM_Arg_t size) {
  CHECK_EQ(i, -7);
  CHECK_EQ((uint32_t)u, 0xfedcba98u);
  CHECK_EQ(color, GREEN);
  CHECK_EQ(flag, 1);
  CHECK_EQ(size, sizeof data);
}

#define FIVE -7, 0xfedcba98u, GREEN, data[1] == 8, sizeof data

static void ping(gex_Token_t token, gex_AM_Arg_t i, gex_AM_Arg_t u, gex_AM_Arg_t color, gex_AM_Arg_t flag, gex_AM_Arg_t size) {
  check_five(i, u, color, flag, size);
  CHECK_EQ(gex_AM_ReplyShort(token, PONG, 0, -7, 0xfedcba98u, GREEN, flag, sizeof data), 0);
}

static void check_data(const void *buffer, size_t bytes) {
  CHECK_EQ(bytes, sizeof data);
  CHECK_EQ(memcmp(buffer, data, bytes), 0);
}

/* The request, and the kind of its reply: medium or long, with fixed or negotiated payload. */
static void ping_data(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t i, gex_AM_Arg_t u, gex_AM_Arg_t color,
                      gex_AM_Arg_t flag, gex_AM_Arg_t size, gex_AM_Arg_t way) {
  check_five(i, u, color, flag, size);
  check_data(buffer, bytes);
  void *back = segments[source_of(token)] + (size_t)self * sizeof data;
  gex_AM_SrcDesc_t sd;
  switch (way) {
  case 0: CHECK_EQ(gex_AM_ReplyMedium(token, PONG_DATA, data, bytes, GEX_EVENT_NOW, 0, FIVE), 0); break;
  case 1: CHECK_EQ(gex_AM_ReplyLong(token, PONG_DATA, data, bytes, back, GEX_EVENT_NOW, 0, FIVE), 0); break;
  case 2:
    sd = gex_AM_PrepareReplyMedium(token, data, bytes, bytes, GEX_EVENT_NOW, 0, 5);
    gex_AM_CommitReplyMedium(sd, PONG_DATA, bytes, FIVE);
    break;
  case 3:
    sd = gex_AM_PrepareReplyLong(token, data, bytes, bytes, back, GEX_EVENT_NOW, 0, 5);
    gex_AM_CommitReplyLong(sd, PONG_DATA, bytes, back, FIVE);
    break;
  case 4:
    sd = gex_AM_PrepareReplyMedium(token, data, bytes, bytes, GEX_EVENT_NOW, 0, 5);
    CHECK_EQ(gex_AM_CommitReplyMedium_v2(sd, PONG_DATA, bytes, 0, FIVE), 0);
    break;
  default:
    sd = gex_AM_PrepareReplyLong(token, data, bytes, bytes, NULL, GEX_EVENT_NOW, 0, 5);
    CHECK_EQ(gex_AM_CommitReplyLong_v2(sd, PONG_DATA, bytes, back, 0, FIVE), 0);
  }
}

static void pong(gex_Token_t token, gex_AM_Arg_t i, gex_AM_Arg_t u, gex_AM_Arg_t color, gex_AM_Arg_t flag, gex_AM_Arg_t size) {
  (void)token;
  check_five(i, u, color, flag, size);
  pongs_n = pongs_n + 1;
}
static void pong_data(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t i, gex_AM_Arg_t u, gex_AM_Arg_t color,
                      gex_AM_Arg_t flag, gex_AM_Arg_t size) {
  check_data(buffer, bytes);
  pong(token, i, u, color, flag, size);
}

static void nothing(gex_Token_t token) {
  CHECK(!is_request(token) || source_of(token) < units_n);
  nothings_n = nothings_n + 1;
}

/* Macros of programs expand inside the interface's. */
#define TO(unit) all, (gex_Rank_t)(unit)
#define SHORT_TO(whom) (whom, PING, 0, FIVE)
#define CALL(function, arguments) (function arguments)

static void send(int to) {
  void *place = segments[to] + (size_t)(units_n + self) * sizeof data;
  const size_t n = sizeof data;
  CHECK_EQ(gex_AM_RequestShort(TO(to), NOTHING, 0), 0);
  CHECK_EQ(CALL(gex_AM_RequestShort, SHORT_TO(TO(to))), 0);
  CHECK_EQ(gex_AM_RequestMedium(TO(to), PING_DATA, data, n, GEX_EVENT_NOW, 0, FIVE, 0), 0);
  CHECK_EQ(gex_AM_RequestLong(TO(to), PING_DATA, data, n, place, GEX_EVENT_NOW, 0, FIVE, 1), 0);
  gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(TO(to), data, n, n, GEX_EVENT_NOW, 0, 6);
  gex_AM_CommitRequestMedium(sd, PING_DATA, n, FIVE, 2);
  sd = gex_AM_PrepareRequestLong(TO(to), data, n, n, place, GEX_EVENT_NOW, 0, 6);
  gex_AM_CommitRequestLong(sd, PING_DATA, n, place, FIVE, 3);
  sd = gex_AM_PrepareRequestMedium(TO(to), data, n, n, GEX_EVENT_NOW, 0, 6);
  CHECK_EQ(gex_AM_CommitRequestMedium_v2(sd, PING_DATA, n, 0, FIVE, 4), 0);
  sd = gex_AM_PrepareRequestLong(TO(to), data, n, n, NULL, GEX_EVENT_NOW, 0, 6);
  CHECK_EQ(gex_AM_CommitRequestLong_v2(sd, PING_DATA, n, place, 0, FIVE, 5), 0);
}

int main(int argc, char **argv) {
  const gex_Flags_t data_flags = GEX_FLAG_AM_MEDLONG;
  gex_AM_Entry_t table[] = {
      {PING, (gex_AM_Fn_t)ping, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 5, NULL, "ping"},
      {PING_DATA, (gex_AM_Fn_t)ping_data, data_flags | GEX_FLAG_AM_REQUEST, 6, NULL, NULL},
      {PONG, (gex_AM_Fn_t)pong, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 5, NULL, NULL},
      {PONG_DATA, (gex_AM_Fn_t)pong_data, data_flags | GEX_FLAG_AM_REPLY, 5, NULL, NULL},
      {NOTHING, (gex_AM_Fn_t)nothing, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQREP, 0, NULL, NULL},
  };
  for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i + 7);
  start(&argc, &argv, table, LENGTH(table), 2 * sizeof data);
  for (int i = 0; i < units_n; i++) send((self + i) % units_n);
  GASNET_BLOCKUNTIL(pongs_n == 7 * units_n);
  barrier();
  GASNET_BLOCKUNTIL(nothings_n == units_n);
  return finish();
}
