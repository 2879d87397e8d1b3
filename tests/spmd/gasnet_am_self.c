/* GASNet-EX: a request to the caller itself has run its handler when the call returns, without a poll.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

enum { REQUEST = 200, LONG = 201, REPLY = 202, TIMES = 100 };

static int requests_n, replies_n;

static void on_short(gex_Token_t token, gex_AM_Arg_t arg) {
  requests_n++;
  gex_AM_ReplyShort1(token, REPLY, 0, arg);
}

static void on_long(gex_Token_t token, void *data, size_t bytes, gex_AM_Arg_t arg) {
  CHECK(data == segments[self]);
  CHECK_EQ(bytes, sizeof arg);
  CHECK_EQ(*(gex_AM_Arg_t *)data, arg);
  on_short(token, arg);
}

static void on_reply(gex_Token_t token, gex_AM_Arg_t arg) {
  (void)token;
  replies_n += arg == requests_n;
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {{REQUEST, (gex_AM_Fn_t)on_short, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_SHORT, 1, NULL, "short"},
                            {LONG, (gex_AM_Fn_t)on_long, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_LONG, 1, NULL, "long"},
                            {REPLY, (gex_AM_Fn_t)on_reply, GEX_FLAG_AM_REPLY | GEX_FLAG_AM_SHORT, 1, NULL, "reply"}};
  start(&argc, &argv, table, 3, PAGE);
  gex_Rank_t me = (gex_Rank_t)self;
  for (gex_AM_Arg_t i = 1; i <= TIMES; i += 3) {
    CHECK_EQ(gex_AM_RequestShort1(all, me, REQUEST, 0, i), 0);
    CHECK_EQ(requests_n, i);
    gex_AM_Arg_t next = i + 1;
    CHECK_EQ(gex_AM_RequestLong1(all, me, LONG, &next, sizeof next, segments[self], GEX_EVENT_NOW, 0, next), 0);
    CHECK_EQ(requests_n, next);
    gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestLong(all, me, NULL, sizeof next, sizeof next, segments[self], NULL, 0, 1);
    *(gex_AM_Arg_t *)gex_AM_SrcDescAddr(sd) = next = i + 2;
    gex_AM_CommitRequestLong1(sd, LONG, sizeof next, segments[self], next);
    CHECK_EQ(requests_n, next);
  }
  GASNET_BLOCKUNTIL(replies_n == requests_n);
  return finish();
}
