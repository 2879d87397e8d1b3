/* Prepared messages that are as long as the library grants, which may be more than a fixed one can be: all of the data
 * arrives, of requests and replies, medium and long, in buffers of the library and of the caller.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

#include <stdlib.h>

enum { MEDIUM, LONG, KINDS_N };
enum { REQUEST = 160, REPLY };
enum { MOST = 600 << 10 };

static char *own, *answer;
static volatile size_t answer_bytes, longest[KINDS_N];
static volatile int replies_n;

/* Two places for each sender: for requests and for replies. */
static char *place(int unit, bool request) { return segments[unit] + (size_t)self * 2 * MOST + (request ? 0 : MOST); }

static size_t fixed_most(int kind, bool request, int to) {
  gex_Rank_t rank = (gex_Rank_t)to;
  if (kind == LONG) return request ? gex_AM_MaxRequestLong(all, rank, NULL, 0, 1) : gex_AM_MaxReplyLong(all, rank, NULL, 0, 1);
  return request ? gex_AM_MaxRequestMedium(all, rank, NULL, 0, 1) : gex_AM_MaxReplyMedium(all, rank, NULL, 0, 1);
}

/* Fills all that was granted. */
static size_t write_all(gex_AM_SrcDesc_t sd, size_t least, const void *client) {
  CHECK(sd != GEX_AM_SRCDESC_NO_OP);
  size_t bytes = gex_AM_SrcDescSize(sd);
  CHECK(bytes >= least && bytes <= MOST);
  if (client) CHECK(gex_AM_SrcDescAddr(sd) == client);
  fill(gex_AM_SrcDescAddr(sd), (unsigned)self + (unsigned)bytes, bytes);
  return bytes;
}

static void check_all(gex_Token_t token, const void *data, size_t bytes, size_t announced) {
  CHECK_EQ(bytes, announced);
  CHECK_EQ(wrong(data, (unsigned)source_of(token) + (unsigned)bytes, bytes), 0);
}

static void ask(int to, int kind, char *client) {
  gex_Rank_t rank = (gex_Rank_t)to;
  gex_Event_t *lc = client ? GEX_EVENT_NOW : NULL;
  char *there = place(to, true);
  gex_AM_SrcDesc_t sd = kind == LONG ? gex_AM_PrepareRequestLong(all, rank, client, 512, MOST, there, lc, 0, 2)
                                     : gex_AM_PrepareRequestMedium(all, rank, client, 512, MOST, lc, 0, 2);
  size_t bytes = write_all(sd, 512, client);
  if (bytes > longest[kind]) longest[kind] = bytes;
  int goal = replies_n + 1;
  if (kind == LONG) gex_AM_CommitRequestLong2(sd, REQUEST, bytes, there, bytes, client != NULL);
  else gex_AM_CommitRequestMedium2(sd, REQUEST, bytes, bytes, client != NULL);
  GASNET_BLOCKUNTIL(replies_n == goal);
}

static void request(gex_Token_t token, void *data, size_t bytes, gex_AM_Arg_t announced, gex_AM_Arg_t from_client) {
  gex_Token_Info_t info = info_of(token);
  check_all(token, data, bytes, (size_t)announced);
  char *client = from_client ? answer : NULL, *there = place((int)info.gex_srcrank, false);
  gex_Event_t *lc = client ? GEX_EVENT_NOW : NULL;
  bool is_long = info.gex_is_long;
  gex_AM_SrcDesc_t sd = is_long ? gex_AM_PrepareReplyLong(token, client, 512, MOST, NULL, lc, 0, 1)
                                : gex_AM_PrepareReplyMedium(token, client, 512, MOST, lc, 0, 1);
  size_t granted = write_all(sd, 512, client);
  if (is_long) CHECK_EQ(gex_AM_CommitReplyLong1_v2(sd, REPLY, granted, there, 0, (gex_AM_Arg_t)granted), 0);
  else gex_AM_CommitReplyMedium1(sd, REPLY, granted, (gex_AM_Arg_t)granted);
}

static void reply(gex_Token_t token, void *data, size_t bytes, gex_AM_Arg_t announced) {
  check_all(token, data, bytes, (size_t)announced);
  answer_bytes = bytes;
  replies_n = replies_n + 1;
}

static bool shares_memory(int rank) {
  void *local = NULL;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, (gex_Rank_t)rank, NULL, &local, NULL, 0));
  return local != NULL;
}

/* One unit asks at a time, so that all of a pool is free: within a node more is granted than a fixed medium message has. */
static void ask_all(void) {
  for (int to = 0; to < units_n; to++) {
    for (int i = 0; i < 4; i++) {
      ask(to, i % KINDS_N, i < KINDS_N ? NULL : own);
      if (i == MEDIUM && shares_memory(to)) {
        CHECK(longest[MEDIUM] > fixed_most(MEDIUM, true, to));
        CHECK(answer_bytes > fixed_most(MEDIUM, false, to));
      }
    }
  }
  CHECK(longest[LONG] > fixed_most(MEDIUM, true, 0));
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {
      {REQUEST, (gex_AM_Fn_t)request, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQUEST, 2, NULL, NULL},
      {REPLY, (gex_AM_Fn_t)reply, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REPLY, 1, NULL, NULL},
  };
  start(&argc, &argv, table, LENGTH(table), (size_t)2 * MOST);
  own = (char *)malloc(MOST);
  answer = (char *)malloc(MOST);
  if (!own || !answer) abort();
  for (int turn = 0; turn < units_n; turn++) {
    if (turn == self) ask_all();
    barrier();
  }
  free(own);
  free(answer);
  return finish();
}
